/*
 * Memory for timed calls: touched, so that no page is found while the clock runs. What most timed
 * calls do alike is here too: begin with zeroed work, keep arrays, give results, free everything.
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

/* The work of a timed call may begin with this. */
enum { VL_TIMED_MOST_ARRAYS = 40 };
struct vl_timed_work {
    uint64_t seed, stream;              /* the stream starts with the rank, one more per array */
    void *arrays[VL_TIMED_MOST_ARRAYS]; /* freed with the work */
    size_t array_count;
    int failed; /* an array could not be had */
};

/* For prepare: zeroed work of 'size' bytes. For release: free it and its arrays. */
void *vl_timed_begin(void **work, size_t size, uint64_t seed);
void vl_timed_release(void *work);

/* Keep an allocated array; return it. NULL is remembered as a failure. */
void *vl_timed_keep(struct vl_timed_work *work, void *array);
float *vl_timed_keep_floats(struct vl_timed_work *work, size_t n, float scale);

/* For finish: a copy of n numbers as an output. VL_ENOMEM. */
enum vl_status vl_timed_give(struct vl_bag *outputs, const char *name, const float *array,
                             size_t n);

#endif
