#include "grade/labs/04_zero/runner/zero_site.h"

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

size_t vl_site_shard(const struct vl_zero *zero)
{
    size_t shard = 0;
    for (size_t unit = 0, first, count; unit < zero->unit_count; unit++) {
        vl_site_chunk(&first, &count, zero, unit);
        shard += count;
    }
    return shard;
}

size_t vl_site_largest(const struct vl_zero *zero)
{
    size_t largest = 0;
    for (size_t unit = 0; unit < zero->unit_count; unit++)
        if (zero->units[unit + 1] - zero->units[unit] > largest)
            largest = zero->units[unit + 1] - zero->units[unit];
    return largest;
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
    *site = (struct vl_site){.zero = {.stage = (int)vl_bag_int(inputs, "stage"),
                                      .units = site->units,
                                      .unit_count = units->count - 1,
                                      .tensors = site->tensors,
                                      .tensor_count = tensors->count / 4,
                                      .flight = site->flight}};
    for (size_t i = 0; i <= z->unit_count; i++)
        site->units[i] = (size_t)((const int32_t *)units->data)[i];
    for (size_t i = 0; i < z->tensor_count; i++) {
        const int32_t *row = (const int32_t *)tensors->data + 4 * i;
        site->tensors[i] = (struct vl_tensor){"tensor", (size_t)row[0], (size_t)row[1],
                                              (size_t)row[2], (int)row[3]};
    }
    vl_site_join(z);
    site->count = site->units[z->unit_count];
    site->largest = vl_site_largest(z);
    site->shard = vl_site_shard(z);
}

/* An output that begins as the input of its name (zeros if there is none): whole, or this rank's
 * shard of it. */
static float *part(struct vl_bag *outputs, const struct vl_site *site, const char *name,
                   const struct vl_bag *inputs, int whole)
{
    const float *before = vl_bag_f32(inputs, name);
    float *array = vl_bag_add_f32(outputs, name, 1, whole ? site->count : site->shard);
    if (array != NULL && before != NULL && whole)
        memcpy(array, before, site->count * sizeof *array);
    else if (array != NULL && before != NULL)
        vl_site_cut(array, &site->zero, before);
    return array;
}

/* Buffers to lend, for two units if there are any; what they hold at first is not zero. */
static float *buffers(struct vl_bag *outputs, const struct vl_site *site, const char *name,
                      int needed)
{
    size_t n = needed ? 2 * site->largest : 0;
    float *array = vl_bag_add_f32(outputs, name, 1, n);
    for (size_t i = 0; array != NULL && i < n; i++)
        array[i] = 7.0f;
    return array;
}

int vl_site_open(struct vl_site *site, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_zero *z = &site->zero;
    vl_site_read(site, inputs);
    z->weights = part(outputs, site, "weights", inputs, z->stage < 3);
    z->gradients = part(outputs, site, "gradients", inputs, z->stage == 1);
    z->m = part(outputs, site, "m", inputs, 0);
    z->v = part(outputs, site, "v", inputs, 0);
    z->lent_weights = buffers(outputs, site, "lent_weights", z->stage == 3);
    z->lent_gradients = buffers(outputs, site, "lent_gradients", z->stage >= 2);
    return z->weights && z->gradients && z->m && z->v && z->lent_weights && z->lent_gradients;
}

enum vl_status vl_site_run(vl_site_work work, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_site site;
    return vl_site_open(&site, outputs, inputs) ? work(&site, &site.zero, outputs, inputs)
                                                : VL_EINTERNAL;
}
