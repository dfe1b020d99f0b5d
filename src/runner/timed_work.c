#include "runner/timed_work.h"

#include "base/random.h"
#include "runner/call.h"

#include <stdlib.h>
#include <string.h>

/*
 * A submission that fills its inputs faster than we do gains time in which no clock runs for it. So
 * this is as fast as the processor allows, close to the speed of memory. All ways make the same bits:
 * nothing is rounded before the last product. The words are mixed by the finisher of MurmurHash3
 * (Appleby, public domain).
 */
#define FILL(name, processor, lanes)                                                               \
    processor static void name(float *array, size_t n, float scale, uint32_t first, uint32_t step) \
    {                                                                                              \
        typedef uint32_t words __attribute__((vector_size(4 * (lanes))));                          \
        typedef int32_t numbers __attribute__((vector_size(4 * (lanes))));                         \
        typedef float floats __attribute__((vector_size(4 * (lanes))));                            \
        words next;                                                                                \
        for (uint32_t i = 0; i < (lanes); i++)                                                     \
            next[i] = first + i * step;                                                            \
        for (size_t i = 0;; i += (lanes)) {                                                        \
            words h = (next ^ (next >> 16)) * 0x85ebca6bU;                                         \
            h = (h ^ (h >> 13)) * 0xc2b2ae35U;                                                     \
            numbers top = (numbers)((h ^ (h >> 16)) >> 8);                                         \
            floats made = scale * (__builtin_convertvector(top, floats) * 0x1p-23f - 1);           \
            if (n - i < (lanes)) {                                                                 \
                memcpy(array + i, &made, (n - i) * sizeof *array);                                 \
                return;                                                                            \
            }                                                                                      \
            memcpy(array + i, &made, sizeof made);                                                 \
            next += step * (lanes);                                                                \
        }                                                                                          \
    }

FILL(fill, , 4)
#ifdef __x86_64__
FILL(fill_avx2, __attribute__((target("avx2"))), 8)
FILL(fill_avx512, __attribute__((target("avx512f"))), 16)
#endif

void vl_timed_fill(float *array, size_t n, float scale, uint64_t seed, uint64_t stream)
{
    uint64_t key = vl_random_bits(seed, stream, 0);
    uint32_t first = (uint32_t)key, step = (uint32_t)(key >> 32) | 1;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        fill_avx512(array, n, scale, first, step);
    else if (__builtin_cpu_supports("avx2"))
        fill_avx2(array, n, scale, first, step);
    else
#endif
        fill(array, n, scale, first, step);
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
    for (size_t i = 0; i < done->result_count; i++)
        if (!vl_bag_lend(outputs, done->results[i].name, VL_F32, done->results[i].n,
                         (void *)done->results[i].numbers))
            return VL_ENOMEM;
    return VL_OK;
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
