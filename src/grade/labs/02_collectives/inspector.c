/*
 * Lab 02's poll in words. If it says done too early, chance decides which bytes have come by then.
 * No two runs give the same wrong numbers, so no known mistake explains them.
 */
#include "base/text.h"
#include "grade/catalogue/case.h"
#include "grade/judge/inspect.h"
#include "grade/labs/02_collectives/collectives.h"

#include <stdbool.h>

/* Called where outputs are wrong. If every rank is done and came back, it is the data. */
static VL_INSPECTION(tell_poll)
{
    int early = 0, ended = 1;
    if (vl_bag_find(inputs, "element_bytes") == NULL)
        return VL_OK; /* a sum: what is wrong may have been added twice */
    for (int rank = 0; rank < (int)vl_bag_int(inputs, "ranks"); rank++) {
        ended &= vl_bag_int(outputs, VL_RANKED("done", rank)) == 1;
        if (vl_bag_find(expected, VL_RANKED("done_early", rank)) == NULL)
            continue;
        ended &= vl_bag_int(outputs, VL_RANKED("came_back", rank)) == 1;
        early |= vl_bag_int(outputs, VL_RANKED("done_early", rank)) != 0;
    }
    if (!ended)
        return VL_OK;
    const bool sent = vl_bag_int(inputs, "late") != 0;
    return vl_sign_say(sign, "done_too_early", "%s",
                       early && sent
                           ? _("Poll said done although nobody had received the message yet: it is "
                               "not enough that MPI has it.")
                       : early ? _("Poll said done although the last rank had not begun.")
                               : _("Poll said done before all data had arrived."));
}

const struct vl_inspector vl_inspectors_collectives[] = {{"vl_transfer_poll", NULL, tell_poll},
                                                         {NULL, NULL, NULL}};
