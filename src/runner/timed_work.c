#include "runner/timed_work.h"

#include "base/random.h"

#include <stdlib.h>

float *vl_timed_floats(size_t n, float scale, uint64_t seed, uint64_t stream)
{
    float *array = malloc((n + 1) * sizeof *array);
    for (size_t i = 0; array != NULL && i < n; i++) {
        uint64_t bits = vl_random_bits(seed, stream, i / 2) >> (i % 2 ? 40 : 8);
        array[i] = scale > 0 ? scale * ((float)(bits & 0xffffff) * 0x1p-23f - 1.0f) : 0;
    }
    return array;
}
