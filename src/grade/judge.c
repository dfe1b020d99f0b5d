/*
 * The judge: right or wrong, and if wrong, in which way.
 *
 * The outputs come from a process that runs someone else's code, so nothing about them is believed:
 * names, types and sizes are looked at before a number is read.
 */
#include "base/number.h"
#include "base/text.h"
#include "grade/case.h"
#include "grade/compare.h"
#include "grade/inspect.h"
#include "grade/signs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAST_BITS 1e-6 /* relative: what another order of adding floats changes */

/* What is being judged, and the worst of what was found. */
struct trial {
    struct vl_case_result *result;
    const struct vl_case *c;
    const struct vl_bag *inputs, *outputs;
    struct vl_bag *expected;
    const struct vl_tensor_entry *worst_expected, *worst_got;
    struct vl_comparison worst;
    const struct vl_inspector *inspector; /* may be NULL */
    double near;                          /* so close to a wrong answer that this must be it */
};

/* Close the case with a code and a sentence (fresh, may be NULL without memory). */
static enum vl_status conclude(struct trial *t, enum vl_case_status status, const char *code,
                               char *message)
{
    t->result->status = status;
    t->result->code = strdup(code);
    t->result->message = message;
    return t->result->code && message ? VL_OK : VL_ENOMEM;
}

static enum vl_status fail_with_name(struct trial *t, const char *code, const char *sentence,
                                     const char *name)
{
    char *message = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (asprintf(&message, sentence, name) < 0)
        message = NULL;
#pragma GCC diagnostic pop
    return conclude(t, VL_CASE_FAILED, code, message);
}

/* "dx[3, 5]: expected 0.5, got 0.25."; a single number has no place: "loss: expected ...". On
 * several ranks the rank comes first. */
static char *place_text(const struct trial *t)
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
static enum vl_status fail_at(struct trial *t, const char *code, char *sentence, char *place)
{
    char *message = NULL;
    if (!sentence || !place || asprintf(&message, "%s %s", sentence, place) < 0)
        message = NULL;
    free(sentence);
    free(place);
    return conclude(t, VL_CASE_FAILED, code, message);
}

/* Where it shows most. Takes the sentence. */
static enum vl_status fail_at_worst(struct trial *t, const char *code, char *sentence)
{
    return fail_at(t, code, sentence, place_text(t));
}

/* What the runner wrote about rank 'rank' (-1: the only one) under this name. */
static int64_t told(const struct vl_bag *bag, const char *name, int rank)
{
    char ranked[VL_RANKED_NAME];
    return vl_bag_int(bag, rank < 0 ? name : vl_ranked(ranked, name, rank));
}

/* The status that is expected of a rank: its own, or the one for all. */
static enum vl_status expected_status(const struct trial *t, int rank)
{
    char ranked[VL_RANKED_NAME];
    const char *name = "status";
    if (rank >= 0 && vl_bag_find(t->expected, vl_ranked(ranked, "status", rank)) != NULL)
        name = ranked;
    return (enum vl_status)vl_bag_int(t->expected, name);
}

static int judge_touching(struct trial *t, int rank, enum vl_status *done)
{
    char shown[VL_SHOWN_NAME];
    int64_t damaged = told(t->outputs, "damaged", rank);
    if (damaged != 0) {
        const struct vl_tensor_entry *entry = vl_bag_entry(t->outputs, (size_t)damaged - 1);
        *done = fail_with_name(t, "out_of_bounds",
                               _("The function wrote outside the array %s: look at the bounds of "
                                 "its loops."),
                               entry ? vl_shown_name(shown, entry->name) : "?");
        return 1;
    }
    int64_t changed = told(t->outputs, "inputs_changed", rank);
    if (changed != 0) {
        const struct vl_tensor_entry *entry = vl_bag_entry(t->inputs, (size_t)changed - 1);
        *done = fail_with_name(t, "input_modified",
                               _("The function changed its input %s, which is only to be read."),
                               entry ? entry->name : "?");
        return 1;
    }
    return 0;
}

/* Before any number: did the call come back, with what status, and what did it touch? True if the
 * case is decided. */
static int judge_rank(struct trial *t, int rank, enum vl_status *done)
{
    char name[VL_RANKED_NAME];
    const struct vl_tensor_entry *returned =
        vl_bag_find(t->outputs, rank < 0 ? "status" : vl_ranked(name, "status", rank));
    if (!returned || returned->dtype != VL_I64 || returned->count != 1) {
        *done = conclude(t, VL_CASE_FAILED, "no_output",
                         strdup(_("No result came back from the submission.")));
        return 1;
    }
    enum vl_status status = (enum vl_status)told(t->outputs, "status", rank);
    if (status == VL_TODO) {
        *done = conclude(t, VL_CASE_NOT_STARTED, "not_started", strdup(vl_status_text(status)));
        return 1;
    }
    if (status == VL_EMISSING) {
        *done = conclude(t, VL_CASE_FAILED, "function_missing", strdup(vl_status_text(status)));
        return 1;
    }
    if (judge_touching(t, rank, done))
        return 1;

    enum vl_status wanted = expected_status(t, rank);
    if (status != wanted) {
        char *message = NULL;
        if (asprintf(&message,
                     _("The function returned status %1$s, but the contract asks for %2$s here."),
                     vl_status_code(status), vl_status_code(wanted)) < 0)
            message = NULL;
        *done = conclude(t, VL_CASE_FAILED, "unexpected_status", message);
        return 1;
    }
    return 0;
}

