/*
 * Why the ranks send more, or less, than they should: what all wrong figures of bytes of a function have in
 * common. A figure is the sum over the ranks, since another rank's share is no more and no less traffic.
 *
 *   below    something is not sent: the truth is the least with which the result can be right
 *   above    the factor between the two, if exactly one known reason gives it in every figure
 *   even     the sum is right, but not what single ranks send
 */
#ifndef VIALATA_GRADE_COST_WHY_BYTES_H
#define VIALATA_GRADE_COST_WHY_BYTES_H

#include "grade/judge/judge.h"
#include "grade/patterns/facts.h"

#define VL_BYTES_ARRAYS 16

/* One wrong figure of one case: the bytes that all ranks send in one part of it, or receive. */
struct vl_bytes_figure {
    double got, right;
    struct vl_facts facts; /* the ranks, and sizes by name */
    struct {
        char name[VL_RANKED_NAME];
        double bytes;
    } arrays[VL_BYTES_ARRAYS]; /* float arrays among the case's inputs, whole */
    size_t array_count;
};

/*
 * Add the wrong figures of a case to 'figures', which has room for 'most'. Returns how many; 0 if the case
 * is right in them, if it has none, or if something else is wrong in it. 'outputs' have every array of
 * 'expected'.
 */
size_t vl_bytes_figures(struct vl_bytes_figure *figures, size_t most, const struct vl_case *c,
                        const struct vl_bag *inputs, const struct vl_bag *expected,
                        const struct vl_bag *outputs);

/* Code and message into *cause; its code is NULL if nothing is certain. VL_ENOMEM. */
enum vl_status vl_why_bytes(struct vl_cause *cause, const struct vl_bytes_figure *figures,
                            size_t count);

#endif
