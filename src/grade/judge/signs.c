#include "grade/judge/signs.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/catalogue/case.h"
#include "grade/judge/compare.h"
#include "grade/judge/places.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view {
    const struct vl_tensor_entry *got;
    const struct vl_tensor_entry *expected;
    const struct vl_bag *inputs;
    size_t count, rows, columns;
    double near;
    double size; /* norm of what is expected */
};

static double got(const struct view *v, size_t i)
{
    return vl_entry_value(v->got, i);
}

static double truth(const struct view *v, size_t i)
{
    return vl_entry_counts(v->expected, i) ? vl_entry_value(v->expected, i) : 0;
}

static bool counts(const struct view *v, size_t i)
{
    return vl_entry_counts(v->expected, i);
}

/* Is got[i] = truth[from(i)] everywhere? */
typedef size_t (*place_fn)(const struct view *v, size_t row, size_t column);

static bool moved(const struct view *v, place_fn from)
{
    double difference = 0, still = 0;
    for (size_t i = 0; i < v->count; i++) {
        double here = got(v, i);
        difference = hypot(difference, here - truth(v, from(v, i / v->columns, i % v->columns)));
        still = hypot(still, here - truth(v, i));
    }
    return difference <= v->near * v->size && difference < still / 10;
}

/* The result was written as (columns, rows) instead of (rows, columns). */
static size_t from_transpose(const struct view *v, size_t row, size_t column)
{
    size_t i = row * v->columns + column;
    return (i % v->rows) * v->columns + i / v->rows;
}

static size_t from_next_row(const struct view *v, size_t row, size_t column)
{
    return (row + 1) % v->rows * v->columns + column;
}

static size_t from_last_row(const struct view *v, size_t row, size_t column)
{
    return (row + v->rows - 1) % v->rows * v->columns + column;
}

static size_t from_other_half(const struct view *v, size_t row, size_t column)
{
    return row * v->columns + (column + v->columns / 2) % v->columns;
}

enum vl_status vl_sign_say(struct vl_sign *sign, const char *code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *sign = (struct vl_sign){.code = code, .message = vl_text_vformat(format, values)};
    va_end(values);
    return sign->message ? VL_OK : VL_ENOMEM;
}

/* Is the content before the call missing from the result, or in it wrongly? */
static void find_preset(struct vl_sign *sign, const struct view *v)
{
    const struct vl_tensor_entry *preset = vl_bag_find(v->inputs, v->got->name);
    if (!preset || preset->count != v->count)
        return;
    double missing = 0, twice = 0, size = 0, added = 0;
    for (size_t i = 0; i < v->count; i++) {
        double before = vl_entry_value(preset, i);
        missing = hypot(missing, got(v, i) - (truth(v, i) - before));
        twice = hypot(twice, got(v, i) - (truth(v, i) + before));
        size = hypot(size, before);
        added = hypot(added, truth(v, i) - before);
    }
    double enough = v->near * fmax(v->size, size);
    if (!(size > 10 * enough))
        return;
    /* Where nothing is added, one zero shows nothing. */
    if (missing <= enough && (added > 10 * enough || v->count > 1))
        vl_sign_say(
            sign, "not_accumulated",
            _("The result was written over what was there before, but the contract asks to add "
              "to it: use += here."));
    else if (twice <= enough)
        vl_sign_say(sign, "accumulated",
                    _("The result was added to what was there before, but the contract asks to "
                      "overwrite it: use = here."));
}

bool vl_sign_name_factor(char *text, size_t size, double factor, const struct vl_bag *inputs,
                         double near)
{
    static const struct {
        double power;
        const char *form;
    } forms[] = {{1, "%s"}, {-1, "1 / %s"}, {0.5, "sqrt(%s)"}, {-0.5, "1 / sqrt(%s)"}};
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        double value = entry->dtype == VL_I64 && entry->count == 1 ? vl_entry_value(entry, 0) : 0;
        for (size_t f = 0; value > 2 && f < sizeof forms / sizeof *forms; f++) {
            double candidate = pow(value, forms[f].power);
            if (fabs(fabs(factor) - candidate) <= near * candidate) {
                snprintf(text, size, forms[f].form, entry->name);
                return true;
            }
        }
    }
    return false;
}

