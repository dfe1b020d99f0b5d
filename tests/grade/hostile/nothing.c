/* code: function_missing */
#include "vialata/rmsnorm.h"

int vl_nothing_here(void);
int vl_nothing_here(void)
{
    return 0;
}
