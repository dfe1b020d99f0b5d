/* Where an array is wrong: a place that says which line of the code it is. */
#include "grade/experiment/influence/view.h"

#include "base/text.h"
#include "grade/experiment/influence/argument.h"
#include "grade/judge/compare.h"
#include "grade/judge/question.h"
#include "grade/patterns/pattern_parts.h"

#include <math.h>

#define MOST_PARTS 3

/* What is unchanged, as the first probe has it: t and s. NULL: there is none. */
static const struct vl_moving *unchanged(const struct vl_view *v)
{
    for (size_t p = 0; p < v->influence->count; p++)
        if (v->usable[p])
            return &v->moving[p];
    return NULL;
}

static double size_of(const struct vl_tensor_entry *expected, double floor)
{
    double size = floor;
    for (size_t i = 0; i < expected->count; i++)
        if (vl_entry_counts(expected, i))
            size = fmax(size, fabs(vl_entry_value(expected, i)));
    return size;
}

static bool is_wrong(const struct vl_view *v, const struct vl_moving *m, size_t i, double size)
{
    return vl_entry_counts(v->expected, i) &&
           fabs(vl_entry_value(m->s, i) - vl_entry_value(m->t, i)) >
               10 * fmax(v->influence->c->bound, 1e-6) * size;
}

/* An index for each row of the array. */
static const struct vl_tensor_entry *index_for(const struct vl_view *v, size_t rows)
{
    for (size_t i = 0; i < vl_bag_count(v->influence->inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(v->influence->inputs, i);
        if (vl_input_is_index(v->influence->inputs, entry) && entry->count == rows)
            return entry;
    }
    return NULL;
}

void vl_find_index(struct vl_sign *finding, const struct vl_view *v)
{
    const struct vl_moving *m = unchanged(v);
    const size_t columns = vl_entry_columns(v->expected), rows = v->expected->count / columns;
    const struct vl_tensor_entry *index = index_for(v, rows);
    const double size = size_of(v->expected, v->influence->c->floor);
    size_t wrong = 0;
    if (index == NULL || m == NULL || columns < 2 || rows < 2)
        return;
    for (size_t i = 0; i < v->expected->count; i++) {
        if (!is_wrong(v, m, i, size))
            continue;
        if (i % columns != (size_t)((const int32_t *)index->data)[i / columns])
            return;
        wrong++;
    }
    if (wrong >= 2)
        vl_sign_say(finding, "wrong_at_index",
                    _("In each row of %1$s, only the element that %2$s points at is wrong."),
                    v->name, index->name);
}

/* Wrong elements in each of n equal parts of the rows. */
static void count(size_t wrong[MOST_PARTS], const struct vl_view *v, const struct vl_moving *m,
                  size_t n)
{
    const size_t columns = vl_entry_columns(v->expected);
    const double size = size_of(v->expected, v->influence->c->floor);
    for (size_t k = 0; k < n; k++)
        wrong[k] = 0;
    for (size_t i = 0; i < v->expected->count; i++)
        if (is_wrong(v, m, i, size))
            wrong[i % columns / (columns / n)]++;
}

static void say_halves(struct vl_sign *finding, const struct vl_view *v, bool first)
{
    if (first)
        vl_sign_say(finding, "wrong_part",
                    _("Only the first half of each row of %s is wrong; the second half is right."),
                    v->name);
    else
        vl_sign_say(finding, "wrong_part",
                    _("Only the second half of each row of %s is wrong; the first half is right."),
                    v->name);
}

static void say_thirds(struct vl_sign *finding, const struct vl_view *v, size_t right,
                       size_t one_right, size_t one_wrong)
{
    if (right == 1)
        vl_sign_say(finding, "wrong_part",
                    _("Of the three equal parts of each row of %1$s, only part %2$zu is right."),
                    v->name, one_right);
    else
        vl_sign_say(finding, "wrong_part",
                    _("Of the three equal parts of each row of %1$s, only part %2$zu is wrong."),
                    v->name, one_wrong);
}

/* A part is wrong if most of it is, and right if nothing in it is wrong. */
void vl_find_part(struct vl_sign *finding, const struct vl_view *v)
{
    const struct vl_moving *m = unchanged(v);
    const size_t columns = vl_entry_columns(v->expected);
    if (v->expected->count < 2 * columns)
        return; /* what one row shows may hold for its elements alone */
    for (size_t n = MOST_PARTS; n >= 2 && m != NULL; n--) {
        size_t wrong[MOST_PARTS], right = 0, one_right = 0, one_wrong = 0;
        if (columns % n != 0 || columns < 2 * n)
            continue;
        count(wrong, v, m, n);
        for (size_t k = 0; k < n; k++)
            if (wrong[k] == 0) {
                right++;
                one_right = k + 1;
            } else if (2 * wrong[k] > v->expected->count / n) {
                one_wrong = k + 1;
            } else {
                right = n; /* neither right nor wrong */
            }
        if (right == 0 || right >= n)
            continue;
        if (n == 2)
            say_halves(finding, v, one_wrong == 1);
        else
            say_thirds(finding, v, right, one_right, one_wrong);
        return;
    }
}

/* Lines (rows or columns) before the first wrong one, if from there on all are wrong; else 0. Lines that are
 * not compared are neither. */
static size_t right_before(const struct vl_view *v, const struct vl_moving *m, bool by_rows)
{
    const size_t columns = vl_entry_columns(v->expected), rows = v->expected->count / columns;
    const size_t lines = by_rows ? rows : columns;
    const double size = size_of(v->expected, v->influence->c->floor);
    size_t right = 0;
    bool begun = false; /* the wrong ones */
    for (size_t line = 0; line < lines; line++) {
        size_t wrong = 0, compared = 0;
        for (size_t k = 0; k < (by_rows ? columns : rows); k++) {
            const size_t i = by_rows ? line * columns + k : k * columns + line;
            wrong += is_wrong(v, m, i, size);
            compared += vl_moving_counts(m, i);
        }
        begun |= wrong > 0;
        if (begun && compared > 0 && 2 * wrong <= compared)
            return 0;
        right += !begun && compared > 0;
    }
    return begun ? right : 0;
}

/* The one size of this case that is so large; NULL if there is none, or more than one. */
static const char *name_of_size(const struct vl_bag *inputs, size_t size)
{
    const char *name = NULL;
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->dtype != VL_I64 || entry->count != 1 ||
            vl_entry_value(entry, 0) != (double)size || vl_question_hides(entry->name) ||
            vl_pattern_is_choice(entry->name))
            continue;
        if (name != NULL)
            return NULL;
        name = entry->name;
    }
    return name;
}

