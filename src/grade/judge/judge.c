/*
 * The judge: right or wrong. In which way it is wrong: explain.c.
 *
 * The outputs come from a process that runs someone else's code, so nothing about them is believed:
 * names, types and sizes are looked at before a number is read.
 */
#include "grade/judge/judge.h"

#include "base/text.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"
#include "grade/judge/judgement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum vl_status fail_with_name(struct vl_judgement *t, const char *code, const char *sentence,
                                     const char *name)
{
    char *message = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (asprintf(&message, sentence, name) < 0)
        message = NULL;
#pragma GCC diagnostic pop
    return vl_judgement_close(t, VL_CASE_FAILED, code, message);
}

/* What the runner wrote about rank 'rank' (-1: the only one) under this name. */
static int64_t told(const struct vl_bag *bag, const char *name, int rank)
{
    char ranked[VL_RANKED_NAME];
    return vl_bag_int(bag, rank < 0 ? name : vl_ranked(ranked, name, rank));
}

/* The status that is expected of a rank: its own, or the one for all. */
static enum vl_status expected_status(const struct vl_judgement *t, int rank)
{
    char ranked[VL_RANKED_NAME];
    const char *name = "status";
    if (rank >= 0 && vl_bag_find(t->expected, vl_ranked(ranked, "status", rank)) != NULL)
        name = ranked;
    return (enum vl_status)vl_bag_int(t->expected, name);
}

static int judge_touching(struct vl_judgement *t, int rank, enum vl_status *done)
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
static int judge_rank(struct vl_judgement *t, int rank, enum vl_status *done)
{
    char name[VL_RANKED_NAME];
    const struct vl_tensor_entry *returned =
        vl_bag_find(t->outputs, rank < 0 ? "status" : vl_ranked(name, "status", rank));
    if (!returned || returned->dtype != VL_I64 || returned->count != 1) {
        *done = vl_judgement_close(t, VL_CASE_FAILED, "no_output",
                                   strdup(_("No result came back from the submission.")));
        return 1;
    }
    enum vl_status status = (enum vl_status)told(t->outputs, "status", rank);
    if (status == VL_TODO) {
        *done = vl_judgement_close(t, VL_CASE_NOT_STARTED, "not_started",
                                   strdup(vl_status_text(status)));
        return 1;
    }
    if (status == VL_EMISSING) {
        *done = vl_judgement_close(t, VL_CASE_FAILED, "function_missing",
                                   strdup(vl_status_text(status)));
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
        *done = vl_judgement_close(t, VL_CASE_FAILED, "unexpected_status", message);
        return 1;
    }
    return 0;
}

static int judge_manners(struct vl_judgement *t, enum vl_status *done)
{
    if (!t->c->per_rank)
        return judge_rank(t, -1, done);
    for (int rank = 0; rank < t->c->ranks; rank++)
        if (judge_rank(t, rank, done))
            return 1;
    return 0;
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
static int judge_presence(struct vl_judgement *t, enum vl_status *done)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        if (vl_judgement_is_status(expected))
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
            *done = vl_judgement_close(t, VL_CASE_FAILED, "unwritten", message);
            return 1;
        }
    }
    return 0;
}

/* What only an inspector can see. True if the case is decided. */
static int judge_structure(struct vl_judgement *t, enum vl_status *done)
{
    struct vl_sign sign = {0};
    if (t->inspector == NULL || t->inspector->look == NULL ||
        vl_bag_int(t->expected, "status") != VL_OK)
        return 0;
    *done = t->inspector->look(&sign, t->inputs, t->expected, t->outputs);
    if (*done == VL_OK && sign.code != NULL)
        *done = vl_judgement_close(t, VL_CASE_FAILED, sign.code, sign.message);
    return sign.code != NULL || *done != VL_OK;
}

/* A prediction that still holds the skeleton's zeros. */
static int is_unsealed(const struct vl_judgement *t)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        for (size_t i = 0; !vl_judgement_is_status(expected) && i < expected->count; i++)
            if (vl_entry_value(got, i) != 0)
                return 0;
    }
    return t->c->sealed;
}

/* Nothing but the numbers is left to look at. */
static enum vl_status judge_numbers(struct vl_judgement *t, bool *open)
{
    struct vl_case_result *result = t->result;
    vl_judgement_measure(t);
    /* A case that only asks for a status compares no array. */
    if (t->worst_expected)
        result->measured = t->worst.error;
    if (!t->worst_expected || t->worst.error <= t->c->bound) {
        result->status = VL_CASE_PASSED;
        result->points = result->max_points;
        return VL_OK;
    }
    if (is_unsealed(t))
        return vl_judgement_close(
            t, VL_CASE_NOT_STARTED, "not_sealed",
            strdup(_("Not sealed yet: write down your number in predict.c.")));
    if (vl_bag_int(t->expected, "status") != VL_OK)
        return vl_judgement_close_at_worst(
            t, "changed_on_error",
            strdup(_("After an error everything must be as it was before the call.")));
    result->status = VL_CASE_FAILED;
    *open = true;
    return VL_OK;
}

enum vl_status vl_judge(struct vl_case_result *result, bool *open, const struct vl_case *c,
                        double max_points, const struct vl_bag *inputs,
                        const struct vl_bag *outputs)
{
    struct vl_judgement t = {.result = result, .c = c, .inputs = inputs, .outputs = outputs};
    *open = false;
    result->status = VL_CASE_ERROR;
    result->points = 0;
    result->max_points = c->share * max_points;
    result->bound = c->bound;
    result->measured = NAN;
    result->code = result->message = NULL;

    enum vl_status status = vl_judgement_open(&t);
    if (status == VL_OK && !judge_manners(&t, &status) && !judge_presence(&t, &status) &&
        !judge_structure(&t, &status))
        status = judge_numbers(&t, open);
    vl_bag_free(t.expected);
    return status;
}
