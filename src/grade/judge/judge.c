/*
 * The judge decides whether a case is right; explain.c says in which way it is wrong.
 *
 * The outputs come from a process that runs someone else's code, so nothing about them is trusted:
 * names, types and sizes are checked before a number is read.
 */
#include "grade/judge/judge.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"
#include "grade/judge/judgement.h"
#include "grade/judge/question.h"
#include "grade/judge/unwritten.h"
#include "wire/results.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ALL_RANKS      (-1)
#define UNREFUSED_MOST 120 /* characters of an argument that are told, and one */

/* The array of this name, of one rank (-1: the only one). */
static const struct vl_tensor_entry *find(const struct vl_bag *bag, const char *name, int rank)
{
    return vl_bag_find(bag, rank < 0 ? name : VL_RANKED(name, rank));
}

static int64_t told(const struct vl_judgement *t, const char *name, int rank)
{
    return vl_bag_int(t->outputs, rank < 0 ? name : VL_RANKED(name, rank));
}

/* The name, for people, of an array that the runner gave by its place in a bag, from 1. */
static const char *shown_array(char text[VL_SHOWN_NAME], const struct vl_bag *bag, int64_t place)
{
    const struct vl_tensor_entry *entry = vl_bag_entry(bag, (size_t)place - 1);
    return entry ? vl_shown_name(text, entry->name) : "?";
}

/* Each judge_...() is true if the case is decided. */

/* The result of the call that did not come back with VL_OK; NULL if that is not known. */
static const struct vl_tensor_entry *refused(const struct vl_judgement *t, size_t *element)
{
    const struct vl_tensor_entry *told_answered = vl_bag_find(t->outputs, VL_ANSWERED);
    const int64_t answered = vl_bag_int(t->outputs, VL_ANSWERED);
    for (size_t a = 0; told_answered != NULL && a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        *element = (size_t)answered;
        if (vl_judgement_is_compared(expected) && answered >= 0 && *element < expected->count)
            return expected;
    }
    return NULL;
}

/* The argument for which a call had to be refused, as the runner wrote it: code, in plain ASCII. Empty if the
 * runner did not say. */
static void unrefused(char argument[UNREFUSED_MOST], const struct vl_judgement *t, int rank)
{
    const struct vl_tensor_entry *entry = find(t->outputs, VL_UNREFUSED, rank);
    size_t length = 0;
    if (entry != NULL && entry->dtype == VL_U8 && entry->count < UNREFUSED_MOST)
        for (size_t i = 0; i < entry->count; i++) {
            const unsigned char letter = ((const unsigned char *)entry->data)[i];
            if (letter >= ' ' && letter <= '~' && letter != '`')
                argument[length++] = (char)letter;
        }
    argument[length] = '\0';
}

/* What the call was asked whose status is wrong: that of one result or, where the case is a single call, of the
 * case. */
static char *question_of_status(const struct vl_judgement *t, enum vl_status wanted)
{
    size_t element = 0;
    const struct vl_tensor_entry *result = wanted == VL_OK ? refused(t, &element) : NULL;
    if (result != NULL)
        return vl_judgement_question(t, result, element);
    return t->c->sealed ? NULL : vl_question_text(t->c, t->inputs, 1, 0);
}

static bool close_at_status(struct vl_judgement *t, int rank, enum vl_status wanted)
{
    const char *status = vl_status_name((enum vl_status)told(t, "status", rank));
    char argument[UNREFUSED_MOST];
    unrefused(argument, t, rank);
    const bool told_argument = argument[0] != '\0' && wanted != VL_OK;
    char *sentence =
        told_argument
            ? vl_text_format(
                  _("Called with `%1$s`, the function returned status %2$s, but the contract asks "
                    "for %3$s."),
                  argument, status, vl_status_name(wanted))
            : vl_text_format(
                  _("The function returned status %1$s, but the contract asks for %2$s here."),
                  status, vl_status_name(wanted));
    return vl_judgement_close_with_question(t, "unexpected_status", sentence,
                                            told_argument ? NULL : question_of_status(t, wanted));
}

