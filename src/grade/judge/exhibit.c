#include "grade/judge/exhibit.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"
#include "grade/judge/question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL       48 /* elements of an array that is listed whole */
#define FEW_COLUMNS 5  /* of such an input: more do not fit on a line */
#define FURTHEST    8  /* elements of a result that is not small */
#define DIGITS      6
#define WIDE        12 /* columns of a number */

/* ---- numbers ---- */

static bool is_whole(const struct vl_tensor_entry *entry)
{
    return entry->dtype == VL_I32 || entry->dtype == VL_I64;
}

/* What belongs to another rank, or was never written. */
static const char *number_of(char text[VL_NUMBER_TEXT], const struct vl_tensor_entry *entry,
                             size_t i)
{
    if (vl_bag_is_poison(entry, i))
        return "·";
    if (is_whole(entry))
        return vl_number_text(text, vl_entry_value(entry, i), 0);
    return vl_number_short(text, vl_entry_value(entry, i), DIGITS);
}

static void put_right(FILE *out, const char *text)
{
    fprintf(out, " %*s%s", WIDE > vl_utf8_width(text) ? WIDE - vl_utf8_width(text) : 0, "", text);
}

static void put_number(FILE *out, const struct vl_tensor_entry *entry, size_t i)
{
    char text[VL_NUMBER_TEXT];
    put_right(out, number_of(text, entry, i));
}

static void put_title(FILE *out, const struct vl_tensor_entry *entry, bool is_input)
{
    char shown[VL_SHOWN_NAME];
    fputs(vl_shown_name(shown, entry->name), out);
    for (size_t d = 0; d < entry->dims; d++)
        fprintf(out, "%s%zu%s", d == 0 ? " (" : " x ", entry->shape[d],
                d + 1 == entry->dims ? ")" : "");
    /* TRANSLATORS: behind the name of an array that a function was given */
    fprintf(out, "%s\n", is_input ? _(", input") : "");
}

/* ---- inputs ---- */

static void put_whole(FILE *out, const struct vl_tensor_entry *entry)
{
    const size_t columns = vl_entry_columns(entry);
    for (size_t i = 0; i < entry->count; i++) {
        put_number(out, entry, i);
        const size_t column = i % columns;
        if (column + 1 == columns)
            fputc('\n', out);
        else if (column % FEW_COLUMNS == FEW_COLUMNS - 1)
            fputs("\n  ", out); /* the same row goes on */
    }
    if (entry->count % columns != 0)
        fputc('\n', out);
}

static void put_range(FILE *out, const struct vl_tensor_entry *entry)
{
    double least = INFINITY, most = -INFINITY;
    char count[VL_NUMBER_TEXT], from[VL_NUMBER_TEXT], to[VL_NUMBER_TEXT];
    for (size_t i = 0; i < entry->count; i++)
        if (!vl_bag_is_poison(entry, i)) {
            least = fmin(least, vl_entry_value(entry, i));
            most = fmax(most, vl_entry_value(entry, i));
        }
    vl_number_text(count, (double)entry->count, 0);
    /* TRANSLATORS: of an array that is too large to be listed */
    fprintf(out, _("    %1$s numbers, from %2$s to %3$s\n"), count,
            vl_number_short(from, least, DIGITS), vl_number_short(to, most, DIGITS));
}

static void put_input(FILE *out, const struct vl_tensor_entry *entry)
{
    if (entry->count <= 1 || entry->dtype == VL_U8 || vl_question_hides(entry->name))
        return; /* a size: the sentence above has it */
    put_title(out, entry, true);
    if (entry->count <= SMALL)
        put_whole(out, entry);
    else
        put_range(out, entry);
}

/* ---- results ---- */

struct element {
    size_t i;
    double off;
};

static double distance(const struct vl_tensor_entry *got, const struct vl_tensor_entry *expected,
                       size_t i)
{
    if (!vl_entry_counts(expected, i))
        return 0;
    const double off = fabs(vl_entry_value(got, i) - vl_entry_value(expected, i));
    return isnan(off) ? INFINITY : off;
}

static int by_distance(const void *left, const void *right)
{
    const struct element *a = left, *b = right;
    if (a->off != b->off)
        return a->off < b->off ? 1 : -1;
    return a->i < b->i ? -1 : a->i > b->i;
}

static void put_heads(FILE *out)
{
    fprintf(out, "%20s", "");
    put_right(out, _("expected"));
    put_right(out, _("got"));
    fputc('\n', out);
}

/* An element is marked if it alone would fail the case. */
static void put_element(FILE *out, const struct vl_case *c, const struct vl_tensor_entry *got,
                        const struct vl_tensor_entry *expected, const struct element *element)
{
    char place[64];
    const size_t columns = vl_entry_columns(expected), i = element->i;
    const double most = c->bound * fmax(fabs(vl_entry_value(expected, i)), c->floor);
    snprintf(place, sizeof place, "[%zu, %zu]", i / columns, i % columns);
    fprintf(out, "  %s %-16s", element->off > most ? "*" : " ", place);
    put_number(out, expected, i);
    put_number(out, got, i);
    fputc('\n', out);
}

static enum vl_status put_result(FILE *out, const struct vl_case *c,
                                 const struct vl_tensor_entry *got,
                                 const struct vl_tensor_entry *expected)
{
    const bool small = expected->count <= SMALL;
    struct element *elements = calloc(expected->count, sizeof *elements);
    if (elements == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < expected->count; i++)
        elements[i] = (struct element){i, distance(got, expected, i)};
    if (!small)
        qsort(elements, expected->count, sizeof *elements, by_distance);
    put_title(out, expected, false);
    put_heads(out);
    for (size_t i = 0; i < (small ? expected->count : FURTHEST); i++)
        put_element(out, c, got, expected, &elements[i]);
    if (!small) /* TRANSLATORS: below a few elements of a large result */
        fprintf(out, "    %s\n", _("(those that are furthest off)"));
    free(elements);
    return VL_OK;
}

static enum vl_status put_results(FILE *out, const struct vl_judgement *t)
{
    enum vl_status status = VL_OK;
    for (size_t a = 0; status == VL_OK && a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got =
            t->outputs != NULL ? vl_bag_find(t->outputs, expected->name) : NULL;
        if (!vl_judgement_is_compared(expected) || expected->count == 0)
            continue;
        if (got != NULL && got->count == expected->count && got->dtype != VL_U8)
            status = put_result(out, t->c, got, expected);
    }
    return status;
}

enum vl_status vl_exhibit(char **text, const struct vl_case *c, const struct vl_bag *inputs,
                          const struct vl_bag *outputs)
{
    struct vl_judgement t = {.c = c, .inputs = inputs, .outputs = outputs};
    size_t length;
    *text = NULL;
    if (c->sealed)
        return VL_OK;
    FILE *out = open_memstream(text, &length);
    if (out == NULL)
        return VL_ENOMEM;
    vl_judgement_open(&t);
    for (size_t i = 0; t.status == VL_OK && i < vl_bag_count(inputs); i++)
        put_input(out, vl_bag_entry(inputs, i));
    if (t.status == VL_OK)
        t.status = put_results(out, &t);
    vl_bag_free(t.expected);
    if (fclose(out) != 0 && t.status == VL_OK)
        t.status = VL_ENOMEM;
    if (t.status != VL_OK || length == 0) {
        free(*text);
        *text = NULL;
    }
    return t.status;
}
