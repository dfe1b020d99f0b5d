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

static enum vl_status look_at_return(struct vl_sign *sign, const struct vl_bag *expected,
                                     const struct vl_bag *outputs, int rank)
{
    int64_t wanted = number_of(expected, "returned", rank),
            returned = number_of(outputs, "returned", rank);
    if (wanted == returned)
        return VL_OK;
    if (wanted != VL_OK)
        return vl_pipe_tell(sign, "error_not_passed_on",
                            _("A function of the stage failed on rank %1$d with %2$s, and the run "
                              "returned %3$s: every status but VL_OK is returned at once."),
                            rank, vl_status_code((enum vl_status)wanted),
                            vl_status_code((enum vl_status)returned));
    return vl_pipe_tell(sign, "unexpected_status",
                        _("The run returned %1$s on rank %2$d, and nothing there failed."),
                        vl_status_code((enum vl_status)returned), rank);
}

static const char *task_text(char text[VL_TASK_TEXT], const struct vl_pipe *pipe, int64_t number)
{
    int64_t m = (int64_t)pipe->size.micro_batches, v = (int64_t)pipe->size.chunks;
    return number < 0 ? vl_pipe_task_text(text, -1, 0, 0)
                      : vl_pipe_task_text(text, number / m / v, number / m % v, number % m);
}

static enum vl_status look_at_order(struct vl_sign *sign, const struct vl_pipe *pipe,
                                    const struct vl_bag *expected, const struct vl_bag *outputs,
                                    int rank)
{
    char name[VL_RANKED_NAME], wanted[VL_TASK_TEXT], found[VL_TASK_TEXT];
    vl_ranked(name, "order", rank);
    const int64_t *truth = vl_pipe_numbers(expected, name, pipe->width),
                  *got = vl_pipe_numbers(outputs, name, pipe->width);
    size_t i = 0;
    while (truth != NULL && got != NULL && i < pipe->width && truth[i] == got[i])
        i++;
    if (truth == NULL || got == NULL || i == pipe->width)
        return VL_OK;
    if (truth[i] < 0)
        return vl_pipe_tell(sign, "went_on",
                            _("Rank %1$d went on with %2$s after a task had failed: return the "
                              "status at once."),
                            rank, task_text(found, pipe, got[i]));
    if (got[i] < 0)
        return vl_pipe_tell(sign, "not_computed",
                            _("Rank %1$d stopped before %2$s: a stage does all of its actions."),
                            rank, task_text(wanted, pipe, truth[i]));
    return vl_pipe_tell(sign, "other_order",
                        _("Rank %1$d computed %2$s where its actions say %3$s (computation "
                          "%4$zu, counted from 0)."),
                        rank, task_text(found, pipe, got[i]), task_text(wanted, pipe, truth[i]), i);
}

enum vl_status vl_look_at_run(struct vl_sign *sign, const struct vl_bag *inputs,
                              const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    enum vl_status status = VL_OK;
    for (int rank = 0; status == VL_OK && sign->code == NULL && rank < (int)pipe.size.stages;
         rank++) {
        status = look_at_return(sign, expected, outputs, rank);
        if (status == VL_OK && sign->code == NULL)
            status = look_at_order(sign, &pipe, expected, outputs, rank);
        if (status == VL_OK && sign->code == NULL && number_of(outputs, "strange", rank) > 0)
            status = vl_pipe_tell(sign, "no_such_message",
                                  _("Rank %d asked for the memory of a message that there is not: "
                                    "only a send or a receive among its actions has one, and "
                                    "'message' gets that action and the stage's own context."),
                                  rank);
    }
    return status;
}
