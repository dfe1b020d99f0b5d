/*
 * Memory for timed calls: touched, so that no page is found while the clock runs.
 */
#ifndef VIALATA_RUNNER_TIMED_WORK_H
#define VIALATA_RUNNER_TIMED_WORK_H

#include <stddef.h>
#include <stdint.h>

/* n numbers evenly between -scale and scale; scale 0: zeros. The caller frees; NULL without
 * memory. */
float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream);

#endif
