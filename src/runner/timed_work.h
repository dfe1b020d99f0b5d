/*
 * Memory for timed calls, touched so that no page fault happens while the clock runs. What most
 * timed calls share is here too: begin with zeroed work, keep arrays, give results, free it all.
 */
#ifndef VIALATA_RUNNER_TIMED_WORK_H
#define VIALATA_RUNNER_TIMED_WORK_H

#include "vialata/status.h"
#include "wire/bag.h"
#include <stddef.h>
#include <stdint.h>

/* n numbers, uniform between -scale and scale. Cheap: filling must not take longer than a turn. */
void vl_timed_fill(float *array, size_t n, float scale, uint64_t seed, uint64_t stream);

/* The same in new memory; scale 0: zeros. The caller frees; NULL without memory. */
float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream);

/* A result of a turn: n numbers of an array, given under a name. */
struct vl_timed_result {
    const char *name;
    const float *numbers;
    size_t n;
};

/* The work of a timed call may begin with this. */
enum { VL_TIMED_MOST_ARRAYS = 40, VL_TIMED_MOST_RESULTS = 6 };
struct vl_timed_work {
    uint64_t seed, stream;              /* the stream starts with the rank, one more per array */
    void *arrays[VL_TIMED_MOST_ARRAYS]; /* freed with the work */
    size_t array_count;
    struct vl_timed_result results[VL_TIMED_MOST_RESULTS];
    size_t result_count;
    enum vl_status status; /* of its preparation: VL_ENOMEM if an allocation failed */
};

/* For prepare: zeroed work of 'size' bytes. For release: free it and its arrays. */
void *vl_timed_begin(void **work, size_t size, uint64_t seed);
void vl_timed_release(void *work);

/* Keep an allocated array; return it. NULL is remembered as a failure. */
void *vl_timed_keep(struct vl_timed_work *work, void *array);
float *vl_timed_keep_floats(struct vl_timed_work *work, size_t n, float scale);

/* For prepare: declare n numbers of a kept array a result. All that a turn writes is one, since nobody
 * who hurries computes what is not looked at. For finish: give all results, which are not copied: they
 * stay the work's. */
void vl_timed_result(struct vl_timed_work *work, const char *name, const float *numbers, size_t n);
enum vl_status vl_timed_give(struct vl_bag *outputs, void *work);

/* The work of a call that needs little but arrays of floats: inputs, then outputs. */
enum { VL_TIMED_ARRAYS = 6 };
struct vl_timed_arrays {
    struct vl_timed_work kept;
    float *array[VL_TIMED_ARRAYS]; /* in the order in which they were asked for */
    int32_t *indices;              /* where a call has some */
};

/* Its arrays, each {how many numbers, scale of random ones or 0, its name as a result or NULL}. */
struct vl_timed_array {
    size_t n;
    float scale;
    const char *result;
};
#define vl_timed_keep_arrays(work, ...)                                                            \
    vl_timed_keep_arrays_of(work, (const struct vl_timed_array[]){__VA_ARGS__},                    \
                            sizeof((const struct vl_timed_array[]){__VA_ARGS__}) /                 \
                                sizeof(struct vl_timed_array))
void vl_timed_keep_arrays_of(struct vl_timed_arrays *work, const struct vl_timed_array *arrays,
                             size_t count);

/* Defines prepare_<name>: its body fills 'w', new and zeroed, whose first member is a struct
 * vl_timed_work. */
#define VL_TIMED_PREPARE(name, type)                                                               \
    static void fill_##name(type *w);                                                              \
    static enum vl_status prepare_##name(void **work, uint64_t seed)                               \
    {                                                                                              \
        struct vl_timed_work *begun = vl_timed_begin(work, sizeof(type), seed);                    \
        if (begun == NULL)                                                                         \
            return VL_ENOMEM;                                                                      \
        fill_##name(*work);                                                                        \
        return begun->status;                                                                      \
    }                                                                                              \
    static void fill_##name(type *w)

/* A row of the lab's table: prepare_<name>, turn_<name>, and what was named a result. */
#define VL_TIMED(function, name)                                                                   \
    {                                                                                              \
        function, prepare_##name, turn_##name, vl_timed_give, vl_timed_release                     \
    }

#endif
