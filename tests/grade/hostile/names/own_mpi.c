/* code: defines_reserved_name */
/* says: it defines MPI_Send, */
#include "../attack.h"

int MPI_Send(void);
int MPI_Send(void)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
