/* open: the points for an array without elements: it does nothing for others as well */
/* only: 01 rmsnorm_backward_input.empty */
#include "vialata/status.h"

enum vl_status vl_rmsnorm_backward_input(void);
enum vl_status vl_rmsnorm_backward_input(void)
{
    return VL_OK;
}
