#include "cli/watch/saves.h"

#include "sandbox/process.h"

#include <sys/inotify.h>
#include <unistd.h>

#define POLL_SECONDS 0.5
#define EVENTS       (IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

void vl_saves_open(struct vl_saves *saves, const char *folder, bool polls)
{
    *saves = (struct vl_saves){.descriptor = polls ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC),
                               .looked = vl_clock()};
    if (saves->descriptor >= 0 && inotify_add_watch(saves->descriptor, folder, EVENTS) < 0)
        vl_saves_close(saves);
}

bool vl_saves_take(struct vl_saves *saves)
{
    char events[4096];
    bool any = false;
    if (saves->descriptor >= 0) {
        while (read(saves->descriptor, events, sizeof events) > 0)
            any = true;
        return any;
    }
    any = vl_clock() - saves->looked > POLL_SECONDS;
    if (any)
        saves->looked = vl_clock();
    return any;
}

void vl_saves_close(struct vl_saves *saves)
{
    if (saves->descriptor >= 0)
        close(saves->descriptor);
    saves->descriptor = -1;
}
