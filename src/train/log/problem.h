/*
 * A problem: why a run cannot go on, as one sentence for the person and one identifier for
 * programs. Whoever finds the problem fills it in and returns its status.
 */
#ifndef VIALATA_TRAIN_LOG_PROBLEM_H
#define VIALATA_TRAIN_LOG_PROBLEM_H

#include "vialata/status.h"
#include <stdint.h>

struct vl_problem {
    enum vl_status status;
    char code[32];      /* stable English identifier: "checkpoint_shape" */
    char message[4096]; /* one sentence, translated */
    const char *detail; /* a short English phrase for a closer look, or NULL */
    int everywhere;     /* every rank ends by itself; zero: the others may wait for this one */
};

/* Fill *problem and return status. 'format' is translated already. */
enum vl_status vl_problem_set(struct vl_problem *problem, enum vl_status status, const char *code,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A file that could not be read or written; errno says why. */
enum vl_status vl_problem_reading(struct vl_problem *problem, const char *path);
enum vl_status vl_problem_writing(struct vl_problem *problem, const char *path);

/* Add to the problem that the run has ended, and how to resume it from the step that it saved. */
void vl_problem_saved(struct vl_problem *problem, const char *path, uint64_t step);

/* A status that needs only its standard text. */
enum vl_status vl_problem_status(struct vl_problem *problem, enum vl_status status);

/* All ranks end because of this problem, and another rank reports it. */
void vl_problem_silence(struct vl_problem *problem);

/* Exit status: 0 none, 2 a wrong request, 3 a limit of this machine, 4 a fault of vialata. */
int vl_problem_exit(const struct vl_problem *problem);

#endif
