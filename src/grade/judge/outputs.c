#include "grade/judge/outputs.h"

#include "base/text.h"
#include "grade/catalogue/part.h"
#include "wire/guards.h"
#include "wire/results.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, unsigned number, int rank)
{
    char *from = vl_text_format("%s/" VL_RESULTS_NAME, sandbox->folder, rank), *bytes = NULL;
    size_t count = 0;
    struct vl_bag *bag = NULL;
    if (from != NULL && vl_results_take(&bytes, &count, from, number) == VL_OK)
        vl_bag_parse(&bag, bytes, count);
    free(bytes);
    free(from);
    return bag;
}

/* 1 + the place of an array of that name, 0 for none. */
static int64_t place_of(const struct vl_bag *bag, const char *name)
{
    for (size_t i = 0; name != NULL && i < vl_bag_count(bag); i++)
        if (strcmp(vl_bag_entry(bag, i)->name, name) == 0)
            return (int64_t)i + 1;
    return 0;
}

/* 1 + the place of an input that is not what it was when the rank got it, or whose guards are not;
 * 0: none. -1 if an input or the guards are not there. */
static int64_t find_changed(const struct vl_bag *given, const struct vl_bag *now,
                            unsigned char guard)
{
    const char *changed = vl_bag_difference(given, now);
    if (changed != NULL)
        return vl_bag_find(now, changed) != NULL ? place_of(given, changed) : -1;
    int64_t damaged = vl_guards_damaged(now, guard);
    if (damaged <= 0)
        return damaged;
    int64_t place = place_of(given, vl_bag_entry(now, (size_t)damaged - 1)->name);
    return place > 0 ? place : -1;
}

/* Compare what a rank of the job left behind with what it was given, and say it in the outputs. What
 * the runner itself says about that is not believed. False if something is missing. */
static bool look_after(struct vl_bag *outputs, const struct vl_bag *given, const struct vl_bag *now,
                       unsigned char guard)
{
    int64_t damaged = vl_guards_damaged(outputs, guard), changed = find_changed(given, now, guard);
    return damaged >= 0 && changed >= 0 && vl_bag_set_int(outputs, "damaged", damaged) &&
           vl_bag_set_int(outputs, "inputs_changed", changed);
}

static struct vl_bag *take_looked_after(const struct vl_case *c, const struct vl_bag *inputs,
                                        const struct vl_sandbox *sandbox, unsigned number,
                                        int world_rank, bool ours)
{
    struct vl_bag *outputs = vl_outputs_take(sandbox, number, world_rank);
    if (ours)
        return outputs;
    struct vl_bag *now = vl_outputs_take(sandbox, VL_RESULTS_INPUTS + number, world_rank);
    struct vl_bag *given = vl_part_of(c, inputs, world_rank);
    if (outputs == NULL || now == NULL || given == NULL ||
        !look_after(outputs, given, now, vl_guard_of(world_rank))) {
        vl_bag_free(outputs);
        outputs = NULL;
    }
    vl_bag_free(now);
    vl_bag_free(given);
    return outputs;
}

/* Add the arrays of a rank after those of others; "damaged" becomes an index among all. */
static void add_rank(struct vl_bag *all, const struct vl_bag *part, int rank)
{
    int64_t before = (int64_t)vl_bag_count(all);
    for (size_t i = 0; i < vl_bag_count(part); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(part, i);
        void *copy =
            vl_bag_add(all, VL_RANKED(entry->name, rank), entry->dtype, entry->dims, entry->shape);
        if (copy != NULL && entry->count > 0)
            memcpy(copy, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
    }
    const struct vl_tensor_entry *damaged = vl_bag_find(all, VL_RANKED("damaged", rank));
    int64_t *place = damaged != NULL ? (int64_t *)damaged->data : NULL;
    if (place != NULL && *place > 0)
        *place += before;
}

static struct vl_bag *take_case(const struct vl_case *c, const struct vl_bag *inputs,
                                const struct vl_sandbox *sandbox, unsigned number, int rank,
                                bool ours)
{
    if (!c->per_rank)
        return take_looked_after(c, inputs, sandbox, number, vl_part_rank(c, inputs, rank), ours);
    struct vl_bag *all = vl_bag_create();
    for (int each = 0; all != NULL && each < c->ranks; each++) {
        struct vl_bag *part =
            take_looked_after(c, inputs, sandbox, number, vl_part_rank(c, inputs, each), ours);
        if (part != NULL)
            add_rank(all, part, each);
        vl_bag_free(part);
    }
    return all;
}

struct vl_bag *vl_outputs_of(const struct vl_case *c, const struct vl_bag *inputs,
                             const struct vl_sandbox *sandbox, unsigned number, int rank)
{
    return take_case(c, inputs, sandbox, number, rank, false);
}

struct vl_bag *vl_outputs_of_ours(const struct vl_case *c, const struct vl_bag *inputs,
                                  const struct vl_sandbox *sandbox, unsigned number, int rank)
{
    return take_case(c, inputs, sandbox, number, rank, true);
}