static int judge_conduct(struct trial *t, enum vl_status *done)
{
    if (!t->c->per_rank)
        return judge_rank(t, -1, done);
    for (int rank = 0; rank < t->c->ranks; rank++)
        if (judge_rank(t, rank, done))
            return 1;
    return 0;
}

static int is_status(const struct vl_tensor_entry *entry)
{
    return strcmp(entry->name, "status") == 0 || strncmp(entry->name, "status@", 7) == 0;
}

/* Whole numbers must come as I64, all others as floating point. */
static int comparable(const struct vl_tensor_entry *got, const struct vl_tensor_entry *expected)
{
    if (!got || got->count != expected->count)
        return 0;
    if (expected->dtype == VL_I64)
        return got->dtype == VL_I64;
    return got->dtype == VL_F32 || got->dtype == VL_F64;
}

/* Is everything there, and written? */
static int judge_presence(struct trial *t, enum vl_status *done)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        if (is_status(expected))
            continue;
        char shown[VL_SHOWN_NAME];
        if (!comparable(got, expected)) {
            *done = fail_with_name(t, "no_output",
                                   _("The result %s did not come back whole from the submission."),
                                   vl_shown_name(shown, expected->name));
            return 1;
        }
        for (size_t i = 0; i < expected->count; i++) {
            if (!vl_entry_counts(expected, i) || !vl_bag_is_poison(got, i))
                continue;
            size_t columns = vl_entry_columns(expected);
            char *message = NULL;
            if (asprintf(&message,
                         _("%1$s[%2$zu, %3$zu] was never given a value (adding to it does not "
                           "count)."),
                         vl_shown_name(shown, expected->name), i / columns, i % columns) < 0)
                message = NULL;
            *done = conclude(t, VL_CASE_FAILED, "unwritten", message);
            return 1;
        }
    }
    return 0;
}

static void measure(struct trial *t)
{
    t->worst.error = -1;
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        if (is_status(expected))
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

/* How far the outputs are from a wrong answer: the largest distance of its arrays. */
static double distance(const struct trial *t, const struct vl_bag *wrong)
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
static double harm_of(const struct trial *t, const struct vl_bag *wrong)
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
static enum vl_status find_suspect(const struct vl_suspect **found, const struct trial *t)
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

/* What only an inspector can see. True if the case is decided. */
static int judge_structure(struct trial *t, enum vl_status *done)
{
    struct vl_sign sign = {0};
    t->inspector = vl_inspector_of(t->c->function);
    if (t->inspector == NULL || t->inspector->look == NULL ||
        vl_bag_int(t->expected, "status") != VL_OK)
        return 0;
    *done = t->inspector->look(&sign, t->inputs, t->expected, t->outputs);
    if (*done == VL_OK && sign.code != NULL)
        *done = conclude(t, VL_CASE_FAILED, sign.code, sign.message);
    return sign.code != NULL || *done != VL_OK;
}

/* An inspector's own words for the place. True if it had any. */
static int tell_place(struct trial *t, const struct vl_suspect *suspect, enum vl_status *done)
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
        *done = conclude(t, VL_CASE_FAILED, sign.code, sign.message);
    return 1;
}

static enum vl_status diagnose(struct trial *t)
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
        return conclude(t, VL_CASE_NOT_STARTED, suspect->code, strdup(_(suspect->message)));
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

enum vl_status vl_judge(struct vl_case_result *result, const struct vl_case *c, double max_points,
                        const struct vl_bag *inputs, const struct vl_bag *outputs)
{
    struct trial t = {.result = result, .c = c, .inputs = inputs, .outputs = outputs};
    t.near = fmax(10 * c->bound, 1e-5);
    result->status = VL_CASE_ERROR;
    result->points = 0;
    result->max_points = c->share * max_points;
    result->bound = c->bound;
    result->measured = NAN;
    result->code = result->message = NULL;

    t.expected = vl_bag_create();
    enum vl_status status = t.expected ? c->truth(t.expected, inputs) : VL_ENOMEM;
    if (status == VL_OK && !judge_conduct(&t, &status) && !judge_presence(&t, &status) &&
        !judge_structure(&t, &status)) {
        measure(&t);
        /* A case that only asks for a status compares no array. */
        if (!t.worst_expected || t.worst.error <= c->bound) {
            result->status = VL_CASE_PASSED;
            result->points = result->max_points;
        }
        if (t.worst_expected)
            result->measured = t.worst.error;
        if (result->status != VL_CASE_PASSED)
            status = diagnose(&t);
    }
    vl_bag_free(t.expected);
    return status;
}
