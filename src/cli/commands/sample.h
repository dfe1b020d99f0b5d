/*
 * Text as a model writes it, straight to standard output.
 */
#ifndef VIALATA_CLI_COMMANDS_SAMPLE_H
#define VIALATA_CLI_COMMANDS_SAMPLE_H

#include <jansson.h>

/* One event of train/run/sample.h. */
void vl_sample_event(void *context, const json_t *event);

#endif
