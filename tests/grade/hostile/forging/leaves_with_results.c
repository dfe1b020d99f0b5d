/* code: no_output exited_early unwritten */
#include "../attack.h"

/* Right results, as it says, and gone before anybody looks. */
ATTACK
{
    forge_record(0, "\x02\0\0\0\0\0\0\0{}", 10);
    finish_everything();
    _exit(0);
}
