/*
 * The page about a training run: where it ran, on whose code, and how it went.
 *
 * It is made from the run's events (train/log/log.h) as they come, so it needs no log. It is
 * written as a whole at the end, in the language in force.
 */
#ifndef VIALATA_REPORT_TRAINING_TRAINING_PAGE_H
#define VIALATA_REPORT_TRAINING_TRAINING_PAGE_H

#include "vialata/status.h"
#include <jansson.h>
#include <stddef.h>

enum vl_training_curve {
    VL_CURVE_LOSS,
    VL_CURVE_VIOLATION, /* of the load of the experts */
    VL_CURVE_BALANCE,   /* the auxiliary loss */
    VL_CURVE_SIZE,      /* of its gradient, relative to the language model's */
    VL_CURVE_SPEED,     /* tokens per second */
    VL_CURVE_SENT,      /* bytes, if they were counted */
    VL_CURVES
};

/* Zero it; free it once. */
struct vl_training_page {
    json_t *run, *end;         /* the first event and the last; NULL until they come */
    double *values[VL_CURVES]; /* (count) each; NAN where the event tells none */
    size_t count, capacity;
    long first, last; /* steps */
};

/* Whose code one lab's was, in words. */
struct vl_training_lab {
    int number;
    const char *title, *whose, *reason; /* reason: "" if there is none to give */
};

/* One event of the run. Without memory the curves end early. */
void vl_training_page_event(struct vl_training_page *page, const json_t *event);

/* Write the page. 'command' runs it again; labs may be none: then all code was the course's. VL_EIO
 * (errno), VL_ENOMEM. */
enum vl_status vl_training_page_write(const struct vl_training_page *training, const char *path,
                                      const char *command, const struct vl_training_lab *labs,
                                      size_t lab_count);

void vl_training_page_free(struct vl_training_page *page);

#endif
