#include "grade/diagnose/facts.h"

#include "grade/judge/judgement.h"

#include <stdio.h>
#include <string.h>

/* Numbers of the inputs that no student's code is written for: what the runner is told, what makes a
 * case one of errors, and values that are only drawn. */
static bool is_hidden(const char *name)
{
    static const char *const hidden[] = {
        "ranks", "bad",   "tag",       "null",   "fails_at",
        "bits",  "alone", "no_memory", "preset", "backward_fails_at",
        "same",  "late",  "none"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (strcmp(name, hidden[i]) == 0)
            return true;
    return false;
}

void vl_facts_of_inputs(struct vl_facts *facts, const struct vl_case *c,
                        const struct vl_bag *inputs)
{
    *facts = (struct vl_facts){.ranks = c->ranks};
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->dtype != VL_I64 || entry->count != 1)
            continue;
        int64_t value = vl_bag_int(inputs, entry->name);
        if (strcmp(entry->name, "ranks") == 0)
            facts->ranks = (int)value;
        if (is_hidden(entry->name) || facts->number_count == VL_FACT_NUMBERS)
            continue;
        struct vl_fact_number *number = &facts->numbers[facts->number_count++];
        snprintf(number->name, sizeof number->name, "%s", entry->name);
        number->value = value;
    }
}

/* The array of this name, new if it has none yet; NULL if there are too many. */
static struct vl_fact_array *array_of(struct vl_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->array_count; i++)
        if (strcmp(facts->arrays[i].name, name) == 0)
            return &facts->arrays[i];
    if (facts->array_count == VL_FACT_ARRAYS)
        return NULL;
    struct vl_fact_array *array = &facts->arrays[facts->array_count++];
    snprintf(array->name, sizeof array->name, "%s", name);
    return array;
}

void vl_facts_of_outputs(struct vl_facts *facts, const struct vl_case *c,
                         const struct vl_bag *expected, const struct vl_bag *outputs)
{
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(outputs, truth->name);
        char name[VL_RANKED_NAME];
        int rank = vl_split_name(name, truth->name);
        if (!vl_judgement_is_compared(truth) || truth->count == 0)
            continue;
        struct vl_fact_array *array = array_of(facts, name);
        if (array == NULL)
            continue;
        bool right = vl_compare(got, truth, truth, c->floor).error <= c->bound;
        *(right ? &array->right : &array->wrong) |= (uint32_t)1 << (rank < 0 ? 0 : rank);
    }
}

bool vl_facts_number(const struct vl_facts *facts, const char *name, int64_t *value)
{
    for (size_t i = 0; i < facts->number_count; i++)
        if (strcmp(facts->numbers[i].name, name) == 0) {
            *value = facts->numbers[i].value;
            return true;
        }
    return false;
}
