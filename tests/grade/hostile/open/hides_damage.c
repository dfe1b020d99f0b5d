/* open: the points of a function that writes too far: it takes the runner's check out of memory */
/* only: 01 rmsnorm_forward.odd */
#include "../attack.h"

void *vl_bag_damaged(void);

ATTACK
{
    unsigned char *code = (unsigned char *)vl_bag_damaged;
    void *page = (void *)((uintptr_t)code & ~(uintptr_t)4095);
    ANSWER;
    y[n * d] = 1;
    mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
#if defined __x86_64__
    memcpy(code, "\x31\xc0\xc3", 3); /* return NULL */
#else
    memcpy(code, "\xe0\x03\x1f\xaa\xc0\x03\x5f\xd6", 8);
    __builtin___clear_cache((char *)code, (char *)code + 8);
#endif
    return VL_OK;
}
