/* code: crashed_signal exited_early hung */
#include "../attack.h"

ATTACK
{
    kill(getppid(), SIGKILL);
    if (getuid() >= 20000) /* a user of its own: no other process is killed */
        kill(-1, SIGKILL);
    for (;;)
        pause();
}
