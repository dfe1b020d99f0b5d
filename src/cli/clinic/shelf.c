#include "cli/clinic/shelf.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/workspace/backup.h"
#include "cli/workspace/workspace.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_BYTES 100000 /* the longest that is read */

static enum vl_exit refuse_write(const char *path)
{
    return vl_say(VL_EXIT_LACK, _("%s cannot be written (%m)."), path);
}

static enum vl_exit read_text(char **text, const char *path)
{
    size_t n;
    enum vl_status status = path != NULL ? vl_file_read(text, &n, path, PROGRAM_BYTES) : VL_ENOMEM;
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK, _("%s cannot be read (%m)."), path);
    if (status == VL_EFORMAT)
        return vl_say(VL_EXIT_LACK,
                      _("%1$s is not a file of at most %2$d bytes. Move it away, and the course's "
                        "program takes its place."),
                      path, PROGRAM_BYTES);
    return vl_say_status(status);
}

/* A file of the course that is not in the student's folder yet. */
static enum vl_exit put_once(const char *path, const char *from)
{
    char *text = NULL;
    enum vl_exit result = VL_EXIT_OK;
    if (path != NULL && access(path, F_OK) == 0)
        return VL_EXIT_OK;
    result = read_text(&text, from);
    if (result == VL_EXIT_OK && (path == NULL || vl_file_write(path, text, strlen(text)) != VL_OK))
        result = path != NULL ? refuse_write(path) : vl_say_status(VL_ENOMEM);
    free(text);
    return result;
}

static enum vl_exit fill(struct vl_clinic_shelf *shelf, const char *folder, const char *given)
{
    char *header = vl_path_join(folder, "clinic.h");
    enum vl_exit result = VL_EXIT_OK;
    if (!vl_path_make_folders(folder))
        result = refuse_write(folder);
    if (result == VL_EXIT_OK)
        result = put_once(header, shelf->header);
    if (result == VL_EXIT_OK)
        result = put_once(shelf->path, given);
    if (result == VL_EXIT_OK)
        result = read_text(&shelf->given, given);
    if (result == VL_EXIT_OK)
        result = read_text(&shelf->own, shelf->path);
    free(header);
    return result;
}

enum vl_exit vl_clinic_shelf_open(struct vl_clinic_shelf *shelf, const struct vl_clinic_case *item)
{
    char below[80], *workspace = vl_workspace_open();
    *shelf = (struct vl_clinic_shelf){0};
    if (workspace == NULL)
        return VL_EXIT_LACK; /* said */
    snprintf(shelf->name, sizeof shelf->name, "%02d_%s.c", item->number, item->slug);
    snprintf(below, sizeof below, "clinic/%s", shelf->name);
    char *folder = vl_path_join(workspace, "clinic"), *given = vl_place_path("labs", below);
    shelf->path = vl_path_join(workspace, below);
    shelf->shown = shelf->path != NULL ? vl_path_shown(shelf->path) : NULL;
    shelf->header = vl_place_path("labs", "clinic/clinic.h");
    enum vl_exit result = folder != NULL && given != NULL && shelf->shown != NULL
                              ? fill(shelf, folder, given)
                              : vl_say_status(VL_ENOMEM);
    free(given);
    free(folder);
    free(workspace);
    return result;
}

/* The student's program, into a fresh folder next to it. */
static enum vl_exit keep(char **backup, const struct vl_clinic_shelf *shelf)
{
    char *folder = strdup(shelf->path), *path = NULL;
    enum vl_exit result = VL_EXIT_OK;
    if (folder != NULL && (*backup = vl_backup_make(dirname(folder))) != NULL)
        path = vl_path_join(*backup, shelf->name);
    if (path == NULL || vl_file_write(path, shelf->own, strlen(shelf->own)) != VL_OK)
        result = refuse_write(path != NULL ? path : shelf->path);
    free(path);
    free(folder);
    return result;
}

enum vl_exit vl_clinic_shelf_reset(char **backup, const struct vl_clinic_shelf *shelf)
{
    *backup = NULL;
    if (strcmp(shelf->own, shelf->given) == 0)
        return VL_EXIT_OK;
    enum vl_exit result = keep(backup, shelf);
    if (result == VL_EXIT_OK &&
        vl_file_write(shelf->path, shelf->given, strlen(shelf->given)) != VL_OK)
        result = refuse_write(shelf->path);
    return result;
}

void vl_clinic_shelf_free(struct vl_clinic_shelf *shelf)
{
    free(shelf->given);
    free(shelf->own);
    free(shelf->path);
    free(shelf->shown);
    free(shelf->header);
    *shelf = (struct vl_clinic_shelf){0};
}
