#include "grade/diagnose/facts.h"

#include "grade/judge/judgement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers of the inputs that no student's code is written for: what the runner is told, what makes a
 * case one of errors, and values that are only drawn. */
static bool is_hidden(const char *name)
{
    static const char *const hidden[] = {
        "ranks", "bad",    "tag",     "null",    "fails_at", "backward_fails_at", "bits", "alone",
        "same",  "preset", "none",    "late",    "memory",   "no_memory",         "home", "turns",
        "pool",  "course", "crowded", "disorder"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (strcmp(name, hidden[i]) == 0)
            return true;
    return false;
}

void vl_facts_of_inputs(struct vl_facts *facts, const struct vl_case *c,
                        const struct vl_bag *inputs)
{
    *facts = (struct vl_facts){.ranks = c->ranks, .smallest_wrong = INFINITY};
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

/* ---- results ---- */

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

/* Take a wrong array into account: is it the right one times the factor of those before it? */
static void add_factor(struct vl_facts *facts, bool is_first, const struct vl_tensor_entry *got,
                       const struct vl_tensor_entry *truth, double near)
{
    double product = 0, squares = 0, difference = 0;
    for (size_t i = 0; i < truth->count; i++) {
        double right = vl_entry_counts(truth, i) ? vl_entry_value(truth, i) : 0;
        product += right != 0 ? right * vl_entry_value(got, i) : 0;
        squares += right * right;
    }
    double factor = is_first ? product / squares : facts->factor;
    for (size_t i = 0; i < truth->count; i++)
        if (vl_entry_counts(truth, i))
            difference =
                hypot(difference, vl_entry_value(got, i) - factor * vl_entry_value(truth, i));
    bool holds =
        isfinite(factor) && factor != 0 && difference <= near * fabs(factor) * sqrt(squares);
    facts->factor = holds ? factor : 0;
}

/* Which figures are right, by their size. */
static void add_figures(struct vl_facts *facts, const struct vl_case *c,
                        const struct vl_tensor_entry *got, const struct vl_tensor_entry *truth)
{
    for (size_t i = 0; i < truth->count; i++) {
        double right = fabs(vl_entry_value(truth, i));
        double off = fabs(vl_entry_value(got, i) - vl_entry_value(truth, i));
        if (!vl_entry_counts(truth, i))
            continue;
        if (off <= c->bound * fmax(right, c->floor))
            facts->largest_right = fmax(facts->largest_right, right);
        else
            facts->smallest_wrong = fmin(facts->smallest_wrong, right);
    }
}

void vl_facts_of_outputs(struct vl_facts *facts, const struct vl_case *c,
                         const struct vl_bag *expected, const struct vl_bag *outputs)
{
    bool is_first = true;
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        const struct vl_tensor_entry *got =
            outputs != NULL ? vl_bag_find(outputs, truth->name) : truth;
        char name[VL_RANKED_NAME];
        int rank = vl_split_name(name, truth->name);
        if (!vl_judgement_is_compared(truth) || truth->count == 0)
            continue;
        struct vl_fact_array *array = array_of(facts, name);
        facts->has_more |= array == NULL;
        if (array == NULL)
            continue;
        bool right = vl_compare(got, truth, truth, c->floor).error <= c->bound;
        *(right ? &array->right : &array->wrong) |= (uint32_t)1 << (rank < 0 ? 0 : rank);
        array->is_figure = got->dtype != VL_F32;
        if (array->is_figure || outputs == NULL)
            add_figures(facts, c, got, truth);
        if (!right)
            add_factor(facts, is_first, got, truth, vl_sign_nearness(c));
        is_first &= right;
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
