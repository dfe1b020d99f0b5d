#include "grade/catalogue/part.h"

#include <string.h>

void vl_part_withhold(const struct vl_part *part, const char *name)
{
    vl_bag_poison(part->own, name);
}

void vl_part_give(const struct vl_part *part, const char *name, size_t first, size_t count)
{
    const struct vl_tensor_entry *from = vl_bag_find(part->inputs, name);
    const struct vl_tensor_entry *to = vl_bag_find(part->own, name);
    if (from == NULL || to == NULL || count == 0 || first + count > from->count)
        return;
    size_t each = vl_dtype_bytes(from->dtype);
    memcpy((char *)to->data + first * each, (const char *)from->data + first * each, count * each);
}

void vl_part_give_rows(const struct vl_part *part, const char *name, size_t first, size_t count)
{
    const struct vl_tensor_entry *entry = vl_bag_find(part->inputs, name);
    if (entry == NULL || entry->count == 0)
        return;
    size_t each = entry->count / entry->shape[0];
    vl_part_give(part, name, first * each, count * each);
}

void vl_part_share(const struct vl_part *part, const char *name)
{
    const struct vl_tensor_entry *entry = vl_bag_find(part->inputs, name);
    size_t each = entry != NULL ? entry->count / part->ranks : 0;
    vl_part_withhold(part, name);
    vl_part_give(part, name, part->rank * each, each);
}

int vl_part_rank(const struct vl_case *c, const struct vl_bag *inputs, int rank)
{
    return vl_bag_int(inputs, "reversed") != 0 ? c->ranks - 1 - rank : rank;
}

struct vl_bag *vl_part_of(const struct vl_case *c, const struct vl_bag *inputs, int world_rank)
{
    const struct vl_part part = {.inputs = inputs,
                                 .own = vl_bag_copy(inputs),
                                 .rank = (size_t)vl_part_rank(c, inputs, world_rank),
                                 .ranks = (size_t)c->ranks};
    if (part.own != NULL && c->part != NULL && c->ranks > 1)
        c->part(&part);
    return part.own;
}
