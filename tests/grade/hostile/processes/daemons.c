/* code: not_started */
#include "../attack.h"

/* Processes that leave session, parent and working folder behind. */
ATTACK
{
    for (int i = 0; i < 8; i++) {
        if (fork() != 0)
            continue;
        setsid();
        if (fork() != 0)
            _exit(0);
        prctl(PR_SET_DUMPABLE, 0);
        signal(SIGTERM, SIG_IGN);
        (void)!chdir("/");
        for (int file = 0; file < 64; file++)
            close(file);
        sleep(1000);
        _exit(0);
    }
    return VL_TODO;
}
