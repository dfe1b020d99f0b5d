/*
 * What is said of outputs that are wrong: the known mistake that was found, an inspector's words for
 * the place, a value that is no number, general signs; then the worst element.
 */
#include "grade/judge/judgement.h"

#include "grade/judge/judge.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum vl_status vl_judgement_close(struct vl_judgement *t, enum vl_case_status status,
                                  const char *code, char *message)
{
    t->result->status = status;
    t->result->code = strdup(code);
    t->result->message = message;
    return t->result->code && message ? VL_OK : VL_ENOMEM;
}

/* "dx[3, 5]: expected 0.5, got 0.25."; a single number has no place: "loss: expected ...". On
 * several ranks the rank comes first. */
static char *place_text(const struct vl_judgement *t)
{
    char expected[VL_NUMBER_TEXT], got[VL_NUMBER_TEXT], bare[VL_RANKED_NAME], *text = NULL;
    int rank = vl_split_name(bare, t->worst_expected->name), written;
    size_t columns = vl_entry_columns(t->worst_expected), i = t->worst.worst;
    size_t row = i / columns, column = i % columns;
    vl_number_short(expected, vl_entry_value(t->worst_expected, i), 6);
    vl_number_short(got, vl_entry_value(t->worst_got, i), 6);
    if (t->worst_expected->count == 1 && rank < 0)
        written = asprintf(&text, _("%1$s: expected %2$s, got %3$s."), bare, expected, got);
    else if (t->worst_expected->count == 1)
        written = asprintf(&text, _("Rank %1$d, %2$s: expected %3$s, got %4$s."), rank, bare,
                           expected, got);
    else if (rank < 0)
        written = asprintf(&text, _("%1$s[%2$zu, %3$zu]: expected %4$s, got %5$s."), bare, row,
                           column, expected, got);
    else
        written = asprintf(&text, _("Rank %1$d, %2$s[%3$zu, %4$zu]: expected %5$s, got %6$s."),
                           rank, bare, row, column, expected, got);
    return written < 0 ? NULL : text;
}

/* The diagnosis, then the place. Takes both. */
static enum vl_status fail_at(struct vl_judgement *t, const char *code, char *sentence, char *place)
{
    char *message = NULL;
    if (!sentence || !place || asprintf(&message, "%s %s", sentence, place) < 0)
        message = NULL;
    free(sentence);
    free(place);
    return vl_judgement_close(t, VL_CASE_FAILED, code, message);
}

/* Where it shows most. Takes the sentence. */
enum vl_status vl_judgement_close_at_worst(struct vl_judgement *t, const char *code, char *sentence)
{
    return fail_at(t, code, sentence, place_text(t));
}

/* An inspector's own words for the place. True if it had any. */
static int tell_place(struct vl_judgement *t, const struct vl_cause *cause, enum vl_status *done)
{
    struct vl_sign sign = {0};
    if (t->inspector == NULL || t->inspector->tell == NULL)
        return 0;
    *done = t->inspector->tell(&sign, t->inputs, t->expected, t->outputs);
    if (*done != VL_OK || sign.code == NULL)
        return *done != VL_OK;
    if (cause != NULL)
        *done = fail_at(t, cause->code, strdup(_(cause->sentence)), sign.message);
    else
        *done = vl_judgement_close(t, VL_CASE_FAILED, sign.code, sign.message);
    return 1;
}

/* What can be told from the numbers alone. */
static enum vl_status tell_sign(struct vl_judgement *t)
{
    struct vl_sign sign;
    if (!isfinite(vl_entry_value(t->worst_got, t->worst.worst)))
        return vl_judgement_close_at_worst(
            t, "not_a_number",
            strdup(_("The result holds infinity or something that is not a number.")));
    enum vl_status status =
        vl_signs_find(&sign, t->worst_got, t->worst_expected, t->inputs, t->near);
    if (status != VL_OK)
        return status;
    if (sign.code)
        return vl_judgement_close_at_worst(t, sign.code, sign.message);
    return vl_judgement_close_at_worst(t, "wrong_values", strdup(_("The numbers are wrong.")));
}

enum vl_status vl_explain(struct vl_case_result *result, const struct vl_case *c,
                          const struct vl_bag *inputs, const struct vl_bag *outputs,
                          const struct vl_cause *cause)
{
    struct vl_judgement t = {.result = result, .c = c, .inputs = inputs, .outputs = outputs};
    enum vl_status status = vl_judgement_open(&t);
    if (status == VL_OK)
        vl_judgement_measure(&t);
    if (status == VL_OK && !tell_place(&t, cause, &status))
        status = cause != NULL
                     ? vl_judgement_close_at_worst(&t, cause->code, strdup(_(cause->sentence)))
                     : tell_sign(&t);
    vl_bag_free(t.expected);
    return status;
}
