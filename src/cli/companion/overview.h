/*
 * All labs of the course, a line each: how far the student is.
 *
 *   01  training_step       The training step            97 out of 100
 *   02  collectives         Collectives                  37 out of 100 (best: 45)
 *   03  data_parallel       Data parallelism             ready for you
 */
#ifndef VIALATA_CLI_COMPANION_OVERVIEW_H
#define VIALATA_CLI_COMPANION_OVERVIEW_H

#include <stdio.h>

/* They, and an empty line. */
void vl_overview_put(FILE *stream);

#endif
