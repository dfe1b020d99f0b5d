/*
 * A training run as a person follows it: a bar with the loss, the speed and the time left; at the
 * end the curve of the losses.
 */
#ifndef VIALATA_CLI_SHARED_PROGRESS_H
#define VIALATA_CLI_SHARED_PROGRESS_H

#include "report/draw/terminal.h"
#include <jansson.h>
#include <stddef.h>
#include <time.h>

struct vl_progress {
    struct vl_terminal terminal;
    long steps;     /* where the run will stop */
    long first;     /* the first step seen */
    long last;      /* the newest */
    long told;      /* the newest that a plain line has shown */
    double *losses; /* one per step seen */
    size_t count, capacity;
    double tokens_per_second, mfu;
    double whole; /* bytes of state that one device would hold */
    struct timespec began, drawn;
};

void vl_progress_open(struct vl_progress *progress, FILE *stream);

/* One event of train/log/log.h; 'context' is a struct vl_progress. */
void vl_progress_event(void *context, const json_t *event);

/* The curve; then everything is freed. */
void vl_progress_close(struct vl_progress *progress);

#endif
