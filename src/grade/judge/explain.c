/* In which way an answer is wrong. */
#include "grade/judge/judge.h"

#include "base/text.h"
#include "grade/judge/judgement.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Report the cause, if known; then the worst element. */
static void tell_worst(struct vl_judgement *t, const struct vl_cause *cause)
{
    if (cause != NULL)
        vl_judgement_close_at_worst(t, cause->code, vl_cause_words(cause));
    else if (!isfinite(vl_entry_value(t->worst_got, t->worst.worst)))
        vl_judgement_close_at_worst(
            t, "not_a_number", _("The result holds infinity or something that is not a number."));
    else if (t->c->sealed)
        vl_judgement_close_at_worst(
            t, "wrong_values",
            _("This prediction is wrong: work it out again from what the lab's text gives."));
    else
        vl_judgement_close_at_worst(t, "wrong_values", _("The numbers are wrong."));
}

enum vl_status vl_explain(struct vl_case_result *result, const struct vl_case *c,
                          const struct vl_bag *inputs, const struct vl_bag *outputs,
                          const struct vl_cause *cause)
{
    struct vl_judgement t = {.result = result, .c = c, .inputs = inputs, .outputs = outputs};
    vl_judgement_open(&t);
    if (t.status == VL_OK) {
        vl_judgement_measure(&t);
        if (!vl_judgement_ask(&t, t.inspector->tell, cause))
            tell_worst(&t, cause);
    }
    vl_bag_free(t.expected);
    return t.status;
}

/* ---- general signs ---- */

double vl_sign_nearness(const struct vl_case *c)
{
    return fmax(10 * c->bound, 1e-5);
}

/* Has the inspector of this function words of its own for these outputs? */
static bool is_inspected(struct vl_judgement *t)
{
    struct vl_sign sign = {0};
    if (t->inspector->tell != NULL)
        t->status = t->inspector->tell(&sign, t->inputs, t->expected, t->outputs);
    free(sign.message);
    return sign.code != NULL;
}

/* One more wrong array. False if it shows nothing, or something else than those before it. */
static bool add_array(struct vl_judgement *t, struct vl_sign *sign,
                      const struct vl_tensor_entry *got, const struct vl_tensor_entry *expected)
{
    struct vl_sign one = {0};
    double near = vl_sign_nearness(t->c);
    if (got->dtype == VL_F32)
        t->status = vl_signs_find(&one, got, expected, t->inputs, near);
    if (sign->code == NULL) {
        *sign = one;
        return one.code != NULL;
    }
    free(one.message);
    return vl_signs_agree(sign, &one, near);
}

static bool all_arrays_show(struct vl_judgement *t, struct vl_sign *sign)
{
    for (size_t a = 0; a < vl_bag_count(t->expected); a++) {
        const struct vl_tensor_entry *expected = vl_bag_entry(t->expected, a);
        const struct vl_tensor_entry *got = vl_bag_find(t->outputs, expected->name);
        if (!vl_judgement_is_compared(expected))
            continue;
        double error = vl_compare(got, expected, expected, t->c->floor).error;
        if (!(error <= t->c->bound) && (!isfinite(error) || !add_array(t, sign, got, expected)))
            return false;
    }
    return true;
}

enum vl_status vl_sign_of_case(struct vl_sign *sign, const struct vl_case *c,
                               const struct vl_bag *inputs, const struct vl_bag *outputs)
{
    struct vl_judgement t = {.c = c, .inputs = inputs, .outputs = outputs};
    *sign = (struct vl_sign){0};
    if (c->sealed)
        return VL_OK;
    vl_judgement_open(&t);
    if (t.status == VL_OK && (is_inspected(&t) || !all_arrays_show(&t, sign))) {
        free(sign->message);
        *sign = (struct vl_sign){0};
    }
    vl_bag_free(t.expected);
    return t.status;
}
