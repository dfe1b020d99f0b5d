/*
 * A run of lab 07: what was returned, what was asked of the stage, and what it computed when.
 */
#include "base/text.h"
#include "grade/labs/07_pipeline_parallel/inspector.h"

static int64_t number_of(const struct vl_bag *bag, const char *name, int rank)
{
    char ranked[VL_RANKED_NAME];
    return vl_bag_int(bag, vl_ranked(ranked, name, rank));
}

static void look_at_return(struct vl_sign *sign, const struct vl_bag *expected,
                           const struct vl_bag *outputs, int rank)
{
    const enum vl_status wanted = (enum vl_status)number_of(expected, "returned", rank),
                         returned = (enum vl_status)number_of(outputs, "returned", rank);
    if (wanted == returned)
        return;
    if (wanted != VL_OK)
        vl_sign_say(sign, "error_not_passed_on",
                    _("A function of the stage failed on rank %1$d with %2$s, and the run "
                      "returned %3$s: every status but VL_OK is returned at once."),
                    rank, vl_status_code(wanted), vl_status_code(returned));
    else
        vl_sign_say(sign, "unexpected_status",
                    _("The run returned %1$s on rank %2$d, and nothing there failed."),
                    vl_status_code(returned), rank);
}

static void look_at_order(struct vl_sign *sign, const struct vl_pipe *pipe,
                          const struct vl_bag *expected, const struct vl_bag *outputs, int rank)
{
    char name[VL_RANKED_NAME], wanted[VL_TASK_TEXT], found[VL_TASK_TEXT];
    vl_ranked(name, "order", rank);
    const int64_t *truth = vl_pipe_numbers(expected, name, pipe->width),
                  *got = vl_pipe_numbers(outputs, name, pipe->width);
    size_t i = 0;
    while (truth != NULL && got != NULL && i < pipe->width && truth[i] == got[i])
        i++;
    if (truth == NULL || got == NULL || i == pipe->width)
        return;
    vl_pipe_task_text(wanted, pipe, (size_t)truth[i]);
    vl_pipe_task_text(found, pipe, (size_t)got[i]);
    if (truth[i] < 0)
        vl_sign_say(sign, "went_on",
                    _("Rank %1$d went on with %2$s after a task had failed: return the "
                      "status at once."),
                    rank, found);
    else if (got[i] < 0)
        vl_sign_say(sign, "not_computed",
                    _("Rank %1$d stopped before %2$s: a stage does all of its actions."), rank,
                    wanted);
    else
        vl_sign_say(sign, "other_order",
                    _("Rank %1$d computed %2$s where its actions say %3$s (computation "
                      "%4$zu, counted from 0)."),
                    rank, found, wanted, i);
}

VL_INSPECTION(vl_look_at_run)
{
    const struct vl_pipe pipe = vl_pipe_read(inputs);
    for (int rank = 0; sign->code == NULL && rank < (int)pipe.size.stages; rank++) {
        look_at_return(sign, expected, outputs, rank);
        if (sign->code == NULL)
            look_at_order(sign, &pipe, expected, outputs, rank);
        if (sign->code == NULL && number_of(outputs, "strange", rank) > 0)
            vl_sign_say(sign, "no_such_message",
                        _("Rank %d asked for the memory of a message that there is not: "
                          "only a send or a receive among its actions has one, and "
                          "'message' gets that action and the stage's own context."),
                        rank);
    }
    return VL_OK;
}
