/*
 * Lab 07, station 1: one forward, one backward. A stage starts one micro-batch for itself and
 * one for each stage behind it. After that it takes a new one only when an old one is finished.
 */
#include "vialata/schedule.h"

static struct vl_task *put_backward(struct vl_task *row, size_t i)
{
    *row++ = (struct vl_task){.kind = VL_TASK_BACKWARD, .micro_batch = (uint32_t)i};
    *row++ = (struct vl_task){.kind = VL_TASK_WEIGHT, .micro_batch = (uint32_t)i};
    return row;
}

enum vl_status vl_schedule_1f1b(struct vl_schedule *schedule)
{
    if (schedule == NULL || schedule->tasks == NULL || schedule->stages == 0 ||
        schedule->chunks == 0 || schedule->micro_batches == 0)
        return VL_EINVAL;
    if (schedule->chunks != 1)
        return VL_ESHAPE;
    size_t p = schedule->stages, m = schedule->micro_batches;
    for (size_t s = 0; s < p; s++) {
        struct vl_task *row = &schedule->tasks[s * 3 * m];
        size_t ahead = p - s - 1 < m ? p - s - 1 : m; /* forwards before the first backward's own */
        for (size_t i = 0; i < m; i++) {
            *row++ = (struct vl_task){.kind = VL_TASK_FORWARD, .micro_batch = (uint32_t)i};
            if (i >= ahead)
                row = put_backward(row, i - ahead);
        }
        for (size_t i = m - ahead; i < m; i++)
            row = put_backward(row, i);
    }
    return VL_OK;
}
