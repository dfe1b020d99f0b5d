#include "grade/judge/places.h"

#include "grade/judge/compare.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST 4    /* lines: of three, two have changed places by chance too often */
#define MOST   4096 /* lines: each is compared with each */

/* Rows, or columns: all are lines. */
struct lines {
    const struct vl_tensor_entry *got, *expected;
    size_t count, length, step, stride; /* element k of line i is at i step + k stride */
    double near;
};

static size_t at(const struct lines *l, size_t line, size_t k)
{
    return line * l->step + k * l->stride;
}

/* Is line i of the answer line j of the truth? What counts in neither may be anything. */
static bool is_line(const struct lines *l, size_t i, size_t j)
{
    double difference = 0, size = 0;
    for (size_t k = 0; k < l->length; k++) {
        const bool counts = vl_entry_counts(l->expected, at(l, j, k));
        if (!counts && !vl_entry_counts(l->expected, at(l, i, k)))
            continue;
        const double should = counts ? vl_entry_value(l->expected, at(l, j, k)) : 0;
        const double off = vl_entry_value(l->got, at(l, i, k)) - should;
        difference = hypot(difference, off);
        size = hypot(size, should);
        if (!isfinite(off))
            return false;
    }
    return difference <= l->near * size;
}

/* Mark the lines that stand where they should. Returns how many do not. */
static size_t mark_those_at_home(bool *used, const struct lines *l)
{
    size_t away = 0;
    for (size_t i = 0; i < l->count; i++) {
        used[i] = is_line(l, i, i);
        away += !used[i];
    }
    return away;
}

/* Give each of the others its own place, the first one that is free. */
static bool place_the_others(struct vl_places *places, bool *used, const struct lines *l)
{
    bool any = false;
    for (size_t i = 0; i < l->count; i++) {
        size_t from = 0;
        if (is_line(l, i, i))
            continue;
        while (from < l->count && (used[from] || !is_line(l, i, from)))
            from++;
        if (from == l->count)
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

static bool look_at(struct vl_places *places, const struct lines *l)
{
    if (l->count < FEWEST || l->count > MOST)
        return false;
    bool *used = calloc(l->count, sizeof *used);
    const bool found =
        used != NULL && mark_those_at_home(used, l) > 1 && place_the_others(places, used, l);
    free(used);
    return found;
}

bool vl_places_find(struct vl_places *places, const struct vl_tensor_entry *got,
                    const struct vl_tensor_entry *expected, double near)
{
    const size_t columns = vl_entry_columns(expected), rows = expected->count / columns;
    const struct lines by_rows = {got, expected, rows, columns, columns, 1, near};
    const struct lines by_columns = {got, expected, columns, rows, 1, columns, near};
    *places = (struct vl_places){.rows = columns > 1, .columns = false};
    if (look_at(places, &by_rows))
        return true;
    *places = (struct vl_places){.rows = false, .columns = rows > 1};
    return look_at(places, &by_columns);
}
