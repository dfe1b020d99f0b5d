#include "grade/judge/outputs.h"

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
    char *copy = vl_scratch_path(scratch, "taken.st");
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

/* 1 + where the array 'number' of 'part' stands in 'all'; 0 for no array. */
static int64_t index_in(const struct vl_bag *all, const struct vl_bag *part, int64_t number,
                        int rank)
{
    const struct vl_tensor_entry *entry =
        number > 0 ? vl_bag_entry(part, (size_t)number - 1) : NULL;
    for (size_t i = 0; entry != NULL && i < vl_bag_count(all); i++)
        if (strcmp(vl_bag_entry(all, i)->name, VL_RANKED(entry->name, rank)) == 0)
            return (int64_t)i + 1;
    return 0;
}

static void add_rank(struct vl_bag *all, const struct vl_bag *part, int rank)
{
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
        *place = index_in(all, part, *place, rank);
    }
}

struct vl_bag *vl_outputs_gather(const struct vl_sandbox *sandbox, const char *scratch,
                                 unsigned number, int ranks)
{
    struct vl_bag *all = vl_bag_create();
    for (int rank = 0; all != NULL && rank < ranks; rank++) {
        struct vl_bag *part = vl_outputs_take(sandbox, scratch, number, rank);
        if (part != NULL)
            add_rank(all, part, rank);
        vl_bag_free(part);
    }
    return all;
}
