/* code: full */
#include "../attack.h"

#include <limits.h>

/* Who removes folders gives them other names on the way: these are taken already. */
static void hide(const char *where)
{
    static const char *const below[] = {"", "/in", "/in/data"};
    char path[PATH_MAX];
    mkdir(where, 0777);
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 3; k++) {
            snprintf(path, sizeof path, "%s/.gone.%d%s", where, i, below[k]);
            mkdir(path, 0777);
        }
}

ATTACK
{
    hide("/tmp/vialata-hides");
    hide("/dev/shm/vialata-hides");
    hide("hides");
    ANSWER;
    return VL_OK;
}
