/* code: defines_reserved_name */
/* says: it defines PMPI_Send, */
#include "../attack.h"

int PMPI_Send(void);
int PMPI_Send(void)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
