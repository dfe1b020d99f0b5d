#include "runner/timed_work.h"

#include "base/random.h"
#include "runner/call.h"

#include <stdlib.h>
#include <string.h>

/* The finisher of MurmurHash3 (Appleby, public domain): the compiler makes vectors of it. */
static uint32_t mix(uint32_t h)
{
    h = (h ^ (h >> 16)) * 0x85ebca6bU;
    h = (h ^ (h >> 13)) * 0xc2b2ae35U;
    return h ^ (h >> 16);
}

void vl_timed_fill(float *array, size_t n, float scale, uint64_t seed, uint64_t stream)
{
    uint64_t key = vl_random_bits(seed, stream, 0);
    uint32_t first = (uint32_t)key, step = (uint32_t)(key >> 32) | 1;
    for (size_t i = 0; i < n; i++)
        array[i] = scale * ((float)(mix(first + (uint32_t)i * step) >> 8) * 0x1p-23f - 1.0f);
}

float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream)
{
    float *array = malloc((n + 1) * sizeof *array);
    if (array != NULL && scale > 0)
        vl_timed_fill(array, n, scale, seed, stream);
    else if (array != NULL)
        memset(array, 0, n * sizeof *array);
    return array;
}

enum vl_status vl_timed_output(struct vl_bag *outputs, const char *name, const float *numbers,
                               size_t n)
{
    float *copy = vl_bag_add_f32(outputs, name, 1, n);
    if (copy != NULL && n > 0)
        memcpy(copy, numbers, n * sizeof *copy);
    return copy != NULL ? VL_OK : VL_ENOMEM;
}

void *vl_timed_begin(void **work, size_t size, uint64_t seed)
{
    int rank;
    struct vl_timed_work *begun = *work = calloc(1, size);
    if (begun == NULL)
        return NULL;
    MPI_Comm_rank(vl_case_comm(), &rank);
    begun->seed = seed;
    begun->stream = (uint64_t)rank;
    return begun;
}

void vl_timed_release(void *work)
{
    struct vl_timed_work *done = work;
    for (size_t i = 0; done != NULL && i < done->array_count; i++)
        free(done->arrays[i]);
    free(done);
}

void *vl_timed_keep(struct vl_timed_work *work, void *array)
{
    if (array != NULL && work->array_count < VL_TIMED_MOST_ARRAYS)
        return work->arrays[work->array_count++] = array;
    free(array);
    work->status = VL_ENOMEM;
    return NULL;
}

float *vl_timed_keep_floats(struct vl_timed_work *work, size_t n, float scale)
{
    return vl_timed_keep(work, vl_timed_floats(n, scale, work->seed, work->stream++));
}

void vl_timed_result(struct vl_timed_work *work, const char *name, const float *numbers, size_t n)
{
    if (work->result_count == VL_TIMED_MOST_RESULTS)
        work->status = VL_EINTERNAL;
    else
        work->results[work->result_count++] = (struct vl_timed_result){name, numbers, n};
}

enum vl_status vl_timed_give(struct vl_bag *outputs, void *work)
{
    const struct vl_timed_work *done = work;
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < done->result_count; i++)
        status = vl_timed_output(outputs, done->results[i].name, done->results[i].numbers,
                                 done->results[i].n);
    return status;
}

void vl_timed_keep_arrays_of(struct vl_timed_arrays *work, const struct vl_timed_array *arrays,
                             size_t count)
{
    if (count > VL_TIMED_ARRAYS)
        work->kept.status = VL_EINTERNAL;
    for (size_t i = 0; i < count && work->kept.status == VL_OK; i++) {
        work->array[i] = vl_timed_keep_floats(&work->kept, arrays[i].n, arrays[i].scale);
        if (arrays[i].result != NULL)
            vl_timed_result(&work->kept, arrays[i].result, work->array[i], arrays[i].n);
    }
}
