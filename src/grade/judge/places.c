#include "grade/judge/places.h"

#include "grade/judge/compare.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST 4    /* lines: among three, two change places by chance */
#define MOST   4096 /* lines: each is compared with each */

/* Rows, or columns: all are lines. */
struct lines {
    const struct vl_tensor_entry *got, *expected;
    size_t count, length, step, stride; /* element k of line i is at i step + k stride */
    double near;
    double *size; /* the norm of each expected line */
};

static size_t at(const struct lines *l, size_t line, size_t k)
{
    return line * l->step + k * l->stride;
}

static double size_of(const struct lines *l, size_t j)
{
    double size = 0;
    for (size_t k = 0; k < l->length; k++)
        if (vl_entry_counts(l->expected, at(l, j, k)))
            size = hypot(size, vl_entry_value(l->expected, at(l, j, k)));
    return size;
}

/* Is line i of the answer line j of the truth? What counts in neither may be anything. Most lines differ at
 * once. */
static bool is_line(const struct lines *l, size_t i, size_t j)
{
    double difference = 0;
    for (size_t k = 0; k < l->length; k++) {
        const bool counts = vl_entry_counts(l->expected, at(l, j, k));
        if (!counts && !vl_entry_counts(l->expected, at(l, i, k)))
            continue;
        const double should = counts ? vl_entry_value(l->expected, at(l, j, k)) : 0;
        const double off = vl_entry_value(l->got, at(l, i, k)) - should;
        difference = hypot(difference, off);
        if (!(difference <= l->near * l->size[j]))
            return false;
    }
    return true;
}

/* Mark the lines that are where they should be. Returns how many are not. */
static size_t mark_those_at_home(bool *used, const struct lines *l)
{
    size_t away = 0;
    for (size_t i = 0; i < l->count; i++) {
        used[i] = is_line(l, i, i);
        away += !used[i];
    }
    return away;
}

/* The next free place, from 'from' onwards, where line i belongs; the count if there is none. */
static size_t next_place(const struct lines *l, const bool *used, size_t i, size_t from)
{
    while (from < l->count && (used[from] || !is_line(l, i, from)))
        from++;
    return from;
}

/* Give each of the others its own place. Where lines are alike, nobody knows which is which. */
static bool place_the_others(struct vl_places *places, bool *used, const struct lines *l)
{
    bool any = false;
    for (size_t i = 0; i < l->count; i++) {
        if (is_line(l, i, i))
            continue;
        const size_t from = next_place(l, used, i, 0);
        if (from == l->count || next_place(l, used, i, from + 1) < l->count)
            return false;
        used[from] = true;
        if (!any) {
            places->place = i;
            places->from = from;
        }
        any = true;
    }
    return any;
}

static bool look_at(struct vl_places *places, struct lines *l)
{
    if (l->count < FEWEST || l->count > MOST)
        return false;
    bool *used = calloc(l->count, sizeof *used);
    l->size = calloc(l->count, sizeof *l->size);
    for (size_t j = 0; l->size != NULL && j < l->count; j++)
        l->size[j] = size_of(l, j);
    const bool found = used != NULL && l->size != NULL && mark_those_at_home(used, l) > 1 &&
                       place_the_others(places, used, l);
    free(l->size);
    free(used);
    return found;
}

bool vl_places_find(struct vl_places *places, const struct vl_tensor_entry *got,
                    const struct vl_tensor_entry *expected, double near)
{
    const size_t columns = vl_entry_columns(expected), rows = expected->count / columns;
    struct lines by_rows = {got, expected, rows, columns, columns, 1, near, NULL};
    struct lines by_columns = {got, expected, columns, rows, 1, columns, near, NULL};
    *places = (struct vl_places){.rows = columns > 1, .columns = false};
    if (look_at(places, &by_rows))
        return true;
    *places = (struct vl_places){.rows = false, .columns = rows > 1};
    return look_at(places, &by_columns);
}
