#include "sandbox/turn.h"

#include "base/text.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* A file that nobody writes; its lock is the one next to it. */
static char *file_of_user(void)
{
    const char *folder = getenv("TMPDIR");
    return vl_text_format("%s/vialata-turn.%u",
                          folder != NULL && folder[0] != '\0' ? folder : "/tmp",
                          (unsigned)getuid());
}

double vl_turn_take(struct vl_turn *turn)
{
    double began = vl_clock();
    char *path = turn->taken ? NULL : file_of_user();
    turn->taken = true;
    while (path != NULL && !vl_interrupt_seen() && vl_clock() - began < VL_TURN_SECONDS &&
           vl_file_lock_own(&turn->lock, path) == VL_EIO && errno == EWOULDBLOCK)
        ;
    free(path);
    return vl_clock() - began;
}

void vl_turn_leave(struct vl_turn *turn)
{
    vl_file_unlock(&turn->lock);
    turn->taken = false;
}
