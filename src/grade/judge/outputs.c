#include "grade/judge/outputs.h"

#include "base/path.h"
#include "grade/catalogue/case.h"
#include "grade/sandbox/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20)

struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, const char *scratch,
                               unsigned number, int rank)
{
    char name[64];
    snprintf(name, sizeof name, "out%u.%d.st", number, rank);
    char *from = vl_path_join(sandbox->folder, name);
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

/* 1 + where the array 'number' of 'part' stands in 'all'; 0 for no array. */
static int64_t index_in(const struct vl_bag *all, const struct vl_bag *part, int64_t number,
                        int rank)
{
    char name[VL_RANKED_NAME];
    const struct vl_tensor_entry *entry =
        number > 0 ? vl_bag_entry(part, (size_t)number - 1) : NULL;
    for (size_t i = 0; entry != NULL && i < vl_bag_count(all); i++)
        if (strcmp(vl_bag_entry(all, i)->name, vl_ranked(name, entry->name, rank)) == 0)
            return (int64_t)i + 1;
    return 0;
}

static void add_rank(struct vl_bag *all, const struct vl_bag *part, int rank)
{
    char name[VL_RANKED_NAME];
    for (size_t i = 0; i < vl_bag_count(part); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(part, i);
        void *copy = vl_bag_add(all, vl_ranked(name, entry->name, rank), entry->dtype, entry->dims,
                                entry->shape);
        if (copy != NULL && entry->count > 0)
            memcpy(copy, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
    }
    int64_t *damaged = NULL;
    const struct vl_tensor_entry *told = vl_bag_find(all, vl_ranked(name, "damaged", rank));
    if (told != NULL && told->dtype == VL_I64 && told->count == 1)
        damaged = (int64_t *)told->data;
    if (damaged != NULL)
        *damaged = index_in(all, part, *damaged, rank);
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
