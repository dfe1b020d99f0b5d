#include "train/bench/step/roof/roofline.h"

#include <math.h>

double vl_roof_intensity(struct vl_work work)
{
    return work.bytes > 0 ? work.flops / work.bytes : 0;
}

double vl_roof_height(const struct vl_roof *roof, double intensity)
{
    return fmin(roof->flops_per_second, intensity * roof->bytes_per_second);
}

double vl_roof_seconds(const struct vl_roof *roof, struct vl_work work)
{
    return fmax(work.flops / roof->flops_per_second, work.bytes / roof->bytes_per_second);
}

double vl_roof_share(const struct vl_roof *roof, struct vl_work work, double seconds)
{
    return seconds > 0 ? vl_roof_seconds(roof, work) / seconds : 0;
}
