/* code: defines_reserved_name */
#include "../attack.h"

/* Called by the program's first instructions, before the library's own. */
int __libc_start_main(void);
int __libc_start_main(void)
{
    forge_record(0, "\x02\0\0\0\0\0\0\0{}", 10);
    finish_everything();
    _exit(0);
}

ATTACK
{
    return VL_OK;
}
