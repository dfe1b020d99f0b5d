#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"

#include "runner/call.h"

void vl_site_read(struct vl_site *site, const struct vl_bag *inputs)
{
    struct vl_zero *z = &site->zero;
    const struct vl_tensor_entry *units = vl_bag_find(inputs, "units");
    const struct vl_tensor_entry *tensors = vl_bag_find(inputs, "tensors");
    *site = (struct vl_site){.zero = {.unit_count = units->count - 1}};
    for (size_t i = 0; i <= z->unit_count; i++)
        site->units[i] = (size_t)((const int32_t *)units->data)[i];
    for (size_t i = 0; i < tensors->count / 4; i++) {
        const int32_t *row = (const int32_t *)tensors->data + 4 * i;
        site->tensors[i] = (struct vl_tensor){"tensor", (size_t)row[0], (size_t)row[1],
                                              (size_t)row[2], (int)row[3]};
    }
    site->count = site->units[z->unit_count];
    for (size_t unit = 0; unit < z->unit_count; unit++)
        if (site->units[unit + 1] - site->units[unit] > site->largest)
            site->largest = site->units[unit + 1] - site->units[unit];
    z->comm = vl_case_comm();
    MPI_Comm_rank(z->comm, &z->rank);
    MPI_Comm_size(z->comm, &z->ranks);
    z->stage = (int)vl_bag_int(inputs, "stage");
    z->units = site->units;
    z->tensors = site->tensors;
    z->tensor_count = tensors->count / 4;
    z->flight = site->flight;
}

/* Does this rank own element i? */
int vl_site_owns(const struct vl_site *site, size_t i)
{
    size_t unit = 0, ranks = (size_t)site->zero.ranks, rank = (size_t)site->zero.rank;
    while (i >= site->units[unit + 1])
        unit++;
    size_t n = site->units[unit + 1] - site->units[unit], short_chunk = n / ranks, over = n % ranks;
    size_t first = rank * short_chunk + (rank < over ? rank : over);
    size_t at = i - site->units[unit];
    return at >= first && at < first + short_chunk + (rank < over);
}

/* An output that begins as 'before' (count; NULL: zeros), whole or this rank's shard of it. */
static float *part(struct vl_bag *outputs, const struct vl_site *site, const char *name,
                   const float *before, int whole)
{
    float *array = vl_bag_add_f32(outputs, name, 1, whole ? site->count : site->shard);
    for (size_t i = 0, k = 0; array != NULL && i < site->count; i++)
        if (whole || vl_site_owns(site, i))
            array[k++] = before != NULL ? before[i] : 0;
    return array;
}

static float *rooms(struct vl_bag *outputs, const struct vl_site *site, const char *name,
                    int needed)
{
    size_t n = needed ? 2 * site->largest : 0;
    float *array = vl_bag_add_f32(outputs, name, 1, n);
    for (size_t i = 0; array != NULL && i < n; i++)
        array[i] = VL_SITE_ROOM;
    return array;
}

/* All of it. 0 if there was no memory. */
int vl_site_open(struct vl_site *site, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct vl_zero *z = &site->zero;
    vl_site_read(site, inputs);
    for (size_t i = 0; i < site->count; i++)
        site->shard += (size_t)vl_site_owns(site, i);
    z->weights = part(outputs, site, "weights", vl_bag_f32(inputs, "weights"), z->stage < 3);
    z->gradients = part(outputs, site, "gradients", vl_bag_f32(inputs, "gradients"), z->stage == 1);
    z->m = part(outputs, site, "m", vl_bag_f32(inputs, "m"), 0);
    z->v = part(outputs, site, "v", vl_bag_f32(inputs, "v"), 0);
    z->lent_weights = rooms(outputs, site, "lent_weights", z->stage == 3);
    z->lent_gradients = rooms(outputs, site, "lent_gradients", z->stage >= 2);
    return z->weights && z->gradients && z->m && z->v && z->lent_weights && z->lent_gradients;
}
