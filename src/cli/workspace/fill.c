#include "cli/workspace/fill.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/workspace/course.h"
#include "cli/workspace/given.h"
#include "cli/workspace/workspace.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_LIMIT ((size_t)16 << 20)

/* The file as it is given to a student; 'lab' is NULL for a copy as it is. */
static enum vl_status copy(const char *to_folder, const char *from_folder, const char *name,
                           const struct vl_lab *lab, const char *student)
{
    char *to = vl_path_join(to_folder, name), *from = vl_path_join(from_folder, name);
    char *bytes = NULL;
    size_t n;
    enum vl_status status =
        to == NULL || from == NULL ? VL_ENOMEM : vl_file_read(&bytes, &n, from, FILE_LIMIT);
    if (status == VL_OK && lab != NULL)
        status = vl_course_shape(&bytes, &n, lab, name, student);
    if (status == VL_OK)
        status = vl_file_write(to, bytes, n);
    free(bytes);
    int why = errno;
    free(to);
    free(from);
    errno = why;
    return status;
}

enum vl_status vl_fill_copy(const char *to_folder, const char *from_folder, const char *name)
{
    return copy(to_folder, from_folder, name, NULL, NULL);
}

static int exists(const char *folder, const char *name)
{
    struct stat info;
    char *path = vl_path_join(folder, name);
    int found = path != NULL && lstat(path, &info) == 0; /* a broken link is the student's, too */
    free(path);
    return found;
}

static enum vl_status add_name(char **names, const char *name)
{
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%s", *names != NULL ? *names : "", *names != NULL ? ", " : "",
                 name) < 0)
        return VL_ENOMEM;
    free(*names);
    *names = longer;
    return VL_OK;
}

/* What the course gives, even if somebody has written in labs/: that is the student's work. */
static enum vl_status keep(const char *workspace, const struct vl_lab *lab, const char *name,
                           const char *student)
{
    char *bytes = NULL;
    size_t n = 0;
    enum vl_status status = vl_given_today(&bytes, &n, lab, name, student);
    if (status == VL_OK)
        status = vl_given_keep(workspace, lab, name, bytes, n);
    free(bytes);
    return status;
}

/* Every file of the lab that 'own' does not have yet. */
static enum vl_status copy_missing(char **copied, const char *workspace, const char *own,
                                   const char *given, const struct vl_lab *lab, const char *student)
{
    enum vl_status status = VL_OK;
    for (const char *const *name = lab->files; status == VL_OK && *name != NULL; name++) {
        if (exists(own, *name))
            continue;
        status = keep(workspace, lab, *name, student);
        if (status == VL_OK)
            status = copy(own, given, *name, lab, student);
        if (status == VL_OK)
            status = add_name(copied, *name);
    }
    return status;
}

/* Remove what an interrupted start left: only our own files are in it. */
static void clear(const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char *path = vl_path_join(folder, entry->d_name);
        if (path != NULL && entry->d_name[0] != '.')
            unlink(path);
        free(path);
    }
    if (entries != NULL)
        closedir(entries);
    rmdir(folder);
}

static enum vl_status make(struct vl_filled *filled, const char *workspace, const char *own,
                           const char *given, const struct vl_lab *lab, const char *student)
{
    char *begun = vl_path_join(workspace, VL_WORKSPACE_MARK "/begun"), *names = NULL;
    enum vl_status status = begun != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        clear(begun);
    if (status == VL_OK && mkdir(begun, 0777) != 0)
        status = VL_EIO;
    filled->edited = vl_course_is_edited(lab);
    if (status == VL_OK)
        status = copy_missing(&names, workspace, begun, given, lab, student);
    if (status == VL_OK && rename(begun, own) != 0)
        status = VL_EIO;
    int why = errno;
    filled->fresh = status == VL_OK;
    if (status == VL_OK)
        filled->backups = vl_course_move_backups(lab, own);
    else if (begun != NULL)
        clear(begun);
    free(names);
    free(begun);
    errno = why;
    return status;
}

enum vl_status vl_fill_lab(struct vl_filled *filled, const char *workspace,
                           const struct vl_lab *lab, const char *student)
{
    *filled = (struct vl_filled){0};
    char *own = vl_path_join(workspace, lab->folder), *given = vl_course_lab(lab, NULL);
    enum vl_status status = own != NULL && given != NULL ? VL_OK : VL_ENOMEM;
    for (const char *const *name = lab->files; status == VL_OK && *name != NULL; name++) {
        if (exists(given, *name))
            continue;
        status = VL_ELACK;
        filled->missing = vl_path_join(given, *name);
    }
    if (status == VL_OK)
        status = exists(workspace, lab->folder)
                     ? copy_missing(&filled->put_back, workspace, own, given, lab, student)
                     : make(filled, workspace, own, given, lab, student);
    int why = errno;
    free(own);
    free(given);
    errno = why;
    return status;
}

void vl_filled_free(struct vl_filled *filled)
{
    free(filled->put_back);
    free(filled->missing);
    *filled = (struct vl_filled){0};
}
