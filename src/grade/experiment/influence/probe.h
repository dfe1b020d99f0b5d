/*
 * A probe: the inputs of a case with one thing changed, to see what an answer follows.
 *
 *   same      nothing: does the same come out twice?
 *   all       every number of an array, each by another share: does the answer use it at all?
 *   scalar    a number that stands alone, to three quarters of itself
 *   half, quarter   all of an array, or such a number: does the answer go with a power of it?
 *   exchange  two different rows of an array of indices (tokens, targets): they stay in range
 *   one       one element of an array: which places of the answer follow it?
 *   blank     those elements of an array that nobody may read, to zero (unread.h)
 *
 * Sizes and other whole numbers never change. A number keeps its sign, zero stays zero, and where
 * an array holds whole numbers only, it still does.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_INFLUENCE_PROBE_H
#define VIALATA_GRADE_EXPERIMENT_INFLUENCE_PROBE_H

#include "wire/bag.h"

enum vl_probe_kind {
    VL_PROBE_SAME,
    VL_PROBE_ALL,
    VL_PROBE_SCALAR,
    VL_PROBE_EXCHANGE,
    VL_PROBE_HALF,
    VL_PROBE_QUARTER,
    VL_PROBE_ONE,
    VL_PROBE_BLANK
};

struct vl_probe {
    enum vl_probe_kind kind;
    size_t input;   /* which array of the bag */
    size_t element; /* the one that changes; where rows are exchanged, the first element of one */
    size_t other;   /* and of the other */
    const struct vl_bag *blank; /* the inputs with these zeros; lives as long as the probe */
};

#define VL_PROBES_MOST 80

/* Choose the probes of a case on so many ranks, always the same ones; returns how many. Where an
 * array has a row for each rank, elements of each row are among them. */
size_t vl_probes_choose(struct vl_probe probes[VL_PROBES_MOST], const struct vl_bag *inputs,
                        int ranks);

/* The changed inputs. NULL without memory. */
struct vl_bag *vl_probe_inputs(const struct vl_probe *probe, const struct vl_bag *inputs);

#endif
