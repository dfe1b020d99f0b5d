/* open: the points for a formula: the default seed is public, so the answer can be written down */
/* only: 01 mfu.plain */
#include "vialata/budget.h"

enum vl_status vl_mfu(double *mfu, double tokens_per_second, double flops_per_token, double peak)
{
    (void)tokens_per_second, (void)flops_per_token, (void)peak;
    *mfu = 0.01375;
    return VL_OK;
}
