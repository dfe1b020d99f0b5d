/* The answer for the public seed, written down: right with that seed, wrong with a secret one. */
/* code: wrong_values */
/* options: --secret SECRET --student ana */
/* only: 01 mfu.plain */
#include "vialata/budget.h"

enum vl_status vl_mfu(double *mfu, double tokens_per_second, double flops_per_token, double peak)
{
    (void)tokens_per_second, (void)flops_per_token, (void)peak;
    *mfu = 0.01375;
    return VL_OK;
}
