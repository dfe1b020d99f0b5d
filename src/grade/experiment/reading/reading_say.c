/* The words for a reading. */
#include "grade/experiment/reading/reading.h"

#include "base/text.h"
#include "grade/experiment/influence/argument.h"

#include <stdio.h>
#include <string.h>

#define MOST_FIXED 3 /* halves, or q, k and v */

/* With one %s, the input's name. */
static const struct {
    const char *code, *sentence;
} plain[] = {
    [VL_READ_ZEROS] = {"input_left_out",
                       N_("The result is what it would be if every number in %s were 0. Look at "
                          "where it should be used.")},
    [VL_READ_ONES] = {"input_left_out",
                      N_("The result is what it would be if every number in %s were 1. Look at "
                         "where it should be used.")},
    [VL_READ_NEGATED] = {"wrong_sign_of",
                         N_("The result is what it would be if every number in %s had the "
                            "opposite sign.")},
    [VL_READ_PLUS_ONE] = {"wrong_value_of",
                          N_("The result is what it would be if 1 were added to every number in "
                             "%s.")},
    [VL_READ_SQUARED] = {"wrong_value_of",
                         N_("The result is what it would be if every number in %s were squared.")},
    [VL_READ_HALVES] = {"misread_order",
                        N_("The result is what it would be if the two halves of each row of %s "
                           "had changed places.")},
    [VL_READ_TRANSPOSED] = {"misread_order",
                            N_("The result is what it would be if %s were stored column by column. "
                               "Look at the index with which it is read.")},
    [VL_READ_NEXT_ROW] = {"misread_order",
                          N_("The result is what it would be if each row of %s were the row after "
                             "it. Look at the index with which it is read.")},
    [VL_READ_LAST_ROW] = {"misread_order",
                          N_("The result is what it would be if each row of %s were the row before "
                             "it. Look at the index with which it is read.")},
    [VL_READ_NEXT_COLUMN] = {"misread_order",
                             N_("The result is what it would be if each number in a row of %s were "
                                "the one after it. Look at the index with which it is read.")},
    [VL_READ_LAST_COLUMN] = {"misread_order",
                             N_("The result is what it would be if each number in a row of %s were "
                                "the one before it. Look at the index with which it is read.")},
    [VL_READ_FIRST_ROW] = {"misread_order",
                           N_("The result is what it would be if every row of %s were the first "
                              "one. Look at the index with which it is read.")},
    [VL_READ_FIRST_COLUMN] = {"misread_order",
                              N_("The result is what it would be if all numbers in a row of %s "
                                 "were its first one. Look at the index with which it is read.")},
    [VL_READ_BACKWARDS] = {"misread_order",
                           N_("The result is what it would be if the rows of %s came in reverse "
                              "order.")},
};

/* A dimension by its name, "head_width", which it has in all cases; a number if it may be a fixed one, or
 * if several sizes are the same. */
static const char *dimension(char text[VL_SHOWN_NAME], size_t value, const struct vl_bag *inputs)
{
    const char *name = NULL;
    size_t found = 0;
    for (size_t i = 0; i < vl_bag_count(inputs) && value > MOST_FIXED; i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->dtype != VL_I64 || entry->count != 1 ||
            *(const int64_t *)entry->data != (int64_t)value)
            continue;
        name = entry->name;
        found++;
    }
    if (found == 1)
        snprintf(text, VL_SHOWN_NAME, "%s", name);
    else
        snprintf(text, VL_SHOWN_NAME, "%zu", value);
    return text;
}

enum vl_status vl_reading_say(struct vl_sign *finding, const struct vl_reading *r,
                              const struct vl_bag *inputs)
{
    const char *input = vl_input_shown(inputs, r->input);
    char texts[3][VL_SHOWN_NAME];
    const char *one = dimension(texts[0], r->one, inputs),
               *other = dimension(texts[1], r->other, inputs),
               *inner = dimension(texts[2], r->inner, inputs);
    char value[VL_READING_TEXT];
    switch (r->kind) {
    case VL_READ_THIRDS:
        return vl_sign_say(finding, "misread_order",
                           _("The result is what it would be if, of the three parts of each row of "
                             "%1$s, parts %2$zu and %3$zu had changed places."),
                           input, r->one, r->other);
    case VL_READ_COLUMNS:
        if (r->inner == 1)
            return vl_sign_say(finding, "misread_order",
                               _("The result is what it would be if the two dimensions of each row "
                                 "of %1$s, %2$s x %3$s, had changed places. Look at the index with "
                                 "which it is read."),
                               input, other, one);
        return vl_sign_say(finding, "misread_order",
                           _("The result is what it would be if the first two dimensions of each "
                             "row of %1$s, %2$s x %3$s x %4$s, had changed places. Look at the "
                             "index with which it is read."),
                           input, other, one, inner);
    case VL_READ_ROWS:
        return vl_sign_say(finding, "misread_order",
                           _("The result is what it would be if the two dimensions of the rows of "
                             "%1$s, %2$s x %3$s, had changed places. Look at the index with which "
                             "it is read."),
                           input, other, one);
    case VL_READ_EXCHANGED:
        return vl_sign_say(finding, "inputs_exchanged",
                           _("The result is what it would be if %1$s and %2$s had changed places."),
                           input, vl_input_shown(inputs, r->second));
    case VL_READ_VALUE:
        vl_reading_form(value, r->one, input);
        return vl_sign_say(finding, "wrong_value_of",
                           /* TRANSLATORS: a number, and what was taken for it: scale, 2 * scale. */
                           _("The result is what it would be with %2$s instead of %1$s."), input,
                           value);
    default:
        return vl_sign_say(finding, plain[r->kind].code, _(plain[r->kind].sentence), input);
    }
}
