/* earns: nothing */
/* only: 01 vl_swiglu_forward */
#include "vialata/swiglu.h"

#include <string.h>

enum vl_status vl_swiglu_forward(float *out, const float *gate_up, size_t n, size_t ff)
{
    if (n > 0)
        memcpy(out, gate_up, n * ff * sizeof *out);
    return VL_OK;
}
