/* In which way an answer is wrong. */
#include "grade/judge/judge.h"

#include "base/text.h"
#include "grade/judge/judgement.h"

#include <math.h>
#include <stdlib.h>

static enum vl_status find_sign(struct vl_sign *sign, const struct vl_judgement *t)
{
    double near = fmax(10 * t->c->bound, 1e-5); /* relative: so close counts as the same */
    return vl_signs_find(sign, t->worst_got, t->worst_expected, t->inputs, near);
}

/* Report the cause, if known, else what the numbers alone show; then the worst element. */
static void tell_worst(struct vl_judgement *t, const struct vl_cause *cause)
{
    struct vl_sign sign;
    if (cause != NULL) {
        vl_judgement_close_at_worst(t, cause->code, vl_cause_words(cause));
    } else if (!isfinite(vl_entry_value(t->worst_got, t->worst.worst))) {
        vl_judgement_close_at_worst(
            t, "not_a_number", _("The result holds infinity or something that is not a number."));
    } else if (t->c->sealed) { /* a sign ("twice too large") would tell the right number */
        vl_judgement_close_at_worst(
            t, "wrong_values",
            _("This prediction is wrong: work it out again from what the lab's text gives."));
    } else {
        t->status = find_sign(&sign, t);
        if (t->status == VL_OK && sign.code)
            vl_judgement_close_at_worst(t, sign.code, sign.message);
        else if (t->status == VL_OK)
            vl_judgement_close_at_worst(t, "wrong_values", _("The numbers are wrong."));
        free(sign.message);
    }
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

enum vl_status vl_explain_sign(struct vl_sign *sign, const struct vl_case *c,
                               const struct vl_bag *inputs, const struct vl_bag *outputs)
{
    struct vl_judgement t = {.c = c, .inputs = inputs, .outputs = outputs};
    *sign = (struct vl_sign){0};
    vl_judgement_open(&t);
    if (t.status == VL_OK) {
        vl_judgement_measure(&t);
        t.status = find_sign(sign, &t);
    }
    vl_bag_free(t.expected);
    return t.status;
}
