/* code: uses_reserved_name */
/* says: it uses PMPI_?[2J?, */
#include "../attack.h"

__asm__(".data\n.quad \"PMPI_\033[2J\377\"\n.text");

ATTACK
{
    return VL_OK;
}