/* Before any number: did the call come back, with what status, and what did it touch? */
static bool judge_rank(struct vl_judgement *t, int rank)
{
    char shown[VL_SHOWN_NAME];
    const struct vl_tensor_entry *returned = find(t->outputs, "status", rank);
    if (!returned || returned->dtype != VL_I64 || returned->count != 1)
        return vl_judgement_close(t, VL_CASE_FAILED, "no_output",
                                  _("No result came back from the submission."));

    enum vl_status status = (enum vl_status)told(t, "status", rank);
    if (status == VL_TODO)
        return vl_judgement_close(t, VL_CASE_NOT_STARTED, "not_started", "%s",
                                  vl_status_text(status));
    if (status == VL_EMISSING)
        return vl_judgement_close(t, VL_CASE_FAILED, "function_missing", "%s",
                                  vl_status_text(status));

    int64_t damaged = told(t, "damaged", rank), changed = told(t, "inputs_changed", rank);
    if (damaged != 0)
        return vl_judgement_close(
            t, VL_CASE_FAILED, "out_of_bounds",
            _("The function wrote outside the array %s: look at where each write begins, and how "
              "far its loops go."),
            shown_array(shown, t->outputs, damaged));
    if (changed != 0)
        return vl_judgement_close(t, VL_CASE_FAILED, "input_modified",
                                  _("The function changed its input %s, which is only to be read."),
                                  shown_array(shown, t->inputs, changed));

    enum vl_status wanted = vl_judgement_status(t, rank);
    return status != wanted && close_at_status(t, rank, wanted);
}

static bool judge_manners(struct vl_judgement *t)
{
    if (!t->c->per_rank)
        return judge_rank(t, -1);
    for (int rank = 0; rank < t->c->ranks; rank++)
        if (judge_rank(t, rank))
            return true;
    return false;
}

/* Whole numbers must come as I64, all others as floating point. */
static bool comparable(const struct vl_tensor_entry *got, const struct vl_tensor_entry *expected)
{
    if (!got || got->count != expected->count)
        return false;
    if (expected->dtype == VL_I64)
        return got->dtype == VL_I64;
    return got->dtype == VL_F32 || got->dtype == VL_F64;
}

/* Is an array there, and written? */
static bool judge_array(struct vl_judgement *t, const struct vl_tensor_entry *expected)
{
    char shown[VL_SHOWN_NAME];
    const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
    if (!comparable(got, expected))
        return vl_judgement_close(t, VL_CASE_FAILED, "no_output",
                                  _("The result %s did not come back whole from the submission."),
                                  vl_shown_name(shown, expected->name));
    return vl_judge_unwritten(t, expected, got);
}

static bool judge_presence(struct vl_judgement *t)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        if (vl_judgement_is_compared(expected) && judge_array(t, expected))
            return true;
    }
    return false;
}

/* What only an inspector can see. */
static bool judge_structure(struct vl_judgement *t)
{
    return vl_bag_int(t->expected, "status") == VL_OK &&
           vl_judgement_ask(t, t->inspector->look, NULL);
}

/* A prediction that still holds the skeleton's zeros. */
static int is_unsealed(const struct vl_judgement *t)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        for (size_t i = 0; vl_judgement_is_compared(expected) && i < expected->count; i++)
            if (vl_entry_value(got, i) != 0)
                return 0;
    }
    return t->c->sealed;
}

