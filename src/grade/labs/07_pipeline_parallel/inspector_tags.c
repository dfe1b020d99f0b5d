/*
 * Tags of lab 07: one for each message that a stage can send.
 */
#include "base/text.h"
#include "grade/labs/07_pipeline_parallel/inspector.h"

enum { TAG_MOST = 16383 };

/* Of forward and backward, chunk and micro-batch, in this order: one tag for each. */
enum vl_status vl_look_at_tags(struct vl_sign *sign, const struct vl_bag *inputs,
                               const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    size_t m = pipe.size.micro_batches, v = pipe.size.chunks, count = 2 * v * m;
    const int64_t *tags = vl_pipe_numbers(outputs, "tags", count);
    char task[VL_TASK_TEXT], other[VL_TASK_TEXT];
    (void)expected;
    if (tags == NULL)
        return vl_pipe_tell(sign, "no_output", "%s", _("No result came back from the submission."));
    for (size_t i = 0; i < count; i++) {
        vl_pipe_task_text(task, (int64_t)(i / m / v), (int64_t)(i / m % v), (int64_t)(i % m));
        if (tags[i] < 0 || tags[i] > TAG_MOST)
            return vl_pipe_tell(sign, "tag_out_of_range",
                                _("The tag of %1$s is %2$lld: tags are from 0 to %3$d."), task,
                                (long long)tags[i], TAG_MOST);
        for (size_t k = 0; k < i; k++)
            if (tags[k] == tags[i])
                return vl_pipe_tell(sign, "tags_collide",
                                    _("%1$s and %2$s have the same tag %3$lld: nobody can tell "
                                      "which is which."),
                                    vl_pipe_task_text(other, (int64_t)(k / m / v),
                                                      (int64_t)(k / m % v), (int64_t)(k % m)),
                                    task, (long long)tags[i]);
    }
    return VL_OK;
}
