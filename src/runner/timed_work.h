/*
 * Memory for timed calls: touched, so that no page is found while the clock runs. And their outputs.
 */
#ifndef VIALATA_RUNNER_TIMED_WORK_H
#define VIALATA_RUNNER_TIMED_WORK_H

#include "vialata/status.h"
#include "wire/bag.h"
#include <stddef.h>
#include <stdint.h>

/* n numbers evenly between -scale and scale; scale 0: zeros. The caller frees; NULL without
 * memory. */
float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream);

/* A copy of n numbers as the output 'name'. VL_OK, or VL_ENOMEM. */
enum vl_status vl_timed_output(struct vl_bag *outputs, const char *name, const float *numbers,
                               size_t n);

#endif
