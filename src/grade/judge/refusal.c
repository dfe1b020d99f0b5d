#include "grade/judge/refusal.h"

#include "base/text.h"
#include "grade/judge/judgement.h"

/* The status that all ranks must return; VL_OK if they need not all return the same error. */
static enum vl_status asked_of_all(struct vl_judgement *t)
{
    enum vl_status all = vl_judgement_status(t, t->c->per_rank ? 0 : -1);
    for (int rank = 1; t->c->per_rank && rank < t->c->ranks; rank++)
        if (vl_judgement_status(t, rank) != all)
            return VL_OK;
    return all;
}

char *vl_refusal_words(const struct vl_case *c, const struct vl_bag *inputs)
{
    struct vl_judgement t = {.c = c, .inputs = inputs};
    vl_judgement_open(&t);
    enum vl_status asked = t.status == VL_OK ? asked_of_all(&t) : VL_OK;
    vl_bag_free(t.expected);
    return asked != VL_OK
               ? vl_text_format(
                     _("The contract asks for %s here: refuse this call before anything is done."),
                     vl_status_name(asked))
               : NULL;
}
