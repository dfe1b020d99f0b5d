/* code: no_output */
#include "../attack.h"

/* Pipes that nobody writes to, and links to others' files, where results are expected. */
ATTACK
{
    for (int i = 0; i < 10; i++) {
        char name[32];
        snprintf(name, sizeof name, "results.%d", i);
        unlink(name);
        (void)!(i % 2 ? mkfifo(name, 0600) : symlink("/etc/passwd", name));
    }
    finish_everything();
    for (;;)
        pause();
}
