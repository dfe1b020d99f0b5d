#include "grade/labs/04_zero/runner/zero_site.h"

#include "runner/arrays.h"

#include <string.h>

void vl_site_join(struct vl_zero *zero)
{
    zero->comm = vl_case_comm();
    MPI_Comm_rank(zero->comm, &zero->rank);
    MPI_Comm_size(zero->comm, &zero->ranks);
}

void vl_site_chunk(size_t *first, size_t *count, const struct vl_zero *zero, size_t unit)
{
    size_t ranks = (size_t)zero->ranks, rank = (size_t)zero->rank;
    size_t n = zero->units[unit + 1] - zero->units[unit], over = n % ranks;
    *first = zero->units[unit] + rank * (n / ranks) + (rank < over ? rank : over);
    *count = n / ranks + (rank < over);
}

struct vl_zero_plan vl_site_plan(const struct vl_zero *zero)
{
    size_t whole = zero->units[zero->unit_count], shard = 0, largest = 0;
    for (size_t unit = 0, first, count; unit < zero->unit_count; unit++) {
        size_t n = zero->units[unit + 1] - zero->units[unit];
        largest = n > largest ? n : largest;
        vl_site_chunk(&first, &count, zero, unit);
        shard += count;
    }
    return (struct vl_zero_plan){.weights = zero->stage < 3 ? whole : shard,
                                 .gradients = zero->stage < 2 ? whole : shard,
                                 .moments = shard,
                                 .lent_weights = zero->stage < 3 ? 0 : 2 * largest,
                                 .lent_gradients = zero->stage < 2 ? 0 : 2 * largest};
}

size_t vl_site_unit_size(const struct vl_site *site, size_t unit)
{
    return site->units[unit + 1] - site->units[unit];
}

bool vl_site_fits(const float *pointer, size_t n, const float *array, size_t size)
{
    return pointer != NULL && pointer >= array && pointer <= array + (size - n);
}

enum { ROUNDS = 80 };

enum vl_status vl_site_poll_in_rounds(struct vl_zero *zero, MPI_Comm words)
{
    enum vl_status status = VL_OK;
    for (int round = 0; status == VL_OK && round < ROUNDS; round++) {
        status = vl_zero_poll(zero);
        MPI_Barrier(words);
    }
    return status;
}

size_t vl_site_in_flight(const struct vl_zero *zero)
{
    size_t count = 0;
    for (size_t unit = 0; unit < zero->unit_count; unit++)
        count += zero->flight[unit] != NULL;
    return count;
}

void vl_site_cut(float *shard, const struct vl_zero *zero, const float *whole)
{
    for (size_t unit = 0, first, count; unit < zero->unit_count; unit++, shard += count) {
        vl_site_chunk(&first, &count, zero, unit);
        if (count > 0)
            memcpy(shard, whole + first, count * sizeof *shard);
    }
}

void vl_site_read(struct vl_site *site, const struct vl_bag *inputs)
{
    struct vl_zero *z = &site->zero;
    const struct vl_tensor_entry *units = vl_bag_find(inputs, "units");
    const struct vl_tensor_entry *tensors = vl_bag_find(inputs, "tensors");
    *site = (struct vl_site){.inputs = inputs,
                             .zero = {.stage = (int)vl_bag_int(inputs, "stage"),
                                      .units = site->units,
                                      .unit_count = units->count - 1,
                                      .tensors = site->tensors,
                                      .tensor_count = tensors->count / 4}};
    for (size_t i = 0; i <= z->unit_count; i++)
        site->units[i] = (size_t)((const int32_t *)units->data)[i];
    for (size_t i = 0; i < z->tensor_count; i++) {
        const int32_t *row = (const int32_t *)tensors->data + 4 * i;
        site->tensors[i] = (struct vl_tensor){"tensor", (size_t)row[0], (size_t)row[1],
                                              (size_t)row[2], (int)row[3]};
    }
    vl_site_join(z);
    site->count = site->units[z->unit_count];
    site->plan = vl_site_plan(z);
}

/* An output (n) that starts as the input of its name (zeros if there is none): as all of it if n is
 * as large, else as this rank's shard of it. */
static float *part(const struct vl_site *site, const char *name, size_t n)
{
    const float *before = vl_bag_f32(site->inputs, name);
    float *array = vl_bag_add_f32(site->outputs, name, 1, n);
    if (array != NULL && before != NULL && n == site->count)
        memcpy(array, before, n * sizeof *array);
    else if (array != NULL && before != NULL)
        vl_site_cut(array, &site->zero, before);
    return array;
}

/* Buffers to lend, which are not zero at first. */
static float *buffers(const struct vl_site *site, const char *name, size_t n)
{
    float *array = vl_bag_add_f32(site->outputs, name, 1, n);
    for (size_t i = 0; array != NULL && i < n; i++)
        array[i] = 7.0f;
    return array;
}

enum vl_status vl_site_run(vl_site_work *work, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_site site;
    struct vl_zero *z = &site.zero;
    vl_site_read(&site, inputs);
    site.outputs = outputs;
    z->weights = part(&site, "weights", site.plan.weights);
    z->gradients = part(&site, "gradients", site.plan.gradients);
    z->m = part(&site, "m", site.plan.moments);
    z->v = part(&site, "v", site.plan.moments);
    z->lent_weights = buffers(&site, "lent_weights", site.plan.lent_weights);
    z->lent_gradients = buffers(&site, "lent_gradients", site.plan.lent_gradients);
    z->flight = vl_lent_flight(outputs, z->unit_count);
    if (!z->weights || !z->gradients || !z->m || !z->v || !z->lent_weights || !z->lent_gradients ||
        !z->flight)
        return VL_EINTERNAL;
    return work(&site, z);
}
