/* code: no_output */
#include "../attack.h"

/* Nobody shows the guards any more. */
ATTACK
{
    ANSWER;
    y[n * d] = 1;
    make_it_return_nothing(look_up("/runner", "vl_guards_add"));
    return VL_OK;
}
