#include "grade/judge/outputs.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/catalogue/case.h"
#include "grade/sandbox/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20)

struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, const char *scratch,
                               unsigned number, int rank)
{
    char *from = vl_text_format("%s/out%u.%d.st", sandbox->folder, number, rank);
    char *copy = vl_path_join(scratch, "taken.st");
    struct vl_bag *bag = NULL;
    /* The copy cannot change while it is read; the original could. */
    if (from != NULL && copy != NULL) {
        unlink(copy);
        if (vl_scratch_copy(copy, from, MOST_BYTES) == VL_OK && vl_bag_read(&bag, copy) != VL_OK)
            bag = NULL;
        unlink(copy);
        unlink(from);
    }
    free(from);
    free(copy);
    return bag;
}

/* The arrays of a rank, behind those of others; "damaged" counts on from those. */
static void add_rank(struct vl_bag *all, const struct vl_bag *part, int rank)
{
    int64_t before = (int64_t)vl_bag_count(all), arrays = (int64_t)vl_bag_count(part);
    for (size_t i = 0; i < vl_bag_count(part); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(part, i);
        void *copy =
            vl_bag_add(all, VL_RANKED(entry->name, rank), entry->dtype, entry->dims, entry->shape);
        if (copy != NULL && entry->count > 0)
            memcpy(copy, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
    }
    const struct vl_tensor_entry *damaged = vl_bag_find(all, VL_RANKED("damaged", rank));
    if (damaged != NULL && damaged->dtype == VL_I64 && damaged->count == 1) {
        int64_t *place = (int64_t *)damaged->data;
        *place = *place > 0 && *place <= arrays ? before + *place : 0;
    }
}

struct vl_bag *vl_outputs_of(const struct vl_case *c, const struct vl_sandbox *sandbox,
                             const char *scratch, unsigned number, int rank)
{
    if (!c->per_rank)
        return vl_outputs_take(sandbox, scratch, number, rank);
    struct vl_bag *all = vl_bag_create();
    for (int each = 0; all != NULL && each < c->ranks; each++) {
        struct vl_bag *part = vl_outputs_take(sandbox, scratch, number, each);
        if (part != NULL)
            add_rank(all, part, each);
        vl_bag_free(part);
    }
    return all;
}
