#include "grade/judge/judgement.h"
#include "grade/judge/question.h"

#include "base/number.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

bool vl_judgement_is_compared(const struct vl_tensor_entry *entry)
{
    char bare[VL_RANKED_NAME];
    vl_split_name(bare, entry->name);
    return strcmp(bare, "status") != 0 && strcmp(bare, VL_MOST_MESSAGES) != 0 &&
           strcmp(bare, VL_MOST_BYTES) != 0 && strcmp(bare, VL_MOST_SENT) != 0;
}

enum vl_status vl_judgement_status(const struct vl_judgement *t, int rank)
{
    const char *own = rank < 0 ? "status" : VL_RANKED("status", rank);
    return (enum vl_status)vl_bag_int(t->expected,
                                      vl_bag_find(t->expected, own) != NULL ? own : "status");
}

void vl_judgement_open(struct vl_judgement *t)
{
    t->inspector = vl_inspector_of(t->c->function);
    t->expected = vl_bag_create();
    t->status = t->expected ? t->c->truth(t->expected, t->inputs) : VL_ENOMEM;
}

void vl_judgement_measure(struct vl_judgement *t)
{
    t->worst.error = -1;
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        if (!vl_judgement_is_compared(expected))
            continue;
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        struct vl_comparison c = vl_compare(got, expected, expected, t->c->floor);
        if (c.error > t->worst.error) {
            t->worst = c;
            t->worst_expected = expected;
            t->worst_got = got;
        }
    }
}

bool vl_judgement_close(struct vl_judgement *t, enum vl_case_status status, const char *code,
                        const char *format, ...)
{
    va_list values;
    va_start(values, format);
    t->result->status = status;
    t->result->code = strdup(code);
    t->result->message = vl_text_vformat(format, values);
    va_end(values);
    if (!t->result->code || !t->result->message)
        t->status = VL_ENOMEM;
    return true;
}

/* An element, as it is told. */
static void tell_element(char text[VL_NUMBER_TEXT], const char *name, double value, int digits)
{
    static const char *const of_statuses[] = {"statuses", "answers"};
    for (size_t i = 0; i < sizeof of_statuses / sizeof *of_statuses; i++)
        if (strcmp(name, of_statuses[i]) == 0) {
            snprintf(text, VL_NUMBER_TEXT, "%s", vl_status_name((enum vl_status)(int)value));
            return;
        }
    vl_number_short(text, value, digits);
}

/* The worst element: what is expected and what came, with as many digits as it takes to tell them apart.
 * The number of digits in a sealed prediction must not show how near it is. */
static void tell_both(char expected[VL_NUMBER_TEXT], char got[VL_NUMBER_TEXT], const char *name,
                      const struct vl_judgement *t)
{
    const bool whole = t->worst_expected->dtype == VL_I64;
    const int digits[] = {t->c->sealed && whole ? 15 : 6, whole ? 15 : 9, 17};
    size_t i = 0;
    do {
        tell_element(expected, name, vl_entry_value(t->worst_expected, t->worst.worst), digits[i]);
        tell_element(got, name, vl_entry_value(t->worst_got, t->worst.worst), digits[i]);
    } while (!t->c->sealed && strcmp(expected, got) == 0 && ++i < sizeof digits / sizeof *digits);
}

/* "dx[3, 5]: expected 0.5, got 0.25."; a single number has no place: "loss: expected ...". On
 * several ranks the rank comes first. What a sealed prediction should be is never said. */
static char *place_text(const struct vl_judgement *t)
{
    char expected[VL_NUMBER_TEXT], got[VL_NUMBER_TEXT], bare[VL_RANKED_NAME];
    int rank = vl_split_name(bare, t->worst_expected->name);
    size_t columns = vl_entry_columns(t->worst_expected), i = t->worst.worst;
    size_t row = i / columns, column = i % columns;
    tell_both(expected, got, bare, t);
    if (t->c->sealed)
        return vl_text_format(_("%1$s: your number is %2$s."), bare, got);
    if (t->worst_expected->count == 1 && rank < 0)
        return vl_text_format(_("%1$s: expected %2$s, got %3$s."), bare, expected, got);
    if (t->worst_expected->count == 1)
        return vl_text_format(_("Rank %1$d, %2$s: expected %3$s, got %4$s."), rank, bare, expected,
                              got);
    if (rank < 0)
        return vl_text_format(_("%1$s[%2$zu, %3$zu]: expected %4$s, got %5$s."), bare, row, column,
                              expected, got);
    return vl_text_format(_("Rank %1$d, %2$s[%3$zu, %4$zu]: expected %5$s, got %6$s."), rank, bare,
                          row, column, expected, got);
}

char *vl_judgement_question(const struct vl_judgement *t, const struct vl_tensor_entry *expected,
                            size_t i)
{
    const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
    const size_t columns = vl_entry_columns(expected);
    if (t->c->sealed || got == NULL)
        return NULL;
    if (t->c->per_rank || got->dtype == VL_F32) /* no call on paper: the sizes are all that helps */
        return vl_question_text(t->c, t->inputs, 1, 0);
    char *question = vl_question_text(t->c, t->inputs, expected->count, i);
    if (question == NULL && columns > 1 && columns < expected->count) /* the same in each row */
        question = vl_question_text(t->c, t->inputs, columns, i % columns);
    return question;
}

bool vl_judgement_close_with_question(struct vl_judgement *t, const char *code, char *sentence,
                                      char *question)
{
    if (sentence != NULL)
        vl_judgement_close(t, VL_CASE_FAILED, code, "%s%s%s", sentence, question != NULL ? " " : "",
                           question != NULL ? question : "");
    else
        t->status = VL_ENOMEM;
    free(question);
    free(sentence);
    return true;
}

bool vl_judgement_close_at_worst(struct vl_judgement *t, const char *code, const char *sentence)
{
    char *place = place_text(t);
    char *both = place != NULL ? vl_text_format("%s %s", sentence, place) : NULL;
    free(place);
    return vl_judgement_close_with_question(
        t, code, both, vl_judgement_question(t, t->worst_expected, t->worst.worst));
}

const char *vl_cause_words(const struct vl_cause *cause)
{
    return cause->message != NULL ? cause->message : _(cause->sentence);
}

bool vl_judgement_ask(struct vl_judgement *t, vl_inspection *inspection,
                      const struct vl_cause *cause)
{
    struct vl_sign sign = {0};
    if (inspection == NULL)
        return false;
    t->status = inspection(&sign, t->inputs, t->expected, t->outputs);
    if (t->status == VL_OK && sign.code != NULL && cause != NULL)
        vl_judgement_close(t, VL_CASE_FAILED, cause->code, "%s %s", vl_cause_words(cause),
                           sign.message);
    else if (t->status == VL_OK && sign.code != NULL)
        vl_judgement_close(t, VL_CASE_FAILED, sign.code, "%s", sign.message);
    free(sign.message);
    return t->status != VL_OK || sign.code != NULL;
}
