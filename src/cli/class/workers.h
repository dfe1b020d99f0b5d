/*
 * Commands that run side by side, a few at a time.
 *
 * Each is a process of its own, with nothing to read, and with its output in a file. On Ctrl-C no
 * further one is started, and those that run are told to end; nothing is alive afterwards.
 */
#ifndef VIALATA_CLI_CLASS_WORKERS_H
#define VIALATA_CLI_CLASS_WORKERS_H

#include "base/words.h"
#include "vialata/status.h"
#include <stddef.h>

struct vl_workers {
    size_t at_once;
    /* The words of command i (the first is a path), and the file for what it prints; the caller
     * frees them. VL_ENOMEM. */
    enum vl_status (*begin)(void *context, size_t i, struct vl_words *words, char **output);
    /* Command i has ended with this exit status (128 + the signal that ended it). */
    void (*ended)(void *context, size_t i, int exit_status);
    void *context;
};

/* Run commands 0 to count - 1. *signal gets the signal that cut it short, or 0. VL_EIO (a process
 * could not be started), VL_ENOMEM. */
enum vl_status vl_workers_run(const struct vl_workers *workers, size_t count, int *signal);

#endif
