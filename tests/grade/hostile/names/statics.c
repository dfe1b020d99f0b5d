/* code: full */
#include "../attack.h"

/* Static names are the file's own business, whoever else has them. */
__attribute__((used)) static int vl_meter_count(int x)
{
    return x + 1;
}
__asm__("read: ret"); /* a label of the assembler is static too */

/* The runner does not use this one. MPI does, but has the library's. */
long strtol(UNUSED const char *text, UNUSED char **end, UNUSED int base)
{
    abort();
}

ATTACK
{
    ANSWER;
    return VL_OK;
}
