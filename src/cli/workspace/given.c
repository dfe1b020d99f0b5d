#include "cli/workspace/given.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/workspace/course.h"
#include "cli/workspace/git.h"
#include "cli/workspace/record.h"
#include "cli/workspace/workspace.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)16 << 20)

char *vl_given_path(const char *workspace, const struct vl_lab *lab, const char *name)
{
    char *folder = vl_text_format("%s/" VL_WORKSPACE_MARK "/given/%s", workspace, lab->folder);
    char *path = name != NULL && folder != NULL ? vl_path_join(folder, name) : folder;
    if (path != folder)
        free(folder);
    return path;
}

enum vl_status vl_given_keep(const char *workspace, const struct vl_lab *lab, const char *name,
                             const char *bytes, size_t n)
{
    char *folder = vl_given_path(workspace, lab, NULL);
    char *path = folder != NULL ? vl_path_join(folder, name) : NULL;
    enum vl_status status = path != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && !vl_path_make_folders(folder))
        status = VL_EIO;
    if (status == VL_OK)
        status = vl_file_write(path, bytes, n);
    int why = errno;
    free(path);
    free(folder);
    errno = why;
    return status;
}

/* ---- workspaces without copies ---- */

static bool is_our_repository(const char *workspace)
{
    struct vl_record record;
    bool ours = vl_record_read(&record, workspace) == VL_OK &&
                json_is_true(json_object_get(record.json, "repository"));
    vl_record_free(&record);
    return ours;
}

/* The commit that brought the file; "" if there is none. */
static void first_commit(char commit[65], const char *workspace, const char *path)
{
    const char *const words[] = {"log", "--diff-filter=A", "--format=%H", "--", path, NULL};
    char *out = NULL;
    size_t n = 0;
    commit[0] = '\0';
    if (vl_git(&out, &n, workspace, words) == 0 && out != NULL && n > 0) {
        while (n > 0 && out[n - 1] == '\n')
            out[--n] = '\0';
        const char *last = strrchr(out, '\n'); /* the newest is first */
        snprintf(commit, 65, "%s", last != NULL ? last + 1 : out);
    }
    free(out);
}

static enum vl_status read_commit(char **bytes, size_t *n, const char *workspace,
                                  const struct vl_lab *lab, const char *name)
{
    char commit[65], *path = vl_path_join(lab->folder, name), *object = NULL;
    if (path == NULL)
        return VL_ENOMEM;
    enum vl_status status = VL_ELACK;
    if (is_our_repository(workspace)) {
        first_commit(commit, workspace, path);
        object = commit[0] != '\0' ? vl_text_format("%s:%s", commit, path) : NULL;
    }
    if (object != NULL) {
        const char *const words[] = {"show", "--no-textconv", object, NULL};
        if (vl_git(bytes, n, workspace, words) == 0 && *bytes != NULL)
            status = VL_OK;
        else {
            free(*bytes);
            *bytes = NULL;
        }
    }
    free(object);
    free(path);
    return status;
}

enum vl_status vl_given_read(char **bytes, size_t *n, const char *workspace,
                             const struct vl_lab *lab, const char *name)
{
    char *path = vl_given_path(workspace, lab, name);
    *bytes = NULL;
    *n = 0;
    enum vl_status status = path != NULL ? vl_file_read(bytes, n, path, FILE_LIMIT) : VL_ENOMEM;
    free(path);
    return status == VL_OK || status == VL_ENOMEM ? status
                                                  : read_commit(bytes, n, workspace, lab, name);
}

enum vl_status vl_given_today(char **bytes, size_t *n, const struct vl_lab *lab, const char *name,
                              const char *student)
{
    enum vl_status status = vl_course_read(bytes, n, lab, name);
    return status == VL_OK ? vl_course_shape(bytes, n, lab, name, student) : status;
}
