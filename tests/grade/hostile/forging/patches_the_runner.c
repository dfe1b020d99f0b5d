/* code: no_output */
#include "../attack.h"

/* The code that shows the guards is made writable and shows nothing. */
__attribute__((constructor)) static void patch(void)
{
    make_it_return_nothing(look_up("/runner", "vl_guards_add"));
}

ATTACK
{
    return VL_OK;
}
