/* code: unwritten */
#include "../attack.h"

/* The code that looks for damage is made writable and says that there is none. */
__attribute__((constructor)) static void patch(void)
{
    make_it_return_nothing(look_up("/runner", "vl_bag_damaged"));
}

ATTACK
{
    return VL_OK;
}
