#include "runner/timed_work.h"

#include "base/random.h"
#include "runner/call.h"

#include <stdlib.h>
#include <string.h>

float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream)
{
    float *array = malloc((n + 1) * sizeof *array);
    for (size_t i = 0; array != NULL && i < n; i++) {
        uint64_t bits = vl_random_bits(seed, stream, i / 2) >> (i % 2 ? 40 : 8);
        array[i] = scale > 0 ? scale * ((float)(bits & 0xffffff) * 0x1p-23f - 1.0f) : 0;
    }
    return array;
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
    work->failed = 1;
    return NULL;
}

float *vl_timed_keep_floats(struct vl_timed_work *work, size_t n, float scale)
{
    return vl_timed_keep(work, vl_timed_floats(n, scale, work->seed, work->stream++));
}

enum vl_status vl_timed_give(struct vl_bag *outputs, const char *name, const float *array, size_t n)
{
    float *copy = vl_bag_add_f32(outputs, name, 1, n);
    if (copy != NULL && n > 0)
        memcpy(copy, array, n * sizeof *copy);
    return copy != NULL ? VL_OK : VL_ENOMEM;
}