void vl_find_first(struct vl_sign *finding, const struct vl_view *v)
{
    const struct vl_moving *m = unchanged(v);
    const size_t width = vl_entry_columns(v->expected);
    if (m == NULL || width == 1 || width == v->expected->count)
        return; /* where lines are single numbers, the first may be right by chance */
    size_t rows = right_before(v, m, true), columns = right_before(v, m, false);
    const size_t lines = rows > 0 ? rows : columns;
    const char *size = lines > 1 ? name_of_size(v->influence->inputs, lines) : NULL;
    if (size != NULL)
        vl_sign_say(
            finding, rows > 0 ? "first_rows_right" : "first_columns_right",
            /* TRANSLATORS: a case, how many, an array, a size. */
            rows > 0
                ? _("In %1$s, only the first %2$zu rows of %3$s are right, and `%4$s` is %2$zu there.")
                : _("In %1$s, only the first %2$zu columns of %3$s are right, and `%4$s` is %2$zu there."),
            v->influence->c->id, lines, v->name, size);
    else if (rows > 0)
        vl_sign_say(finding, "first_rows_right",
                    VL_NGETTEXT("Of %1$s, only the first row is right.",
                                "Of %1$s, only the first %2$zu rows are right.", rows),
                    v->name, rows);
    else if (columns > 0)
        vl_sign_say(finding, "first_columns_right",
                    VL_NGETTEXT("Of %1$s, only the first column is right.",
                                "Of %1$s, only the first %2$zu columns are right.", columns),
                    v->name, columns);
}
