#include "train/run/schedule.h"

#include <math.h>

double vl_schedule_rate(const struct vl_rate_schedule *schedule, uint64_t step)
{
    if (step < schedule->warmup)
        return schedule->peak * (double)step / (double)schedule->warmup;
    if (step >= schedule->horizon)
        return schedule->peak * VL_SCHEDULE_FLOOR;
    double way = (double)(step - schedule->warmup) / (double)(schedule->horizon - schedule->warmup);
    double share = VL_SCHEDULE_FLOOR + (1 - VL_SCHEDULE_FLOOR) * 0.5 * (1 + cos(M_PI * way));
    return schedule->peak * share;
}
