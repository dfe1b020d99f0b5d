#include "grade/patterns/facts.h"

#include "grade/judge/judgement.h"
#include "grade/judge/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Take a whole number of the inputs into account. */
static void add_number(struct vl_facts *facts, const char *name, int64_t value)
{
    if (strcmp(name, "ranks") == 0)
        facts->ranks = value > 0 && value <= INT32_MAX ? (int)value : 0;
    if (vl_question_hides(name) || facts->number_count == VL_FACT_NUMBERS)
        return;
    struct vl_fact_number *number = &facts->numbers[facts->number_count++];
    snprintf(number->name, sizeof number->name, "%s", name);
    number->value = value;
}

static void add_size(struct vl_facts *facts, const char *name, double value)
{
    if (vl_question_hides(name) || facts->size_count == VL_FACT_SIZES)
        return;
    struct vl_fact_size *size = &facts->sizes[facts->size_count++];
    snprintf(size->name, sizeof size->name, "%s", name);
    size->value = value;
}

void vl_facts_of_inputs(struct vl_facts *facts, const struct vl_case *c,
                        const struct vl_bag *inputs)
{
    *facts = (struct vl_facts){.ranks = c->ranks, .smallest_wrong = INFINITY};
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->dtype == VL_I64 && entry->count == 1)
            add_number(facts, entry->name, vl_bag_int(inputs, entry->name));
        else if (entry->dtype == VL_F64 && entry->count == 1)
            add_size(facts, entry->name, vl_entry_value(entry, 0));
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

/* Is element i wrong by itself? */
static bool is_off(const struct vl_case *c, const struct vl_tensor_entry *got,
                   const struct vl_tensor_entry *truth, size_t i)
{
    double right = vl_entry_value(truth, i), off = fabs(vl_entry_value(got, i) - right);
    return vl_entry_counts(truth, i) && !(off <= c->bound * fmax(fabs(right), c->floor));
}

/* Is it so near that it was only rounded, as in a float? Then it says nothing about the size of its type: a number
 * that is too large for it is far off. */
static bool is_rounded(double right, double got)
{
    return fabs(got - right) <= 1e-6 * fabs(right);
}

/* Which figures are right, by their size. */
static void add_figures(struct vl_facts *facts, const struct vl_case *c,
                        const struct vl_tensor_entry *got, const struct vl_tensor_entry *truth)
{
    for (size_t i = 0; i < truth->count; i++) {
        double right = vl_entry_value(truth, i);
        bool off = is_off(c, got, truth, i);
        if (off && !is_rounded(right, vl_entry_value(got, i)))
            facts->smallest_wrong = fmin(facts->smallest_wrong, fabs(right));
        else if (!off && vl_entry_counts(truth, i))
            facts->largest_right = fmax(facts->largest_right, fabs(right));
    }
}

/* How many elements are wrong by themselves, and which is the first. */
static void add_places(struct vl_fact_array *array, const struct vl_case *c,
                       const struct vl_tensor_entry *got, const struct vl_tensor_entry *truth)
{
    array->columns = vl_entry_columns(truth);
    array->wrong_elements = 0;
    for (size_t i = 0; i < truth->count; i++)
        if (is_off(c, got, truth, i) && array->wrong_elements++ == 0)
            array->first_wrong = i;
}

/* Add up what an array is on all ranks. */
static void add_sums(struct vl_fact_array *array, const struct vl_tensor_entry *got,
                     const struct vl_tensor_entry *truth)
{
    array->parts++;
    array->elements += truth->count;
    for (size_t i = 0; i < truth->count; i++)
        if (vl_entry_counts(truth, i)) {
            array->sum += vl_entry_value(got, i);
            array->right_sum += vl_entry_value(truth, i);
            array->squares += vl_entry_value(got, i) * vl_entry_value(got, i);
            array->right_squares += vl_entry_value(truth, i) * vl_entry_value(truth, i);
        }
}

/* The first array that is wrong somewhere, if it is one figure on each rank. */
static void take_figure(struct vl_facts *facts)
{
    size_t a = 0;
    while (a < facts->array_count && facts->arrays[a].wrong == 0)
        a++;
    const struct vl_fact_array *array = &facts->arrays[a];
    if (a == facts->array_count || !array->is_figure || array->elements != array->parts)
        return;
    snprintf(facts->wrong_figure, sizeof facts->wrong_figure, "%s", array->name);
    facts->figure = array->sum;
    facts->right_figure = array->right_sum;
}

