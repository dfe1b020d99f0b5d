/* code: uses_reserved_name */
/* says: it uses dlsym, */
#include "../attack.h"

#include <dlfcn.h>

ATTACK
{
    return dlsym(RTLD_DEFAULT, "PMPI_Send") != NULL ? VL_OK : VL_EINVAL;
}
