/*
 * Lab 07, given: the plainest schedule, and the tag of a message.
 *
 * Read it first: every other schedule fills the same rows in another order.
 */
#include "vialata/schedule.h"

enum { TAG_MOST = 16383 };

/* Row s is the same on every stage: what differs between stages is only how long they wait. */
enum vl_status vl_schedule_afab(struct vl_schedule *schedule)
{
    if (schedule == NULL || schedule->tasks == NULL || schedule->stages == 0 ||
        schedule->chunks == 0 || schedule->micro_batches == 0)
        return VL_EINVAL;
    if (schedule->chunks != 1)
        return VL_ESHAPE;
    size_t m = schedule->micro_batches;
    for (size_t s = 0; s < schedule->stages; s++) {
        struct vl_task *row = &schedule->tasks[s * 3 * m];
        for (uint32_t i = 0; i < m; i++)
            *row++ = (struct vl_task){.kind = VL_TASK_FORWARD, .micro_batch = i};
        for (uint32_t i = 0; i < m; i++) {
            *row++ = (struct vl_task){.kind = VL_TASK_BACKWARD, .micro_batch = i};
            *row++ = (struct vl_task){.kind = VL_TASK_WEIGHT, .micro_batch = i};
        }
    }
    return VL_OK;
}

/*
 * tag = ((micro-batch v) + chunk) 2 + direction: the digits of a mixed radix, so no two messages of
 * a step share a tag. With p = 2 both neighbours are the same stage, and only the direction tells
 * an activation from a gradient.
 */
enum vl_status vl_schedule_tag(int *tag, const struct vl_schedule *schedule,
                               const struct vl_task *task)
{
    if (tag == NULL || schedule == NULL || task == NULL || task->chunk >= schedule->chunks ||
        task->micro_batch >= schedule->micro_batches ||
        (task->kind != VL_TASK_FORWARD && task->kind != VL_TASK_BACKWARD))
        return VL_EINVAL;
    size_t v = schedule->chunks;
    if (v > TAG_MOST || task->micro_batch > TAG_MOST) /* before they are multiplied */
        return VL_EINVAL;
    size_t number = (task->micro_batch * v + task->chunk) * 2 + (task->kind == VL_TASK_BACKWARD);
    if (number > TAG_MOST)
        return VL_EINVAL;
    *tag = (int)number;
    return VL_OK;
}
