/* code: too_much_memory */
#include "../attack.h"

/* Shared memory without a name is nobody's own. */
ATTACK
{
    const size_t bytes = (size_t)3 << 29;
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED)
        memset(shared, 1, bytes);
    for (;;)
        pause();
}
