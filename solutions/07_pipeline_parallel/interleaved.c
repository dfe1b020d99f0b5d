/*
 * Lab 07, station 2: 1F1B over v chunks per stage.
 *
 * The n-th forward of a stage, p = 2, v = 2, micro-batches in groups of p:
 *
 *   n              0  1  2  3 | 4  5  6  7
 *   chunk          0  0  1  1 | 0  0  1  1      (n mod p v) / p
 *   micro-batch    0  1  0  1 | 2  3  2  3      (n / p v) p + n mod p
 *
 * Backward is the same with the last chunk first.
 */
#include "vialata/schedule.h"

static struct vl_task nth(const struct vl_schedule *schedule, enum vl_task_kind kind, size_t n)
{
    size_t p = schedule->stages, v = schedule->chunks;
    size_t chunk = n % (p * v) / p;
    return (struct vl_task){.kind = kind,
                            .chunk = (uint32_t)(kind == VL_TASK_FORWARD ? chunk : v - 1 - chunk),
                            .micro_batch = (uint32_t)(n / (p * v) * p + n % p)};
}

static struct vl_task *put_backward(struct vl_task *row, const struct vl_schedule *schedule,
                                    size_t n)
{
    *row++ = nth(schedule, VL_TASK_BACKWARD, n);
    *row++ = nth(schedule, VL_TASK_WEIGHT, n);
    return row;
}

/*
 * Forwards before the first backward, apart from that backward's own. The first gradient needs all
 * chunks but the last for a group of p: (v-1) p forwards. A micro-batch takes p - s - 1 steps from
 * stage s to the last stage, and its gradient as many back: two forwards for each stage below. With
 * one chunk, one forward for each is enough (1F1B).
 */
static size_t ahead_of(const struct vl_schedule *schedule, size_t stage)
{
    size_t below = schedule->stages - stage - 1, all = schedule->chunks * schedule->micro_batches;
    size_t ahead =
        schedule->chunks == 1 ? below : 2 * below + (schedule->chunks - 1) * schedule->stages;
    return ahead < all ? ahead : all;
}

enum vl_status vl_schedule_interleaved(struct vl_schedule *schedule)
{
    if (schedule == NULL || schedule->tasks == NULL || schedule->stages == 0 ||
        schedule->chunks == 0 || schedule->micro_batches == 0)
        return VL_EINVAL;
    if (schedule->chunks > 1 && schedule->micro_batches % schedule->stages != 0)
        return VL_ESHAPE; /* a group cut short would need micro-batches that do not exist */
    size_t all = schedule->chunks * schedule->micro_batches;
    for (size_t s = 0; s < schedule->stages; s++) {
        struct vl_task *row = &schedule->tasks[s * 3 * all];
        size_t ahead = ahead_of(schedule, s);
        for (size_t n = 0; n < all; n++) {
            *row++ = nth(schedule, VL_TASK_FORWARD, n);
            if (n >= ahead)
                row = put_backward(row, schedule, n - ahead);
        }
        for (size_t n = all - ahead; n < all; n++)
            row = put_backward(row, schedule, n);
    }
    return VL_OK;
}
