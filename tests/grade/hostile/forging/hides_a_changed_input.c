/* code: input_modified */
#include "../attack.h"

/* Nothing that is compared in this process differs any more. */
ATTACK
{
    ANSWER;
    ((float *)x)[0] += 1;
    make_it_return_nothing((void *)memcmp);
    return VL_OK;
}
