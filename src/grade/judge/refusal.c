#include "grade/judge/refusal.h"

#include "base/text.h"
#include "grade/judge/judgement.h"
#include "wire/results.h"

#include <stdbool.h>

/* The status that all ranks must return; VL_OK if they need not all return the same error. */
static enum vl_status asked_of_all(struct vl_judgement *t)
{
    enum vl_status all = vl_judgement_status(t, t->c->per_rank ? 0 : -1);
    for (int rank = 1; t->c->per_rank && rank < t->c->ranks; rank++)
        if (vl_judgement_status(t, rank) != all)
            return VL_OK;
    return all;
}

/* Has every rank returned this status? */
static bool all_returned(const struct vl_case *c, const struct vl_bag *outputs,
                         enum vl_status asked)
{
    if (outputs == NULL)
        return false;
    if (!c->per_rank)
        return vl_bag_int(outputs, "status") == (int64_t)asked;
    for (int rank = 0; rank < c->ranks; rank++)
        if (vl_bag_int(outputs, VL_RANKED("status", rank)) != (int64_t)asked)
            return false;
    return true;
}

char *vl_refusal_words(const struct vl_case *c, const struct vl_bag *inputs,
                       const struct vl_bag *outputs)
{
    struct vl_judgement t = {.c = c, .inputs = inputs};
    vl_judgement_open(&t);
    enum vl_status asked = t.status == VL_OK ? asked_of_all(&t) : VL_OK;
    vl_bag_free(t.expected);
    return asked != VL_OK && !all_returned(c, outputs, asked)
               ? vl_text_format(
                     _("The contract asks for %s here: refuse this call before anything is done."),
                     vl_status_name(asked))
               : NULL;
}
