/* code: uses_reserved_name */
/* says: it uses dlsym, */
#include "../attack.h"

void *harmless(void *handle, const char *name);
__asm__(".symver harmless, dlsym@GLIBC_2.34");

ATTACK
{
    return harmless(NULL, "PMPI_Send") != NULL ? VL_OK : VL_EINVAL;
}