bool vl_sign_is_easy_factor(double factor, double near)
{
    const double times = fabs(factor) < 1 ? 1 / fabs(factor) : fabs(factor);
    return fabs(times - 2) <= near * times;
}

static void find_factor(struct vl_sign *sign, const struct view *v)
{
    double product = 0, squares = 0, difference = 0;
    size_t used = 0;
    for (size_t i = 0; i < v->count; i++) {
        product += got(v, i) * truth(v, i);
        squares += truth(v, i) * truth(v, i);
        used += truth(v, i) != 0;
    }
    double factor = product / squares;
    if (!isfinite(factor) || fabs(factor) < v->near || fabs(factor - 1) <= v->near)
        return;
    for (size_t i = 0; i < v->count; i++)
        if (counts(v, i))
            difference = hypot(difference, got(v, i) - factor * truth(v, i));
    if (difference > v->near * fabs(factor) * v->size)
        return;

    char number[VL_NUMBER_TEXT], name[VL_SIGN_NAME] = "";
    vl_number_short(number, factor, 6);
    bool named = vl_sign_name_factor(name, sizeof name, factor, v->inputs, v->near);
    int plain = fabs(log2(fabs(factor)) - round(log2(fabs(factor)))) <= v->near;
    if (fabs(factor + 1) <= v->near) {
        vl_sign_say(sign, "sign_flipped", _("Every number is right except for its sign."));
    } else if (named && !vl_sign_is_easy_factor(factor, v->near)) {
        vl_sign_say(sign, "scaled",
                    _("Every number is %1$s times what it should be; that is %2$s."), number, name);
    } else if (plain || used >= 3) {
        /* Two numbers are always nearly in proportion to something. */
        vl_sign_say(sign, "scaled", _("Every number is %s times what it should be."), number);
    }
    sign->factor = factor;
    snprintf(sign->name, sizeof sign->name, "%s", name);
}

/* Are nearly all numbers of a row (column) wrong? One that holds a single wrong number says nothing of rows. */
static bool is_all_wrong(const struct view *v, size_t line, int by_rows)
{
    const size_t across = by_rows ? v->columns : v->rows;
    size_t counted = 0, wrong = 0;
    for (size_t k = 0; k < across; k++) {
        size_t i = by_rows ? line * v->columns + k : k * v->columns + line;
        counted += counts(v, i);
        wrong += counts(v, i) && !(fabs(got(v, i) - truth(v, i)) <= v->near * fabs(truth(v, i)));
    }
    return 10 * wrong >= 9 * counted;
}

/* Are the wrong rows (columns) exactly the last ones, and few? Their number, else 0. */
static size_t wrong_tail(const struct view *v, int by_rows)
{
    size_t lines = by_rows ? v->rows : v->columns, across = by_rows ? v->columns : v->rows;
    size_t first_wrong = lines;
    for (size_t line = 0; line < lines; line++) {
        double difference = 0;
        for (size_t k = 0; k < across; k++) {
            size_t i = by_rows ? line * v->columns + k : k * v->columns + line;
            if (counts(v, i))
                difference = hypot(difference, got(v, i) - truth(v, i));
        }
        bool is_wrong = !(difference <= v->near * v->size / sqrt((double)lines));
        if (is_wrong && first_wrong == lines)
            first_wrong = line;
        if (is_wrong ? !is_all_wrong(v, line, by_rows) : first_wrong < lines)
            return 0;
    }
    size_t wrong = lines - first_wrong;
    return lines > 2 && (wrong == 1 || wrong <= lines / 4) ? wrong : 0;
}

static void find_tail(struct vl_sign *sign, const struct view *v)
{
    size_t rows = wrong_tail(v, 1), columns = wrong_tail(v, 0);
    if (rows > 0)
        vl_sign_say(sign, "last_row",
                    VL_NGETTEXT("Only the last row is wrong: look at where the loop ends.",
                                "Only the last %zu rows are wrong: look at where the loop ends.",
                                rows),
                    rows);
    else if (columns > 0)
        vl_sign_say(sign, "last_column",
                    VL_NGETTEXT("Only the last column is wrong: look at where the loop ends.",
                                "Only the last %zu columns are wrong: look at where the loop ends.",
                                columns),
                    columns);
}

