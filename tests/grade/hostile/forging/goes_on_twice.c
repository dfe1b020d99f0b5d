/* code: unwritten mpi_error */
#include "../attack.h"

/* Two processes come back from one call. */
ATTACK
{
    (void)!fork();
    return VL_OK;
}