/* The last check: the numbers. False if they are wrong and the cause is still to be found. */
static bool judge_numbers(struct vl_judgement *t)
{
    struct vl_case_result *result = t->result;
    vl_judgement_measure(t);
    /* A case that only asks for a status compares no array; and the error of a sealed prediction would
     * tell the right number. */
    if (t->worst_expected && !t->c->sealed)
        result->measured = t->worst.error;
    if (!t->worst_expected || t->worst.error <= t->c->bound) {
        result->status = VL_CASE_PASSED;
        result->points = result->max_points;
        return true;
    }
    if (is_unsealed(t))
        return vl_judgement_close(t, VL_CASE_NOT_STARTED, "not_sealed",
                                  _("Not sealed yet: write down your number in predict.c."));
    if (vl_bag_int(t->expected, "status") != VL_OK)
        return vl_judgement_close_at_worst(
            t, "changed_on_error",
            _("After an error, this must be what the contract says; where the contract says "
              "nothing, it must be as it was before the call."));
    result->status = VL_CASE_FAILED;
    return false;
}

/* Is this a number of that rank, or of any, with such a name? */
static bool is_count(const struct vl_tensor_entry *entry, const char *ending, bool received,
                     int rank)
{
    char bare[VL_RANKED_NAME];
    int of = vl_split_name(bare, entry->name);
    return of >= 0 && (rank == ALL_RANKS || of == rank) && vl_path_ends_in(bare, ending) &&
           (strncmp(bare, "received", strlen("received")) == 0) == received;
}

/* What a rank, or all, send or, with 'received', receive; -1 where none is expected. The parts of a
 * case may have one number each: "forward_bytes", "backward_bytes". */
static int64_t expected_sum(const struct vl_judgement *t, const char *ending, bool received,
                            int rank)
{
    int64_t sum = 0;
    bool found = false;
    for (size_t a = 0; t->c->per_rank && a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(t->expected, a);
        if (!is_count(entry, ending, received, rank))
            continue;
        found = true;
        sum += vl_bag_int(t->expected, entry->name);
    }
    return found ? sum : -1;
}

/* What all ranks receive is what all of them send. */
static int64_t expected_traffic(const struct vl_judgement *t, const char *ending)
{
    int64_t sent = expected_sum(t, ending, false, ALL_RANKS);
    return sent >= 0 ? sent : expected_sum(t, ending, true, ALL_RANKS);
}

/* The truth's numbers for the audit. */
static void expect_traffic(struct vl_judged *judged, const struct vl_judgement *t)
{
    judged->sent_messages = expected_traffic(t, "_messages");
    const char *ending = judged->sent_messages >= 0 ? "_bytes" : "sent_bytes";
    judged->sent_bytes = expected_traffic(t, ending);
    bool most = expected_sum(t, VL_MOST_BYTES, false, ALL_RANKS) >= 0; /* of all, but whose? */
    for (int rank = 0; rank < VL_BOARD_RANKS; rank++) {
        int64_t alone = expected_sum(t, VL_MOST_SENT, false, rank);
        judged->rank_bytes[rank] =
            alone >= 0 || most ? alone : expected_sum(t, ending, false, rank);
        judged->rank_messages[rank] = expected_sum(t, "_messages", false, rank);
    }
}

enum vl_status vl_judge(struct vl_case_result *result, struct vl_judged *judged,
                        const struct vl_case *c, double max_points, const struct vl_bag *inputs,
                        const struct vl_bag *outputs)
{
    struct vl_judgement t = {.result = result, .c = c, .inputs = inputs, .outputs = outputs};
    result->status = VL_CASE_ERROR;
    result->points = 0;
    result->max_points = c->share * max_points;
    result->bound = c->bound;
    result->measured = NAN;
    result->code = result->message = NULL;

    vl_judgement_open(&t);
    expect_traffic(judged, &t);
    judged->idle = t.status == VL_OK && vl_judgement_is_idle(&t);
    const bool comes_back = t.status == VL_OK && !judge_manners(&t) && !judge_presence(&t);
    judged->inspected = comes_back && judge_structure(&t);
    judged->open = comes_back && !judged->inspected && !judge_numbers(&t);
    vl_bag_free(t.expected);
    return t.status;
}
