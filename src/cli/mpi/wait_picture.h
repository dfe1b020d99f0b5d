/*
 * Who waits for whom, as a picture (SVG): ranks in a ring, an arrow to the rank that each waits for, a circle of
 * them in another colour, and below it where each rank is.
 *
 *        (0) --> (1)
 *         ^       |
 *         '- (2) <'
 */
#ifndef VIALATA_CLI_MPI_WAIT_PICTURE_H
#define VIALATA_CLI_MPI_WAIT_PICTURE_H

#include "vialata/status.h"

/* next[r] as vl_hang_next gives it (ranks/hang/hang.h); 'where' has a line for each rank, or is NULL. *svg is fresh.
 * VL_ENOMEM. */
enum vl_status vl_wait_picture(char **svg, const int *next, int ranks, const char *where);

#endif
