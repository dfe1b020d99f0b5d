/*
 * The site of a case of lab 04: a struct vl_zero filled with arrays of exactly the planned sizes
 * (counted here, not by the submission, so that a wrong plan costs the plan alone). The arrays are
 * outputs, so they stand between guards and come back.
 */
#ifndef VIALATA_GRADE_LABS_04_ZERO_RUNNER_ZERO_SITE_H
#define VIALATA_GRADE_LABS_04_ZERO_RUNNER_ZERO_SITE_H

#include "vialata/zero.h"
#include "wire/bag.h"

#define VL_SITE_UNITS   8
#define VL_SITE_TENSORS 32
#define VL_SITE_ROOM    7.0f /* what rooms hold at first */

struct vl_site {
    struct vl_zero zero;
    size_t units[VL_SITE_UNITS + 1], count, largest, shard;
    struct vl_tensor tensors[VL_SITE_TENSORS];
    struct vl_transfer *flight[VL_SITE_UNITS];
};

/* The layout alone; then the arrays as well, with what the inputs hold in them (0: no memory). */
void vl_site_read(struct vl_site *site, const struct vl_bag *inputs);
int vl_site_open(struct vl_site *site, struct vl_bag *outputs, const struct vl_bag *inputs);

/* Does this rank own element i? */
int vl_site_owns(const struct vl_site *site, size_t i);

/* Gradients and parameters, where things are on their way (calls_zero_flow.c). */
enum vl_status vl_call_zero_gradients(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_zero_ready(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_zero_poll(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_zero_finish(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_zero_borrow(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_zero_give_back(struct vl_bag *outputs, const struct vl_bag *inputs);

#endif
