/*
 * How well a model predicts a text: its mean loss, in nats per byte, over windows that start at
 * byte 0, T, 2T ... and predict T bytes each.
 *
 *   bytes      0 . . . . T . . . . 2T . . . . 3T . .
 *   window 0   [reads  0 .. T ]
 *   window 1             [reads T .. 2T ]                a last window that is not whole is dropped
 */
#ifndef VIALATA_TRAIN_RUN_EVALUATE_H
#define VIALATA_TRAIN_RUN_EVALUATE_H

#include "train/log/problem.h"
#include "train/options/options.h"
#include <stdint.h>

struct vl_evaluation {
    double loss;      /* nats per byte */
    uint64_t windows; /* how many */
    uint64_t bytes;   /* predicted, all together */

    /* With options->loads; else NULL. */
    double *loads;     /* (layers,experts): the share of a layer's choices that an expert got */
    double *violation; /* (layers): MaxVio */
    size_t layers, experts;
};

/* Evaluate options->checkpoint on options->data. Free the result, whatever the status. */
enum vl_status vl_evaluate(struct vl_evaluation *evaluation, const struct vl_options *options,
                           struct vl_problem *problem);

void vl_evaluation_free(struct vl_evaluation *evaluation);

#endif
