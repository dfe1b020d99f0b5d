#include "runner/timed_work.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream)
{
    float *array = malloc((n + 1) * sizeof *array);
    for (size_t i = 0; array != NULL && i < n; i++) {
        uint64_t bits = vl_random_bits(seed, stream, i / 2) >> (i % 2 ? 40 : 8);
        array[i] = scale > 0 ? scale * ((float)(bits & 0xffffff) * 0x1p-23f - 1.0f) : 0;
    }
    return array;
}

enum vl_status vl_timed_output(struct vl_bag *outputs, const char *name, const float *numbers,
                               size_t n)
{
    float *copy = vl_bag_add_f32(outputs, name, 1, n);
    if (copy != NULL && n > 0)
        memcpy(copy, numbers, n * sizeof *copy);
    return copy != NULL ? VL_OK : VL_ENOMEM;
}
