/*
 * The untouched lab is in labs/, where nobody edits it. Files are copied, never moved: first the
 * student's into a backup, then the course's over them. Whenever it is interrupted, every line of
 * the student's is still in one of the two places.
 */
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/workspace/backup.h"
#include "cli/workspace/fill.h"
#include "cli/workspace/given.h"
#include "cli/workspace/standing.h"
#include "cli/workspace/workspace.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MOST 32

/* The lab's files as the course gives them, in the catalogue's order. */
struct given {
    char *bytes[FILES_MOST];
    size_t sizes[FILES_MOST];
    size_t count;
};

static void free_given(struct given *given)
{
    for (size_t i = 0; i < given->count; i++)
        free(given->bytes[i]);
}

/* All of them, before anything is changed. */
static enum vl_exit read_given(struct given *given, const struct vl_lab *lab, const char *student)
{
    for (; lab->files[given->count] != NULL && given->count < FILES_MOST; given->count++) {
        const char *name = lab->files[given->count];
        enum vl_status status = vl_given_today(&given->bytes[given->count],
                                               &given->sizes[given->count], lab, name, student);
        if (status == VL_OK)
            continue;
        char *path = vl_course_lab(lab, name);
        enum vl_exit result =
            status == VL_ENOMEM || path == NULL
                ? vl_say_status(VL_ENOMEM)
                : vl_say(VL_EXIT_LACK,
                         _("The course's file %s is missing, so nothing was changed: fetch the "
                           "course again with git."),
                         path);
        free(path);
        return result;
    }
    return VL_EXIT_OK;
}

static bool differs(const char *own, const char *name, const char *given, size_t size)
{
    char *path = vl_path_join(own, name);
    int same = path != NULL && vl_file_holds(path, given, size);
    free(path);
    return !same;
}

static int exists(const char *folder, const char *name)
{
    char *path = vl_path_join(folder, name);
    int found = path != NULL && access(path, F_OK) == 0;
    free(path);
    return found;
}

static enum vl_status put_given(const struct vl_lab *lab, const char *own, const char *name,
                                const char *bytes, size_t n)
{
    char *path = vl_path_join(own, name), *workspace = vl_workspace_folder();
    enum vl_status status =
        path != NULL && workspace != NULL ? vl_file_write(path, bytes, n) : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_given_keep(workspace, lab, name, bytes, n);
    free(workspace);
    free(path);
    return status;
}

static enum vl_exit refuse(const char *path, const char *backup)
{
    if (backup != NULL)
        return vl_say(VL_EXIT_LACK,
                      _("%1$s could not be restored whole (%m). Your files are safe in %2$s."),
                      path, backup);
    return vl_say(VL_EXIT_LACK, _("%s cannot be written (%m), so nothing was changed."), path);
}

static enum vl_exit restore(const struct vl_lab *lab, const char *own, const struct given *given)
{
    int changed = 0;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < given->count; i++)
        changed += differs(own, lab->files[i], given->bytes[i], given->sizes[i]);
    if (changed == 0) {
        printf(_("Lab %02d is as it was on the first day: there is nothing to reset.\n"),
               lab->number);
        return VL_EXIT_OK;
    }
    char *backup = vl_backup_make(own);
    if (backup == NULL)
        return refuse(own, NULL);
    for (size_t i = 0; status == VL_OK && i < given->count; i++)
        if (exists(own, lab->files[i]))
            status = vl_fill_copy(backup, own, lab->files[i]);
    if (status != VL_OK) {
        enum vl_exit result = refuse(backup, NULL);
        free(backup);
        return result;
    }
    for (size_t i = 0; status == VL_OK && i < given->count; i++)
        if (differs(own, lab->files[i], given->bytes[i], given->sizes[i]))
            status = put_given(lab, own, lab->files[i], given->bytes[i], given->sizes[i]);
    char *shown = vl_path_shown(backup);
    enum vl_exit result = status == VL_OK ? VL_EXIT_OK : refuse(own, backup);
    if (status == VL_OK)
        printf(_("Lab %1$02d is the skeleton again. Your files are kept in %2$s\n"), lab->number,
               shown != NULL ? shown : backup);
    free(shown);
    free(backup);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    if (lab == NULL)
        return VL_EXIT_USAGE;
    enum vl_exit status = vl_workspace_require(lab);
    if (status != VL_EXIT_OK)
        return status;
    struct given given = {0};
    char *own = vl_workspace_lab(lab, NULL);
    char *student = vl_workspace_student();
    status = own != NULL ? read_given(&given, lab, student) : vl_say_status(VL_ENOMEM);
    if (status == VL_EXIT_OK)
        status = restore(lab, own, &given);
    if (status == VL_EXIT_OK)
        vl_standing_forget(lab);
    free_given(&given);
    free(student);
    free(own);
    return status;
}

static const struct vl_flag flags[] = {{0}};

const struct vl_command vl_command_reset = {
    .name = "reset",
    .takes = "LAB",
    .least = 1,
    .most = 1,
    .summary = N_("Put a lab's skeleton back; your files are kept in a backup."),
    .flags = flags,
    .run = run,
};
