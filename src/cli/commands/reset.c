/*
 * The pristine skeleton lies in labs/NN_name/.skeleton. Files are copied, never moved: first
 * the student's into a backup, then the skeleton's over them. Whenever it is interrupted, every
 * line of the student's is still in one of the two places.
 */
#include "base/file.h"
#include "base/text.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_LIMIT ((size_t)16 << 20)

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static enum vl_status copy(const char *to_folder, const char *from_folder, const char *name)
{
    char *to = join(to_folder, name), *from = join(from_folder, name), *bytes = NULL;
    size_t n;
    enum vl_status status =
        to == NULL || from == NULL ? VL_ENOMEM : vl_file_read(&bytes, &n, from, FILE_LIMIT);
    if (status == VL_OK) {
        status = vl_file_write(to, bytes, n);
        free(bytes);
    }
    free(to);
    free(from);
    return status;
}

static int differs(const char *own, const char *skeleton, const char *name)
{
    char *a_path = join(own, name), *b_path = join(skeleton, name), *a = NULL, *b = NULL;
    size_t a_size = 0, b_size = 0;
    int a_read = a_path != NULL && vl_file_read(&a, &a_size, a_path, FILE_LIMIT) == VL_OK;
    int b_read = b_path != NULL && vl_file_read(&b, &b_size, b_path, FILE_LIMIT) == VL_OK;
    int same = a_read && b_read && a_size == b_size && memcmp(a, b, a_size) == 0;
    if (a_read)
        free(a);
    if (b_read)
        free(b);
    free(a_path);
    free(b_path);
    return !same;
}

static int exists(const char *folder, const char *name)
{
    char *path = join(folder, name);
    int found = path != NULL && access(path, F_OK) == 0;
    free(path);
    return found;
}

/* A fresh folder named by the moment; a number is added if that moment has one. */
static char *make_backup(const char *own)
{
    char stamp[32], *path = NULL;
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &parts));
    for (int i = 1; i < 100; i++) {
        char more[16] = "";
        if (i > 1)
            snprintf(more, sizeof more, "-%d", i);
        if (asprintf(&path, "%s/backup-%s%s", own, stamp, more) < 0)
            return NULL;
        if (mkdir(path, 0777) == 0)
            return path;
        free(path);
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static enum vl_exit refuse(const char *path, const char *backup)
{
    if (backup != NULL)
        return vl_say(VL_EXIT_LACK,
                      _("%1$s could not be restored whole (%m). Your files are safe in %2$s."),
                      path, backup);
    return vl_say(VL_EXIT_LACK, _("%s cannot be written (%m), so nothing was changed."), path);
}

static enum vl_exit restore(const struct vl_lab *lab, const char *own, const char *skeleton)
{
    int changed = 0;
    enum vl_status status = VL_OK;
    for (const char *const *name = lab->files; *name != NULL; name++) {
        if (!exists(skeleton, *name))
            return vl_say(VL_EXIT_LACK,
                          _("The skeleton file %1$s/%2$s is missing, so nothing was "
                            "changed: fetch the course again with git."),
                          skeleton, *name);
        changed += differs(own, skeleton, *name);
    }
    if (changed == 0) {
        printf(_("Lab %02d is as it was on the first day: there is nothing to reset.\n"),
               lab->number);
        return VL_EXIT_OK;
    }
    char *backup = make_backup(own);
    if (backup == NULL)
        return refuse(own, NULL);
    for (const char *const *name = lab->files; status == VL_OK && *name != NULL; name++)
        if (exists(own, *name))
            status = copy(backup, own, *name);
    if (status != VL_OK) {
        enum vl_exit result = refuse(backup, NULL);
        free(backup);
        return result;
    }
    for (const char *const *name = lab->files; status == VL_OK && *name != NULL; name++)
        if (differs(own, skeleton, *name))
            status = copy(own, skeleton, *name);
    enum vl_exit result = status == VL_OK ? VL_EXIT_OK : refuse(own, backup);
    if (status == VL_OK)
        printf(_("Lab %1$02d is the skeleton again. Your files are kept in %2$s\n"), lab->number,
               backup);
    free(backup);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    if (lab == NULL)
        return VL_EXIT_USAGE;
    char *own = vl_lab_path(lab, NULL), *skeleton = vl_lab_path(lab, ".skeleton");
    enum vl_exit status =
        own != NULL && skeleton != NULL ? restore(lab, own, skeleton) : vl_say_status(VL_ENOMEM);
    free(own);
    free(skeleton);
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
