#include "runner/arrays.h"

#include "base/text.h"
#include "comm/meter.h"
#include "runner/call.h"
#include "wire/results.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

size_t vl_input_size(const struct vl_bag *inputs, const char *name)
{
    return (size_t)vl_bag_int(inputs, name);
}

float *vl_own_row(struct vl_bag *outputs, const struct vl_bag *inputs, const char *output,
                  const char *input, size_t n)
{
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    const struct vl_tensor_entry *rows = vl_bag_find(inputs, input);
    float *row = vl_bag_add_f32(outputs, output, 1, n);
    if (!row || !rows || rows->dtype != VL_F32 || rows->count < ((size_t)rank + 1) * n)
        return NULL;
    if (n > 0)
        memcpy(row, (const float *)rows->data + (size_t)rank * n, n * sizeof *row);
    return row;
}

/* Copy the input of that name into the array, if it has this size. Was it copied? */
static int starts_as_input(float *array, const struct vl_bag *inputs, const char *name,
                           size_t count)
{
    const struct vl_tensor_entry *preset = vl_bag_find(inputs, name);
    if (!array || !preset || preset->dtype != VL_F32 || preset->count != count)
        return 0;
    if (count > 0)
        memcpy(array, preset->data, count * sizeof *array);
    return 1;
}

float *vl_overwritten_output(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                             size_t rows, size_t cols)
{
    float *array = vl_bag_add_f32(outputs, name, rows, cols);
    if (array && !starts_as_input(array, inputs, name, rows * cols))
        vl_bag_poison(outputs, name);
    return array;
}

float *vl_added_output(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                       size_t rows, size_t cols)
{
    float *array = vl_bag_add_f32(outputs, name, rows, cols);
    starts_as_input(array, inputs, name, rows * cols);
    return array;
}

float *vl_begun_floats(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                       size_t first, size_t n)
{
    const struct vl_tensor_entry *from = vl_bag_find(inputs, name);
    float *array = vl_bag_add_f32(outputs, name, 1, n);
    if (!array || !from || from->dtype != VL_F32 || from->count < first + n)
        return NULL;
    if (n > 0)
        memcpy(array, (const float *)from->data + first, n * sizeof *array);
    return array;
}

int64_t *vl_whole_output(struct vl_bag *outputs, const char *name, size_t count)
{
    int64_t *array = vl_bag_add(outputs, name, VL_I64, 1, &count);
    if (array)
        vl_bag_poison(outputs, name);
    return array;
}

float *vl_unwritten_floats(struct vl_bag *outputs, const char *name, size_t n)
{
    float *array = vl_bag_add_f32(outputs, name, 1, n);
    vl_bag_poison(outputs, name);
    return array;
}

double *vl_unwritten_doubles(struct vl_bag *outputs, const char *name, size_t n)
{
    double *array = vl_bag_add_f64(outputs, name, 1, n);
    vl_bag_poison(outputs, name);
    return array;
}

int64_t *vl_unwritten_numbers(struct vl_bag *outputs, const char *name, size_t rows, size_t cols)
{
    int64_t *array = vl_bag_add(outputs, name, VL_I64, 2, (size_t[]){rows, cols});
    vl_bag_poison(outputs, name);
    return array;
}

size_t *vl_unwritten_sizes(struct vl_bag *outputs, const char *name, size_t rows, size_t cols)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "sizes are kept as I64");
    return (size_t *)vl_unwritten_numbers(outputs, name, rows, cols);
}

double *vl_unwritten_real(struct vl_bag *outputs, const char *name)
{
    double *number = vl_bag_add_f64(outputs, name, 1, 1);
    vl_bag_poison(outputs, name);
    return number;
}

int64_t *vl_filled_numbers(struct vl_bag *outputs, const char *name, size_t rows, size_t cols,
                           int64_t before)
{
    int64_t *array = vl_bag_add(outputs, name, VL_I64, 2, (size_t[]){rows, cols});
    for (size_t i = 0; array && i < rows * cols; i++)
        array[i] = before;
    return array;
}

struct vl_transfer **vl_lent_flight(struct vl_bag *outputs, size_t n)
{
    _Static_assert(sizeof(struct vl_transfer *) == sizeof(int64_t), "pointers are kept as I64");
    return vl_bag_add(outputs, "flight", VL_I64, 1, &n);
}

enum vl_status vl_give_counts_of(struct vl_bag *outputs, enum vl_status status,
                                 const struct vl_named_count *counts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!vl_bag_set_int(outputs, counts[i].name, (int64_t)counts[i].value))
            return VL_EINTERNAL;
    return status;
}

enum vl_status vl_give_reals_of(struct vl_bag *outputs, enum vl_status status,
                                const struct vl_named_real *reals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!vl_bag_set_real(outputs, reals[i].name, reals[i].value))
            return VL_EINTERNAL;
    return status;
}

enum vl_status vl_must_refuse(struct vl_bag *outputs, enum vl_status status, const char *format,
                              ...)
{
    if (status == VL_EINVAL || vl_bag_find(outputs, VL_UNREFUSED) != NULL)
        return status;
    va_list values;
    va_start(values, format);
    char *argument = vl_text_vformat(format, values);
    va_end(values);
    const size_t length = argument != NULL ? strlen(argument) : 0;
    void *told = length > 0 ? vl_bag_add(outputs, VL_UNREFUSED, VL_U8, 1, &length) : NULL;
    if (told != NULL)
        memcpy(told, argument, length);
    free(argument);
    return status;
}

enum vl_status vl_first_unrefused_of(struct vl_bag *outputs, const struct vl_refusal *calls,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (vl_must_refuse(outputs, calls[i].status, "%s", calls[i].argument) != VL_EINVAL)
            return calls[i].status;
    return VL_EINVAL;
}

int64_t vl_same_everywhere(const float *numbers, size_t n)
{
    int same = 0, rank, ranks;
    MPI_Comm_rank(vl_case_comm(), &rank);
    MPI_Comm_size(vl_case_comm(), &ranks);
    vl_meter_collective(rank == 0 ? n * sizeof *numbers : 0, ranks);
    vl_meter_collective(sizeof same, ranks);
    float *first = malloc((n + 1) * sizeof *first);
    if (first != NULL && n > 0)
        memcpy(first, numbers, n * sizeof *first);
    if (first != NULL) {
        PMPI_Bcast(first, (int)n, MPI_FLOAT, 0, vl_case_comm());
        same = n == 0 || memcmp(first, numbers, n * sizeof *first) == 0;
    }
    PMPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, vl_case_comm());
    free(first);
    return same;
}

enum vl_status vl_answered(struct vl_bag *outputs, enum vl_status status, size_t i)
{
    if (status != VL_OK)
        vl_bag_set_int(outputs, VL_ANSWERED, (int64_t)i);
    return status;
}
