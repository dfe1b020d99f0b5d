#include "grade/judge/outputs.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/catalogue/part.h"
#include "grade/sandbox/scratch.h"
#include "wire/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPY "taken.st"

/* The bytes as a bag, by way of a file that only we write. */
static struct vl_bag *bag_of(const char *bytes, size_t count, const char *scratch)
{
    char *copy = vl_path_join(scratch, COPY);
    struct vl_bag *bag = NULL;
    FILE *file = copy != NULL ? vl_scratch_begin(scratch, COPY) : NULL;
    if (file != NULL)
        fwrite(bytes, 1, count, file);
    if (vl_scratch_end(file) == VL_OK && vl_bag_read(&bag, copy) != VL_OK)
        bag = NULL;
    if (copy != NULL)
        unlink(copy);
    free(copy);
    return bag;
}

struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, const char *scratch,
                               unsigned number, int rank)
{
    char *from = vl_text_format("%s/" VL_RESULTS_NAME, sandbox->folder, rank), *bytes = NULL;
    size_t count = 0;
    struct vl_bag *bag = NULL;
    if (from != NULL && vl_results_take(&bytes, &count, from, number) == VL_OK)
        bag = bag_of(bytes, count, scratch);
    free(bytes);
    free(from);
    return bag;
}

/* Add the arrays of a rank after those of others; "damaged" becomes an index among all. */
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

struct vl_bag *vl_outputs_of(const struct vl_case *c, const struct vl_bag *inputs,
                             const struct vl_sandbox *sandbox, const char *scratch, unsigned number,
                             int rank)
{
    if (!c->per_rank)
        return vl_outputs_take(sandbox, scratch, number, vl_part_rank(c, inputs, rank));
    struct vl_bag *all = vl_bag_create();
    for (int each = 0; all != NULL && each < c->ranks; each++) {
        struct vl_bag *part =
            vl_outputs_take(sandbox, scratch, number, vl_part_rank(c, inputs, each));
        if (part != NULL)
            add_rank(all, part, each);
        vl_bag_free(part);
    }
    return all;
}