static void find_moved(struct vl_sign *sign, const struct view *v)
{
    if (v->rows > 1 && v->columns > 1 && moved(v, from_transpose))
        vl_sign_say(
            sign, "transposed",
            _("The numbers are right but transposed: rows and columns have changed places."));
    else if (v->rows > 1 && (moved(v, from_next_row) || moved(v, from_last_row)))
        vl_sign_say(sign, "rotated",
                    _("The numbers are right but every row is one row away from its place."));
    else if (v->columns % 2 == 0 && moved(v, from_other_half))
        vl_sign_say(sign, "halves_swapped",
                    _("The numbers are right but the two halves of each row have changed places."));
}

static void find_exchanged(struct vl_sign *sign, const struct view *v)
{
    struct vl_places found;
    if (!vl_places_find(&found, v->got, v->expected, v->near))
        return;
    char name[VL_SHOWN_NAME];
    const char *sentence =
        /* TRANSLATORS: the third is an array's name. */
        found.rows ? _("The numbers of %3$s are right but rows have changed places: row %1$zu has "
                       "what row %2$zu should have. Look at how the place of a row is computed.")
        : found.columns
            ? _("The numbers of %3$s are right but columns have changed places: column %1$zu has "
                "what column %2$zu should have. Look at how the place of a column is computed.")
            : _("The numbers of %3$s are right but have changed places: number %1$zu is what "
                "number %2$zu should be. Look at how their places are computed.");
    vl_sign_say(sign, "places_exchanged", sentence, found.place, found.from,
                vl_shown_name(name, v->expected->name));
}

static void find_zero(struct vl_sign *sign, const struct view *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (counts(v, i) && got(v, i) != 0)
            return;
    if (v->size > 0)
        vl_sign_say(sign, "all_zero", _("Every number is zero."));
}

enum vl_status vl_signs_find(struct vl_sign *sign, const struct vl_tensor_entry *got_array,
                             const struct vl_tensor_entry *expected, const struct vl_bag *inputs,
                             double near)
{
    static void (*const finders[])(struct vl_sign *, const struct view *) = {
        find_preset, find_zero, find_factor, find_moved, find_exchanged, find_tail};
    *sign = (struct vl_sign){0};
    struct view v = {.got = got_array,
                     .expected = expected,
                     .inputs = inputs,
                     .count = expected->count,
                     .near = near};
    v.columns = vl_entry_columns(expected);
    v.rows = v.count / v.columns;
    for (size_t i = 0; i < v.count; i++)
        v.size = hypot(v.size, truth(&v, i));
    for (size_t i = 0; v.count > 0 && !sign->code && i < sizeof finders / sizeof *finders; i++)
        finders[i](sign, &v);
    return sign->code && !sign->message ? VL_ENOMEM : VL_OK;
}

bool vl_signs_agree(const struct vl_sign *one, const struct vl_sign *other, double near)
{
    if (one->code == NULL || other->code == NULL || strcmp(one->code, other->code) != 0)
        return false;
    return fabs(one->factor - other->factor) <= near * fabs(one->factor) ||
           (one->name[0] != '\0' && strcmp(one->name, other->name) == 0);
}

static bool is_one_of(const struct vl_sign *sign, const char *const *codes)
{
    while (*codes != NULL && strcmp(sign->code, *codes) != 0)
        codes++;
    return *codes != NULL;
}

bool vl_sign_is_weak(const struct vl_sign *sign)
{
    static const char *const codes[] = {"last_row", "last_column", NULL};
    return is_one_of(sign, codes);
}

bool vl_sign_is_certain(const struct vl_sign *sign)
{
    static const char *const codes[] = {
        "not_accumulated", "accumulated", "sign_flipped", "transposed", "rotated",
        "halves_swapped",  NULL};
    return is_one_of(sign, codes);
}

bool vl_sign_is_of_places(const struct vl_sign *sign)
{
    static const char *const codes[] = {"places_exchanged", NULL};
    return is_one_of(sign, codes);
}
