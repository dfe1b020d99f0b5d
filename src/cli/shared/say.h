/*
 * Sentences about what went wrong, on standard error. 'format' is translated already.
 */
#ifndef VIALATA_CLI_SHARED_SAY_H
#define VIALATA_CLI_SHARED_SAY_H

#include "cli/command.h"
#include "vialata/status.h"

/* Say it, and return 'status' for the command to return. */
enum vl_exit vl_say(enum vl_exit status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What a status means, and VL_EXIT_LACK; of VL_OK there is nothing to say: VL_EXIT_OK. */
enum vl_exit vl_say_status(enum vl_status status);

#endif
