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

/* Say what a status means, and return VL_EXIT_LACK. VL_OK says nothing and gives VL_EXIT_OK. */
enum vl_exit vl_say_status(enum vl_status status);

#endif
