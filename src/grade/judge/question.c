#include "grade/judge/question.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIZES 10 /* more do not help */
#define DIGITS     9
#define EXACT      1e15 /* whole numbers up to here are told to the last digit */

bool vl_question_hides(const char *name)
{
    static const char *const hidden[] = {"ranks",        "bad",           "tag",
                                         "null",         "fails_at",      "backward_fails_at",
                                         "bits",         "alone",         "same",
                                         "preset",       "none",          "late",
                                         "memory",       "no_memory",     "home",
                                         "turns",        "pool",          "course",
                                         "crowded",      "disorder",      "ended",
                                         "apart",        "more",          "one_place",
                                         "too_long",     "no_actions",    "listed",
                                         "in_place",     "unready",       "synchronous",
                                         "room",         "own_tokens",    "first_token",
                                         "own_rows",     "first_row",     "rows_of_all",
                                         "scope_tokens", "rows_per_micro"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (strcmp(name, hidden[i]) == 0)
            return true;
    return false;
}

static bool is_whole(const struct vl_tensor_entry *entry)
{
    return entry->dtype == VL_I32 || entry->dtype == VL_I64;
}

bool vl_question_size(struct vl_size *size, const struct vl_case *c, const struct vl_bag *inputs,
                      size_t length, size_t question, size_t k)
{
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->count != length || (!is_whole(entry) && entry->dtype != VL_F64) || k-- > 0)
            continue;
        *size = (struct vl_size){entry->name, vl_entry_value(entry, question), is_whole(entry)};
        return true;
    }
    return c->sizes != NULL && c->sizes(size, inputs, question, k);
}

struct text {
    FILE *out;
    size_t count;
};

static void add(struct text *text, const char *name, double value)
{
    char number[VL_NUMBER_TEXT];
    if (value == round(value) && fabs(value) < EXACT)
        snprintf(number, sizeof number, "%.0f", value);
    else
        vl_number_short(number, value, DIGITS);
    fprintf(text->out, "%s`%s = %s`", text->count++ > 0 ? ", " : "", name, number);
}

/* Does each question have its own? */
static bool is_asked(const char *name, const struct vl_case *c, const struct vl_bag *inputs,
                     size_t length)
{
    struct vl_size size;
    for (size_t k = 0; length > 1 && vl_question_size(&size, c, inputs, length, 0, k); k++)
        if (strcmp(size.name, name) == 0)
            return true;
    return false;
}

/* What all calls of the case have in common. */
static void add_scalars(struct text *text, const struct vl_case *c, const struct vl_bag *inputs,
                        size_t length)
{
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        const bool has_nodes =
            strcmp(entry->name, "ranks_per_node") != 0 || vl_entry_value(entry, 0) != 0;
        const bool is_size =
            strcmp(entry->name, "ranks") == 0 ||
            (!vl_question_hides(entry->name) && strcmp(entry->name, "reversed") != 0 && has_nodes);
        if (entry->count == 1 && (is_whole(entry) || entry->dtype == VL_F64) && is_size &&
            !is_asked(entry->name, c, inputs, length))
            add(text, entry->name, vl_entry_value(entry, 0));
    }
}

char *vl_question_text(const struct vl_case *c, const struct vl_bag *inputs, size_t length,
                       size_t question)
{
    struct vl_size size;
    char *sizes = NULL, *sentence = NULL;
    size_t bytes;
    struct text text = {.out = open_memstream(&sizes, &bytes)};
    if (text.out == NULL)
        return NULL;
    add_scalars(&text, c, inputs, length);
    const size_t common = text.count;
    for (size_t k = 0; length > 1 && vl_question_size(&size, c, inputs, length, question, k); k++)
        if (!vl_question_hides(size.name))
            add(&text, size.name, size.value);
    const bool says = text.count <= MOST_SIZES && text.count > (length > 1 ? common : 0);
    if (fclose(text.out) == 0 && says)
        sentence = vl_text_format(_("In this call: %s."), sizes);
    free(sizes);
    return sentence;
}
