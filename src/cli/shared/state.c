#include "cli/shared/state.h"

#include "base/path.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static char *state_folder(void)
{
    char *folder = NULL;
    const char *chosen = getenv("VIALATA_STATE");
    const char *xdg = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int made = -1;
    if (chosen != NULL && chosen[0] != '\0')
        made = asprintf(&folder, "%s", chosen);
    else if (xdg != NULL && xdg[0] == '/')
        made = asprintf(&folder, "%s/vialata", xdg);
    else if (home != NULL && home[0] == '/')
        made = asprintf(&folder, "%s/.local/state/vialata", home);
    else
        errno = ENOENT;
    return made < 0 ? NULL : folder;
}

char *vl_state_file(const char *name)
{
    char *folder = state_folder();
    char *path = vl_path_join(folder, name);
    free(folder);
    return path;
}

char *vl_state_path(const char *name)
{
    char *folder = state_folder();
    char *path = folder != NULL && vl_path_make_folders(folder) ? vl_path_join(folder, name) : NULL;
    free(folder);
    return path;
}
