/* code: unwritten mpi_error no_output */
#include "../attack.h"

/* Two processes come back from one call: which of them is heard first, and whether the other spoils what it said,
 * is a race that the attempt has with itself. */
ATTACK
{
    (void)!fork();
    return VL_OK;
}
