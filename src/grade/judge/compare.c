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

/* What is added up: as parts of a unit, so that no square is too large or too small for a double. */
struct sums {
    double difference_unit, size_unit;
    double difference, size;
    double farthest, largest;
    size_t worst;
};

/* False at an element of which one side alone is finite: it is the worst. */
static bool add_up(struct sums *sums, const struct vl_tensor_entry *got,
                   const struct vl_tensor_entry *model, const struct vl_tensor_entry *expected)
{
    sums->farthest = -1;
    for (size_t i = 0; i < expected->count; i++) {
        if (!vl_entry_counts(expected, i))
            continue;
        double g = vl_entry_value(got, i), m = vl_entry_value(model, i);
        if (!isfinite(g) && !isfinite(m))
            continue;
        if (!isfinite(g) || !isfinite(m)) {
            sums->worst = i;
            return false;
        }
        double difference = (g - m) / sums->difference_unit, size = m / sums->size_unit;
        sums->difference += difference * difference;
        sums->size += size * size;
        sums->largest = fmax(sums->largest, fabs(m));
        if (fabs(g - m) > sums->farthest) {
            sums->farthest = fabs(g - m);
            sums->worst = i;
        }
    }
    return true;
}

/* The square of such a number, and of one some thousand times smaller, is an ordinary double. */
static bool squares_well(double number)
{
    return number <= 0 || (number > 1e-140 && number < 1e140);
}

struct vl_comparison vl_compare(const struct vl_tensor_entry *got,
                                const struct vl_tensor_entry *model,
                                const struct vl_tensor_entry *expected, double floor)
{
    struct sums sums = {.difference_unit = 1, .size_unit = 1};
    if (!add_up(&sums, got, model, expected) || isinf(sums.farthest))
        return (struct vl_comparison){INFINITY, sums.worst};
    if (!squares_well(sums.farthest) || !squares_well(sums.largest)) {
        sums = (struct sums){.difference_unit = sums.farthest > 0 ? sums.farthest : 1,
                             .size_unit = sums.largest > 0 ? sums.largest : 1};
        add_up(&sums, got, model, expected);
    }
    double difference = sqrt(sums.difference) * sums.difference_unit;
    double size = sqrt(sums.size) * sums.size_unit;
    return (struct vl_comparison){.error = difference > 0 ? difference / fmax(size, floor) : 0,
                                  .worst = sums.worst};
}
