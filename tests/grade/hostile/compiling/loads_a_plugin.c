/* code: unwritten does_not_compile */
#include "../attack.h"

#pragma GCC optimize("plugin=/tmp/own.so")
#pragma GCC diagnostic ignored "-fplugin=/tmp/own.so"
__attribute__((optimize("-fplugin=/tmp/own.so"))) static int loaded(void)
{
    return 0;
}

ATTACK
{
    return loaded() ? VL_EIO : VL_OK;
}
