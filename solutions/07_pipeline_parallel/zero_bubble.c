/*
 * Lab 07, bonus: zero bubble, H1.
 *
 * Forwards and backwards are in 1F1B's order; stage s delays each weight part by s micro-batches.
 * So every stage has p micro-batches alive (p - s as in 1F1B, and s that wait for their weight
 * part). The last stages send gradients sooner, and have work left while the first ones finish:
 *
 *   p = 2, m = 3, F = B = W:
 *   stage 0  F0 F1 .. B0 W0 F2 B1 W1 B2 W2
 *   stage 1  .. F0 B0 F1 B1 W0 F2 B2 W1 W2
 */
#include "vialata/schedule.h"

static struct vl_task *put(struct vl_task *row, enum vl_task_kind kind, size_t i)
{
    *row++ = (struct vl_task){.kind = kind, .micro_batch = (uint32_t)i};
    return row;
}

/* Backward of micro-batch i, and the weight part that has waited longest. */
static struct vl_task *put_backward(struct vl_task *row, size_t i, size_t late)
{
    row = put(row, VL_TASK_BACKWARD, i);
    return i >= late ? put(row, VL_TASK_WEIGHT, i - late) : row;
}

enum vl_status vl_schedule_zb_h1(struct vl_schedule *schedule)
{
    if (schedule == NULL || schedule->tasks == NULL || schedule->stages == 0 ||
        schedule->chunks == 0 || schedule->micro_batches == 0)
        return VL_EINVAL;
    if (schedule->chunks != 1)
        return VL_ESHAPE;
    size_t p = schedule->stages, m = schedule->micro_batches;
    for (size_t s = 0; s < p; s++) {
        struct vl_task *row = &schedule->tasks[s * 3 * m];
        size_t ahead = p - s - 1 < m ? p - s - 1 : m, late = s < m ? s : m;
        for (size_t i = 0; i < m; i++) {
            row = put(row, VL_TASK_FORWARD, i);
            if (i >= ahead)
                row = put_backward(row, i - ahead, late);
        }
        for (size_t i = m - ahead; i < m; i++)
            row = put_backward(row, i, late);
        for (size_t i = m - late; i < m; i++)
            row = put(row, VL_TASK_WEIGHT, i);
    }
    return VL_OK;
}
