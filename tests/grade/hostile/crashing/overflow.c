/* code: crashed_segfault */
/* says: overflow.c: */
#include "../attack.h"

static volatile int depth;

static int deeper(int level)
{
    char block[4096];
    block[level % 4096] = (char)level;
    depth = level;
    return deeper(level + 1) + block[depth % 4096];
}

ATTACK
{
    return deeper(0) ? VL_OK : VL_TODO;
}
