/*
 * The site of a case of lab 04: a struct vl_zero filled with arrays of exactly the planned sizes
 * (counted here, not by the submission, so that a wrong plan costs only the plan's points). The
 * arrays are outputs, so they lie between guards and come back.
 */
#ifndef VIALATA_GRADE_LABS_04_ZERO_RUNNER_ZERO_SITE_H
#define VIALATA_GRADE_LABS_04_ZERO_RUNNER_ZERO_SITE_H

#include "runner/call.h"
#include "vialata/zero.h"
#include "wire/bag.h"
#include <stdbool.h>

#define VL_SITE_UNITS   80
#define VL_SITE_TENSORS 80

struct vl_site {
    struct vl_bag *outputs;
    const struct vl_bag *inputs;
    struct vl_zero zero;
    size_t units[VL_SITE_UNITS + 1], count;
    struct vl_zero_plan plan;
    struct vl_tensor tensors[VL_SITE_TENSORS];
};

/* The layout alone, no arrays yet. */
void vl_site_read(struct vl_site *site, const struct vl_bag *inputs);

/* Set the communicator, this rank and the number of ranks. Then, from the units: this rank's chunk
 * of one, and how much this rank keeps. */
void vl_site_join(struct vl_zero *zero);
void vl_site_chunk(size_t *first, size_t *count, const struct vl_zero *zero, size_t unit);
struct vl_zero_plan vl_site_plan(const struct vl_zero *zero);

/* The number of elements in a unit. */
size_t vl_site_unit_size(const struct vl_site *site, size_t unit);
/* Do the n elements that start at 'pointer' lie inside an array (size)? n is at most size. */
bool vl_site_fits(const float *pointer, size_t n, const float *array, size_t size);

/* All ranks poll in rounds, until every message has had its chance. 'words' is a communicator for
 * this alone. */
enum vl_status vl_site_poll_in_rounds(struct vl_zero *zero, MPI_Comm words);

/* How many transfers are in 'flight'. */
size_t vl_site_in_flight(const struct vl_zero *zero);

/* Copy this rank's shard out of a whole array (count). */
void vl_site_cut(float *shard, const struct vl_zero *zero, const float *whole);

/* Open a site and do the work. VL_SITE_CALL defines a call whose body is the work: it has 'site',
 * and 'z', the site's struct vl_zero. */
typedef enum vl_status vl_site_work(struct vl_site *site, struct vl_zero *z);
enum vl_status vl_site_run(vl_site_work *work, struct vl_bag *outputs, const struct vl_bag *inputs);

#define VL_SITE_CALL(name)                                                                         \
    static vl_site_work name##_work;                                                               \
    VL_CALL(name)                                                                                  \
    {                                                                                              \
        return vl_site_run(name##_work, outputs, inputs);                                          \
    }                                                                                              \
    static enum vl_status name##_work(struct vl_site *site, struct vl_zero *z)

/* Calls that the table in calls.c names. */
vl_call_function vl_call_zero_norm, vl_call_zero_update, vl_call_zero_step, vl_call_weights_ahead,
    vl_call_zero_gradients, vl_call_zero_ready, vl_call_zero_poll, vl_call_zero_finish,
    vl_call_zero_borrow, vl_call_zero_give_back, vl_call_zero_prefetch;

#endif
