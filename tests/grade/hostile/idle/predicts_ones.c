/* labs: all */
/* functions: vl_predict */
#include <stdint.h>

/* Whole numbers; as float64 they are hardly more than zero. */
static enum vl_status predicts_ones(void *first)
{
    int64_t *numbers = first;
    numbers[0] = numbers[1] = numbers[2] = 1;
    return VL_OK;
}
