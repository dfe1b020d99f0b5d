/* In which way an answer is wrong: what was found, and the place. */
#include "grade/judge/judge.h"

#include "base/text.h"
#include "grade/judge/judgement.h"

#include <math.h>

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
