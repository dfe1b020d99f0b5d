#include "grade/judge/compare.h"

#include <math.h>
#include <stdbool.h>

double vl_entry_value(const struct vl_tensor_entry *entry, size_t i)
{
    switch (entry->dtype) {
    case VL_F32:
        return (double)((const float *)entry->data)[i];
    case VL_F64:
        return ((const double *)entry->data)[i];
    case VL_I32:
        return ((const int32_t *)entry->data)[i];
    case VL_I64:
        return (double)((const int64_t *)entry->data)[i];
    case VL_U8:
        return ((const uint8_t *)entry->data)[i];
    }
    return 0;
}

size_t vl_entry_columns(const struct vl_tensor_entry *entry)
{
    size_t columns = entry->dims > 0 ? entry->shape[entry->dims - 1] : 1;
    return columns > 0 ? columns : 1;
}

bool vl_entry_counts(const struct vl_tensor_entry *expected, size_t i)
{
    return !isnan(vl_entry_value(expected, i));
}

struct vl_comparison vl_compare(const struct vl_tensor_entry *got,
                                const struct vl_tensor_entry *model,
                                const struct vl_tensor_entry *expected, double floor)
{
    struct vl_comparison c = {0, 0};
    double difference = 0, size = 0, farthest = -1;
    for (size_t i = 0; i < expected->count; i++) {
        if (!vl_entry_counts(expected, i))
            continue;
        double g = vl_entry_value(got, i), m = vl_entry_value(model, i);
        if (!isfinite(g) && !isfinite(m))
            continue;
        if (!isfinite(g) || !isfinite(m))
            return (struct vl_comparison){INFINITY, i};
        difference = hypot(difference, g - m);
        size = hypot(size, m);
        if (fabs(g - m) > farthest) {
            farthest = fabs(g - m);
            c.worst = i;
        }
    }
    if (difference > 0)
        c.error = difference / fmax(size, floor);
    return c;
}
