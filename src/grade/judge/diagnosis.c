#include "grade/judge/diagnosis.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAST_BITS 1e-6 /* relative: what another order of adding floats changes */

enum vl_status vl_diagnosis_conclude(struct vl_diagnosis *t, enum vl_case_status status,
                                     const char *code, char *message)
{
    t->result->status = status;
    t->result->code = strdup(code);
    t->result->message = message;
    return t->result->code && message ? VL_OK : VL_ENOMEM;
}

/* "dx[3, 5]: expected 0.5, got 0.25."; a single number has no place: "loss: expected ...". On
 * several ranks the rank comes first. */
static char *place_text(const struct vl_diagnosis *t)
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
static enum vl_status fail_at(struct vl_diagnosis *t, const char *code, char *sentence, char *place)
{
    char *message = NULL;
    if (!sentence || !place || asprintf(&message, "%s %s", sentence, place) < 0)
        message = NULL;
    free(sentence);
    free(place);
    return vl_diagnosis_conclude(t, VL_CASE_FAILED, code, message);
}

/* Where it shows most. Takes the sentence. */
static enum vl_status fail_at_worst(struct vl_diagnosis *t, const char *code, char *sentence)
{
    return fail_at(t, code, sentence, place_text(t));
}

/* How far the outputs are from a wrong answer: the largest distance of its arrays. */
static double distance(const struct vl_diagnosis *t, const struct vl_bag *wrong)
{
    double largest = vl_bag_count(wrong) > 0 ? 0 : INFINITY;
    for (size_t a = 0; a < vl_bag_count(wrong); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(wrong, a);
        const struct vl_tensor_entry *expected = vl_bag_find(t->expected, entry->name);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, entry->name);
        if (!expected || !got || entry->count != expected->count)
            return INFINITY;
        largest = fmax(largest, vl_compare(got, entry, expected, t->c->floor).error);
    }
    return largest;
}

/* How far a wrong answer is from the truth. */
static double harm_of(const struct vl_diagnosis *t, const struct vl_bag *wrong)
{
    double largest = 0;
    for (size_t a = 0; a < vl_bag_count(wrong); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(wrong, a);
        const struct vl_tensor_entry *expected = vl_bag_find(t->expected, entry->name);
        if (!expected || entry->count != expected->count)
            return INFINITY;
        largest = fmax(largest, vl_compare(entry, expected, expected, t->c->floor).error);
    }
    return largest;
}

/* The known wrong answer that explains the outputs best, and much better than the truth does. A
 * mistake may do no harm in this case: then its answer is the truth, and explains nothing. Last
 * bits are no harm, unless nothing else is wrong; then one that is wrong in them will do for all,
 * since there are more orders of adding than anybody can list. */
static enum vl_status find_suspect(const struct vl_suspect **found, const struct vl_diagnosis *t)
{
    double least = fmin(t->near, t->worst.error / 4), none = fmin(1e-12, t->worst.error / 4);
    const struct vl_suspect *similar = NULL;
    *found = NULL;
    for (const struct vl_suspect *s = t->c->suspects; s && s->code; s++) {
        struct vl_bag *wrong = vl_bag_create();
        enum vl_status status = wrong ? s->answer(wrong, t->inputs, t->expected) : VL_ENOMEM;
        double harm = status == VL_OK ? harm_of(t, wrong) : 0;
        if (harm > none) {
            double d = distance(t, wrong);
            if (t->worst.error < LAST_BITS && harm < LAST_BITS)
                similar = s;
            if (d < least || (!*found && d <= least)) {
                least = d;
                *found = s;
            }
        }
        vl_bag_free(wrong);
        if (status != VL_OK)
            return status;
    }
    if (*found == NULL)
        *found = similar;
    return VL_OK;
}

/* An inspector's own words for the place. True if it had any. */
static int tell_place(struct vl_diagnosis *t, const struct vl_suspect *suspect,
                      enum vl_status *done)
{
    struct vl_sign sign = {0};
    if (t->inspector == NULL || t->inspector->tell == NULL)
        return 0;
    *done = t->inspector->tell(&sign, t->inputs, t->expected, t->outputs);
    if (*done != VL_OK || sign.code == NULL)
        return *done != VL_OK;
    if (suspect != NULL)
        *done = fail_at(t, suspect->code, strdup(_(suspect->message)), sign.message);
    else
        *done = vl_diagnosis_conclude(t, VL_CASE_FAILED, sign.code, sign.message);
    return 1;
}

enum vl_status vl_diagnosis_diagnose(struct vl_diagnosis *t)
{
    if (vl_bag_int(t->expected, "status") != VL_OK)
        return fail_at_worst(t, "changed_on_error",
                             strdup(_("After an error everything must be as it was before the "
                                      "call.")));
    const struct vl_suspect *suspect;
    enum vl_status status = find_suspect(&suspect, t);
    if (status != VL_OK)
        return status;
    if (suspect && strcmp(suspect->code, "not_sealed") == 0)
        return vl_diagnosis_conclude(t, VL_CASE_NOT_STARTED, suspect->code,
                                     strdup(_(suspect->message)));
    if (tell_place(t, suspect, &status))
        return status;
    if (suspect)
        return fail_at_worst(t, suspect->code, strdup(_(suspect->message)));
    if (!isfinite(vl_entry_value(t->worst_got, t->worst.worst)))
        return fail_at_worst(t, "not_a_number",
                             strdup(_("The result holds infinity or something that is not a "
                                      "number.")));
    struct vl_sign sign;
    status = vl_signs_find(&sign, t->worst_got, t->worst_expected, t->inputs, t->near);
    if (status != VL_OK)
        return status;
    if (sign.code)
        return fail_at_worst(t, sign.code, sign.message);
    return fail_at_worst(t, "wrong_values", strdup(_("The numbers are wrong.")));
}
