#include "cli/shared/state.h"

#include "base/file.h"
#include "base/path.h"
#include "report/verdict/formats.h"
#include "report/verdict/report.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void verdict_name(char name[64], const struct vl_lab *lab)
{
    snprintf(name, 64, "%s.json", lab->folder);
}

enum vl_status vl_state_keep(const struct vl_lab *lab, const struct vl_verdict *verdict,
                             const char *fingerprint)
{
    struct vl_file_new file;
    char name[64];
    verdict_name(name, lab);
    char *path = vl_state_path(name);
    if (path == NULL)
        return VL_EIO;
    enum vl_status status = vl_file_begin(&file, path);
    free(path);
    if (status != VL_OK)
        return status;
    json_t *kept = vl_report_json(verdict);
    if (kept != NULL)
        json_object_set_new(kept, "fingerprint", json_string(fingerprint));
    status = vl_json_write(file.stream, kept);
    if (status == VL_OK)
        status = vl_file_commit(&file);
    vl_file_drop(&file);
    return status;
}

json_t *vl_state_recall(const struct vl_lab *lab)
{
    json_error_t error;
    char name[64];
    verdict_name(name, lab);
    char *path = vl_state_file(name);
    json_t *verdict = path != NULL ? json_load_file(path, 0, &error) : NULL;
    free(path);
    return verdict;
}

const char *vl_state_next_function(const json_t *verdict)
{
    const json_t *result;
    const char *slow = NULL;
    size_t i;
    json_array_foreach(json_object_get(verdict, "cases"), i, result)
    {
        const char *function = json_string_value(json_object_get(result, "function"));
        const char *group = json_string_value(json_object_get(result, "group"));
        double points = json_number_value(json_object_get(result, "points"));
        double most = json_number_value(json_object_get(result, "max_points"));
        if (function == NULL || group == NULL || points >= most)
            continue;
        if (strcmp(group, "throughput") != 0)
            return function;
        if (slow == NULL)
            slow = function;
    }
    return slow;
}
