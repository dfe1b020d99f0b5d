#include "grade/judge/unwritten.h"

#include "base/text.h"

#include <stdlib.h>

/* The elements of an array that count. */
struct extent {
    size_t first;                /* that was never written */
    size_t counted, unwritten;   /* in all */
    bool none_behind;            /* nor was any after the first */
    size_t row_counted, row_put; /* in its row: all, and those before it */
};

static struct extent measure(const struct vl_tensor_entry *expected,
                             const struct vl_tensor_entry *got)
{
    struct extent e = {.none_behind = true};
    size_t columns = vl_entry_columns(expected);
    for (size_t i = 0; i < expected->count; i++) {
        const bool counts = vl_entry_counts(expected, i);
        const bool missing = counts && vl_bag_is_poison(got, i);
        if (missing && e.unwritten == 0)
            e.first = i;
        e.counted += counts;
        e.unwritten += missing;
        e.none_behind &= e.unwritten == 0 || missing || !counts;
    }
    for (size_t i = e.first / columns * columns, end = i + columns; e.unwritten > 0 && i < end;
         i++) {
        e.row_counted += vl_entry_counts(expected, i);
        e.row_put += vl_entry_counts(expected, i) && i < e.first;
        if (i > e.first && vl_entry_counts(expected, i) && !vl_bag_is_poison(got, i))
            e.row_put = 0; /* no beginning that alone was written */
    }
    return e;
}

/* Is what was written of the row as long in bytes as the row should be in elements? The last of them may be
 * written in part. */
static bool is_short_by_size(const struct extent *e, size_t size)
{
    return e->row_put > 1 && e->row_put == (e->row_counted + size - 1) / size;
}

/* Fresh; NULL without memory. */
static char *tell_extent(const struct extent *e, size_t size)
{
    if (e->unwritten == e->counted)
        return vl_text_format("%s", e->counted > 1 ? _("None of it was given a value.") : "");
    if (is_short_by_size(e, size))
        return vl_text_format(
            _("In this row only the first %1$zu of %2$zu numbers were written: was a count of "
              "elements given where bytes are counted?"),
            e->row_put, e->row_counted);
    if (e->none_behind)
        return vl_text_format("%s",
                              e->unwritten > 1 ? _("Nothing was written after it either.") : "");
    return vl_text_format(_("%1$zu of its %2$zu numbers were never written."), e->unwritten,
                          e->counted);
}

bool vl_judge_unwritten(struct vl_judgement *t, const struct vl_tensor_entry *expected,
                        const struct vl_tensor_entry *got)
{
    char shown[VL_SHOWN_NAME];
    const size_t columns = vl_entry_columns(expected);
    struct extent e = measure(expected, got);
    if (e.unwritten == 0)
        return false;
    char *extent = tell_extent(&e, vl_dtype_bytes(got->dtype));
    char *place = vl_text_format(
        _("%1$s[%2$zu, %3$zu] was never given a value (adding to it does not count, nor does what comes "
          "from memory that nobody wrote)."),
        vl_shown_name(shown, expected->name), e.first / columns, e.first % columns);
    bool more = extent != NULL && extent[0] != '\0';
    vl_judgement_close(t, VL_CASE_FAILED, "unwritten", "%s%s%s", place != NULL ? place : "",
                       more ? " " : "", more ? extent : "");
    free(place);
    free(extent);
    return true;
}
