/* The figures of bytes in the results of a case. */
#include "grade/cost/why_bytes.h"

#include "base/path.h"
#include "grade/judge/judgement.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* "forward_bytes@2", "from_other_nodes@2": what a rank sent or received while the case ran. */
static bool is_bytes(const char *name)
{
    char bare[VL_RANKED_NAME];
    return vl_split_name(bare, name) >= 0 &&
           (vl_path_ends_in(bare, "_bytes") || strcmp(bare, "from_other_nodes") == 0);
}

/* What goes with bytes, and follows them: messages, and to how many ranks. */
static bool is_count(const char *name)
{
    char bare[VL_RANKED_NAME];
    vl_split_name(bare, name);
    return vl_path_ends_in(bare, "_messages") || strcmp(bare, "sent_to") == 0;
}

static bool is_right(const struct vl_case *c, const struct vl_tensor_entry *truth,
                     const struct vl_bag *outputs)
{
    return vl_compare(vl_bag_find(outputs, truth->name), truth, truth, c->floor).error <= c->bound;
}

static bool is_first_of_its_name(const struct vl_bag *expected, size_t at)
{
    char bare[VL_RANKED_NAME], other[VL_RANKED_NAME];
    vl_split_name(bare, vl_bag_entry(expected, at)->name);
    for (size_t i = 0; i < at; i++) {
        vl_split_name(other, vl_bag_entry(expected, i)->name);
        if (strcmp(bare, other) == 0)
            return false;
    }
    return true;
}

/* Sum up what all ranks have under the name of array 'at'. False if all of them are right. */
static bool add_up(struct vl_bytes_figure *figure, const struct vl_case *c,
                   const struct vl_bag *expected, const struct vl_bag *outputs, size_t at)
{
    char bare[VL_RANKED_NAME], other[VL_RANKED_NAME];
    bool right = true;
    vl_split_name(bare, vl_bag_entry(expected, at)->name);
    figure->got = figure->right = 0;
    for (size_t i = at; i < vl_bag_count(expected); i++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, i);
        vl_split_name(other, truth->name);
        if (strcmp(bare, other) != 0 || truth->count != 1)
            continue;
        figure->right += vl_entry_value(truth, 0);
        figure->got += vl_entry_value(vl_bag_find(outputs, truth->name), 0);
        right &= is_right(c, truth, outputs);
    }
    return !right;
}

static void take_arrays(struct vl_bytes_figure *figure, const struct vl_bag *inputs)
{
    for (size_t i = 0; i < vl_bag_count(inputs) && figure->array_count < VL_BYTES_ARRAYS; i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->dtype != VL_F32 || entry->count < 2)
            continue;
        size_t at = figure->array_count++;
        snprintf(figure->arrays[at].name, sizeof figure->arrays[at].name, "%s", entry->name);
        figure->arrays[at].bytes = (double)(entry->count * sizeof(float));
    }
}

/* Figures of memory are bytes, too. */
static bool is_of_traffic(const struct vl_case *c)
{
    const struct vl_lab *lab = vl_case_lab(c);
    for (size_t i = 0; lab != NULL && i < lab->function_count; i++)
        if (strcmp(lab->functions[i].name, c->function) == 0)
            return lab->functions[i].group == VL_GROUP_COMMUNICATION;
    return false;
}

size_t vl_bytes_figures(struct vl_bytes_figure *figures, size_t most, const struct vl_case *c,
                        const struct vl_bag *inputs, const struct vl_bag *expected,
                        const struct vl_bag *outputs)
{
    size_t count = 0;
    if (!c->per_rank || c->ranks < 2 || !is_of_traffic(c))
        return 0;
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        if (!vl_judgement_is_compared(truth))
            continue;
        if (!is_bytes(truth->name) && !is_count(truth->name) && !is_right(c, truth, outputs))
            return 0;
        if (!is_bytes(truth->name) || !is_first_of_its_name(expected, a) || count == most)
            continue;
        struct vl_bytes_figure *figure = &figures[count];
        *figure = (struct vl_bytes_figure){0};
        if (!add_up(figure, c, expected, outputs, a))
            continue;
        vl_facts_of_inputs(&figure->facts, c, inputs);
        figure->facts.ranks = c->ranks;
        take_arrays(figure, inputs);
        count++;
    }
    return count;
}
