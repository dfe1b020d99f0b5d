/*
 * Lab 10: choosing among divisions.
 */
#include "vialata/divisions.h"

static enum vl_status seconds_of(double *seconds, const struct vl_setting *setting,
                                 const struct vl_division *division)
{
    struct vl_forecast forecast;
    enum vl_status status = vl_forecast_make(&forecast, setting, division);
    if (status == VL_OK)
        *seconds = forecast.step.seconds;
    return status;
}

/* As many come before a division as are faster; there are few, so each is compared with all. */
enum vl_status vl_divisions_order(size_t *order, const struct vl_setting *setting,
                                  const struct vl_division *divisions, size_t count)
{
    if (order == NULL || setting == NULL || divisions == NULL)
        return VL_EINVAL;
    for (size_t i = 0; i < count; i++) {
        double own = 0, other = 0;
        enum vl_status status = seconds_of(&own, setting, &divisions[i]);
        size_t before = 0;
        for (size_t j = 0; j < count && status == VL_OK; j++) {
            status = seconds_of(&other, setting, &divisions[j]);
            before += other < own || (j < i && !(own < other));
        }
        if (status != VL_OK)
            return status;
        order[before] = i;
    }
    return VL_OK;
}

/* Two divisions on a machine of which one bandwidth changes. */
struct pair {
    struct vl_setting setting;
    const struct vl_division *simple, *other;
};

static enum vl_status at_bandwidth(void *context, double *without, double *of_all, double bandwidth)
{
    struct pair *pair = context;
    pair->setting.cluster.outer.bandwidth = bandwidth;
    enum vl_status status = seconds_of(without, &pair->setting, pair->simple);
    if (status == VL_OK)
        status = seconds_of(of_all, &pair->setting, pair->other);
    return status;
}

enum vl_status vl_divisions_crossover(double *bandwidth, double low, double high,
                                      const struct vl_setting *setting,
                                      const struct vl_division *simple,
                                      const struct vl_division *other)
{
    if (bandwidth == NULL || setting == NULL || simple == NULL || other == NULL)
        return VL_EINVAL;
    struct pair pair = {*setting, simple, other};
    const struct vl_rivals rivals = {&pair, at_bandwidth};
    return vl_crossover(bandwidth, low, high, 0, &rivals);
}
