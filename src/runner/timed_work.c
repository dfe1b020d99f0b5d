#include "runner/timed_work.h"

#include "base/random.h"
#include "runner/call.h"

#include <stdlib.h>
#include <string.h>

void vl_timed_fill(float *array, size_t n, float scale, uint64_t seed, uint64_t stream)
{
    for (size_t i = 0; i < n; i++) { /* two from 64 bits */
        uint64_t bits = vl_random_bits(seed, stream, i / 2) >> (i % 2 ? 40 : 8);
        array[i] = scale * ((float)(bits & 0xffffff) * 0x1p-23f - 1.0f);
    }
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

enum vl_status vl_timed_arrays_prepare(void **work, uint64_t seed,
                                       const struct vl_timed_array *arrays, size_t count)
{
    struct vl_timed_arrays *made = calloc(1, sizeof *made);
    *work = made;
    if (!made || count > VL_TIMED_ARRAYS)
        return VL_ENOMEM;
    made->bag = vl_bag_create();
    for (size_t i = 0; i < count; i++) {
        const struct vl_timed_array *a = &arrays[i];
        made->array[i] = vl_bag_add_f32(made->bag, a->name, a->rows, a->cols);
        if (!made->array[i])
            return VL_ENOMEM;
        if (a->scale > 0)
            vl_timed_fill(made->array[i], a->rows * a->cols, a->scale, seed, i);
        else
            vl_bag_poison(made->bag, a->name);
    }
    return VL_OK;
}

enum vl_status vl_timed_arrays_give(struct vl_bag *outputs, const void *work, const char *name)
{
    const struct vl_timed_arrays *arrays = work;
    const struct vl_tensor_entry *entry = vl_bag_find(arrays->bag, name);
    void *copy = vl_bag_add(outputs, name, entry->dtype, entry->dims, entry->shape);
    if (!copy)
        return VL_ENOMEM;
    memcpy(copy, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
    return VL_OK;
}

void vl_timed_arrays_release(void *work)
{
    struct vl_timed_arrays *arrays = work;
    if (arrays)
        vl_bag_free(arrays->bag);
    free(arrays);
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
