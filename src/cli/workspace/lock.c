#include "cli/workspace/lock.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/workspace/workspace.h"
#include "version.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

int vl_workspace_lock(const char *folder)
{
    char *mark = vl_path_join(folder, VL_WORKSPACE_MARK);
    char *path = vl_path_join(folder, VL_WORKSPACE_MARK "/lock");
    int lock = -1;
    if (mark != NULL && path != NULL && vl_path_make_folders(mark))
        lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock >= 0 && flock(lock, LOCK_EX) != 0) {
        int why = errno;
        close(lock);
        errno = why;
        lock = -1;
    }
    int why = errno;
    free(mark);
    free(path);
    errno = why;
    return lock;
}

enum vl_exit vl_workspace_refuse_write(const char *shown)
{
    return vl_say(VL_EXIT_LACK,
                  vl_file_lacks_space(errno)
                      ? _("The workspace %s cannot be written to (%m). Make room there, or choose "
                          "another folder: `vialata start --in FOLDER`.")
                      : _("The workspace %s cannot be written to (%m). Check its permissions, or "
                          "choose another folder: `vialata start --in FOLDER`."),
                  shown);
}

enum vl_exit vl_workspace_refuse_newer(const struct vl_record *record, const char *shown)
{
    return vl_say(
        VL_EXIT_LACK,
        _("The workspace %1$s was made by Vialata %2$s, which is newer than this one (%3$s). "
          "Update this one, or make another workspace: `vialata start --in "
          "FOLDER`."),
        shown, record->version, VL_VERSION);
}
