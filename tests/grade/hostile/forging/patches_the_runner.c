/* code: unwritten */
#include "../attack.h"

/* The code that looks for damage is made writable and says that there is none. */
void *vl_bag_damaged(void);
__attribute__((constructor)) static void patch(void)
{
    unsigned char *code = (unsigned char *)vl_bag_damaged;
    void *page = (void *)((uintptr_t)code & ~(uintptr_t)4095);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
        memcpy(code, "\x31\xc0\xc3", 3); /* return NULL */
}

ATTACK
{
    return VL_OK;
}