/* Take a result into account, or an element of one. */
static void add_result(struct vl_facts *facts, const struct vl_case *c, bool *is_first,
                       const struct vl_tensor_entry *got, const struct vl_tensor_entry *truth)
{
    char name[VL_RANKED_NAME];
    int rank = vl_split_name(name, truth->name);
    struct vl_fact_array *array = array_of(facts, name);
    facts->has_more |= array == NULL;
    if (array == NULL)
        return;
    bool right = vl_compare(got, truth, truth, c->floor).error <= c->bound;
    *(right ? &array->right : &array->wrong) |= (uint32_t)1 << (rank < 0 ? 0 : rank);
    array->is_figure = got->dtype != VL_F32;
    if (array->is_figure)
        add_figures(facts, c, got, truth);
    if (array->is_figure)
        add_sums(array, got, truth);
    if (!right)
        add_places(array, c, got, truth);
    if (!right)
        add_factor(facts, *is_first, got, truth, vl_sign_nearness(c));
    *is_first &= right;
}

void vl_facts_of_outputs(struct vl_facts *facts, const struct vl_case *c,
                         const struct vl_bag *expected, const struct vl_bag *outputs)
{
    bool is_first = true;
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        const struct vl_tensor_entry *got =
            outputs != NULL ? vl_bag_find(outputs, truth->name) : truth;
        if (vl_judgement_is_compared(truth) && truth->count > 0)
            add_result(facts, c, &is_first, got, truth);
    }
    take_figure(facts);
}

/* ---- tables ---- */

static struct vl_tensor_entry element(const struct vl_tensor_entry *entry, size_t i)
{
    struct vl_tensor_entry one = *entry;
    one.dims = 1;
    one.shape[0] = one.count = 1;
    one.data = (char *)entry->data + i * vl_dtype_bytes(entry->dtype);
    return one;
}

/* How many questions the results answer; 0 if the case is not a table of questions. */
static size_t table_length(const struct vl_case *c, const struct vl_bag *expected,
                           const struct vl_bag *outputs)
{
    size_t length = 0;
    for (size_t a = 0; a < vl_bag_count(expected) && !c->per_rank; a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        if (!vl_judgement_is_compared(truth))
            continue;
        if ((length != 0 && truth->count != length) ||
            vl_bag_find(outputs, truth->name)->dtype == VL_F32)
            return 0;
        length = truth->count;
    }
    return length > 1 ? length : 0;
}

/* What a question has in the columns of its table, or in its structure. */
static void add_question(struct vl_facts *facts, size_t i, size_t length, const struct vl_case *c,
                         const struct vl_bag *inputs)
{
    struct vl_size size;
    for (size_t k = 0; vl_question_size(&size, c, inputs, length, i, k); k++)
        if (size.is_choice)
            add_number(facts, size.name, (int64_t)size.value);
        else
            add_size(facts, size.name, size.value);
}

static void take_element(struct vl_facts *facts, size_t i, const struct vl_case *c,
                         const struct vl_bag *expected, const struct vl_bag *outputs)
{
    bool all_right = true;
    for (size_t a = 0; a < vl_bag_count(expected); a++) {
        const struct vl_tensor_entry *truth = vl_bag_entry(expected, a);
        if (!vl_judgement_is_compared(truth))
            continue;
        const struct vl_tensor_entry one = element(truth, i);
        const struct vl_tensor_entry got = element(vl_bag_find(outputs, truth->name), i);
        add_result(facts, c, &all_right, &got, &one);
    }
    facts->passed = all_right;
    take_figure(facts);
}

size_t vl_facts_of_table(struct vl_facts *facts, size_t most, const struct vl_case *c,
                         const struct vl_bag *inputs, const struct vl_bag *expected,
                         const struct vl_bag *outputs)
{
    size_t length = table_length(c, expected, outputs), columns = 1;
    if (length == 0 || length > most)
        return 0;
    for (size_t a = 0; a < vl_bag_count(expected); a++)
        if (vl_judgement_is_compared(vl_bag_entry(expected, a)))
            columns = vl_entry_columns(vl_bag_entry(expected, a));
    for (size_t i = 0; i < length; i++) {
        vl_facts_of_inputs(&facts[i], c, inputs);
        add_question(&facts[i], i, length, c, inputs);
        if (columns > 1 && columns < length) /* each row asks the same, in another mode */
            add_question(&facts[i], i % columns, columns, c, inputs);
        take_element(&facts[i], i, c, expected, outputs);
    }
    return length;
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

bool vl_facts_size(const struct vl_facts *facts, const char *name, double *value)
{
    int64_t number;
    for (size_t k = 0; k < facts->size_count; k++)
        if (strcmp(facts->sizes[k].name, name) == 0) {
            *value = facts->sizes[k].value;
            return true;
        }
    if (!vl_facts_number(facts, name, &number))
        return false;
    *value = (double)number;
    return true;
}
