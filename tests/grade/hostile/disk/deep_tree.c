/* code: not_started */
#include "../attack.h"

/* A tree whose path is longer than any path may be, and that nobody may open. */
ATTACK
{
    for (int i = 0; i < 3000; i++) {
        if (mkdir("a_folder_with_a_rather_long_name", 0700) != 0 ||
            chdir("a_folder_with_a_rather_long_name") != 0)
            break;
    }
    chmod(".", 0);
    return VL_TODO;
}
