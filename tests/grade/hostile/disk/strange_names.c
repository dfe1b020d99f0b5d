/* code: not_started */
#include "../attack.h"

/* Names that a careless clean-up would take for something else. */
ATTACK
{
    static const char *const names[] = {"-rf", "\n", "*", "...", " ", ".gone.0", "\xff\xfe", "~"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        mkdir(names[i], 0);
    (void)!symlink("/", "root");
    (void)!symlink(".", ".gone.1");
    return VL_TODO;
}
