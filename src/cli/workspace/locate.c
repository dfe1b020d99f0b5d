#include "cli/workspace/workspace.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/shared/state.h"
#include "cli/workspace/course.h"
#include "cli/workspace/record.h"
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BESIDE_COURSE "work"
#define AT_HOME       "vialata-work"
#define MEMORY        "workspaces.json" /* copy of the course -> folder */

static char *from_environment(void)
{
    const char *chosen = getenv("VIALATA_WORK");
    return chosen != NULL && chosen[0] != '\0' ? vl_path_absolute(chosen) : NULL;
}

/* Not so in /tmp, where anybody may have put it: `grade` runs what is in a workspace as the student's
 * own. In a container all of it may be another user's. */
static bool is_of_us(const char *record)
{
    struct stat info, here;
    char *folder = strdup(record), *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    bool known = slash != NULL && lstat(folder, &info) == 0 && stat(".", &here) == 0;
    free(folder);
    return known && (info.st_uid == geteuid() || info.st_uid == here.st_uid);
}

static char *around_us(void)
{
    char *folder = getcwd(NULL, 0);
    while (folder != NULL && folder[0] != '\0') {
        char *record = vl_path_join(folder, VL_RECORD_NAME);
        int found = record != NULL && access(record, F_OK) == 0 && is_of_us(record);
        free(record);
        if (found)
            return folder;
        char *slash = strrchr(folder, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    free(folder);
    return NULL;
}

static char *remembered(void)
{
    char *labs = vl_place_path("labs", NULL);
    char *path = vl_state_file(MEMORY);
    json_error_t error;
    json_t *memory = path != NULL ? json_load_file(path, 0, &error) : NULL;
    const char *folder = labs != NULL ? json_string_value(json_object_get(memory, labs)) : NULL;
    char *found = folder != NULL ? strdup(folder) : NULL;
    json_decref(memory);
    free(path);
    free(labs);
    return found;
}

void vl_workspace_remember(const char *folder)
{
    char *labs = vl_place_path("labs", NULL);
    char *path = vl_state_path(MEMORY);
    json_error_t error;
    json_t *memory = path != NULL ? json_load_file(path, 0, &error) : NULL;
    if (!json_is_object(memory)) {
        json_decref(memory);
        memory = json_object();
    }
    json_object_set_new(memory, labs != NULL ? labs : "", json_string(folder));
    char *text = json_dumps(memory, JSON_INDENT(2));
    if (path == NULL || text == NULL || vl_file_write(path, text, strlen(text)) != VL_OK)
        vl_say(VL_EXIT_OK,
               _("Vialata could not remember your workspace %s (%m): set VIALATA_WORK to "
                 "it, or run commands inside it."),
               folder);
    free(text);
    json_decref(memory);
    free(path);
    free(labs);
}

static char *by_default(void)
{
    const char *root = vl_place_text("root"); /* an installed tree has none */
    char *beside = root[0] != '\0' ? vl_path_join(root, BESIDE_COURSE) : NULL;
    if (beside != NULL && (access(beside, F_OK) == 0 || access(root, W_OK) == 0))
        return beside;
    free(beside);
    const char *home = getenv("HOME");
    return home != NULL && home[0] == '/' ? vl_path_join(home, AT_HOME) : NULL;
}

/* *is_remembered: only an earlier `start --in` names it. */
static char *locate(int *is_remembered)
{
    *is_remembered = 0;
    char *folder = from_environment();
    if (folder == NULL)
        folder = around_us();
    if (folder == NULL) {
        folder = remembered();
        *is_remembered = folder != NULL;
    }
    return folder != NULL ? folder : by_default();
}

char *vl_workspace_folder(void)
{
    int is_remembered;
    return locate(&is_remembered);
}

char *vl_workspace_open(void)
{
    int is_remembered;
    char *folder = locate(&is_remembered);
    if (folder == NULL) {
        vl_say(VL_EXIT_LACK, _("There is no place for your workspace, because HOME is not set. "
                               "Choose one: `vialata start --in FOLDER`."));
    } else if (is_remembered && access(folder, F_OK) != 0) {
        vl_say(VL_EXIT_LACK,
               _("Your workspace %s is no longer there (%m). Bring it back, or make another "
                 "one: `vialata start --in FOLDER`."),
               folder);
        free(folder);
        folder = NULL;
    }
    return folder;
}

static char *below_lab(char *folder, const struct vl_lab *lab, const char *below)
{
    char *path = vl_path_join(folder, lab->folder);
    char *whole = path != NULL && below != NULL ? vl_path_join(path, below) : path;
    if (whole != path)
        free(path);
    free(folder);
    return whole;
}

char *vl_workspace_lab(const struct vl_lab *lab, const char *below)
{
    return below_lab(vl_workspace_folder(), lab, below);
}

char *vl_course_lab(const struct vl_lab *lab, const char *below)
{
    return below_lab(vl_place_path("labs", NULL), lab, below);
}

int vl_workspace_has(const char *folder, const struct vl_lab *lab)
{
    int found = 0;
    char *own = vl_path_join(folder, lab->folder);
    for (const char *const *name = lab->files; !found && own != NULL && *name != NULL; name++) {
        char *path = vl_path_join(own, *name);
        found = path != NULL && access(path, F_OK) == 0;
        free(path);
    }
    free(own);
    return found;
}

enum vl_exit vl_workspace_require(const struct vl_lab *lab)
{
    char *folder = vl_workspace_open();
    if (folder == NULL)
        return VL_EXIT_LACK;
    enum vl_exit status = VL_EXIT_OK;
    char *shown = vl_path_shown(folder);
    if (!vl_workspace_has(folder, lab)) {
        if (vl_course_is_edited(lab))
            status = vl_say(
                VL_EXIT_USAGE,
                _("Lab %1$02d is not started in %2$s. You have written in `labs/%3$s`: `vialata "
                  "start %1$02d` copies that to your workspace."),
                lab->number, shown != NULL ? shown : folder, lab->folder);
        else
            status = vl_say(VL_EXIT_USAGE,
                            _("Lab %1$02d is not started in %2$s: `vialata start %1$02d` puts "
                              "its files there."),
                            lab->number, shown != NULL ? shown : folder);
    }
    free(shown);
    free(folder);
    return status;
}

char *vl_workspace_student(void)
{
    char *folder = vl_workspace_folder(), *student = NULL;
    struct vl_record record = {0};
    if (folder != NULL && vl_record_read(&record, folder) == VL_OK) {
        const char *name = vl_record_student(&record);
        student = name != NULL ? strdup(name) : NULL;
    }
    vl_record_free(&record);
    free(folder);
    return student;
}
