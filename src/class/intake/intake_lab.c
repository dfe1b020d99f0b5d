/* Where a lab is in what was handed in. */
#include "base/path.h"
#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/intake.h"
#include "class/intake/receipt.h"
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LAB_DEPTH 6 /* folders below what was handed in */

static bool has_file_of(const char *folder, const struct vl_lab *lab)
{
    struct stat info;
    bool found = false;
    for (const char *const *file = lab->files; *file != NULL && !found; file++) {
        char *path = vl_path_join(folder, *file);
        found = path != NULL && lstat(path, &info) == 0 && S_ISREG(info.st_mode);
        free(path);
    }
    return found;
}

static int is_folder(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
}

/* The lab's own folder if it is there; another lab's is not looked into: files of two labs may have
 * one name. */
static bool is_other_lab(const char *name, const struct vl_lab *lab)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i] != lab && strcmp(vl_labs[i]->folder, name) == 0)
            return true;
    return false;
}

static char *lab_below(const char *folder, const struct vl_lab *lab, int depth)
{
    struct dirent **entries;
    char *found = NULL;
    if (has_file_of(folder, lab))
        return strdup(folder);
    int n = depth > 0 ? scandir(folder, &entries, is_folder, alphasort) : -1;
    for (int pass = 0; pass < 2 && n >= 0; pass++) /* its own folder first */
        for (int i = 0; i < n && found == NULL; i++) {
            const char *name = entries[i]->d_name;
            bool own = strcmp(name, lab->folder) == 0;
            char *below =
                own == (pass == 0) && !is_other_lab(name, lab) ? vl_path_join(folder, name) : NULL;
            found = below != NULL ? lab_below(below, lab, depth - 1) : NULL;
            free(below);
        }
    for (int i = 0; i < n; i++)
        free(entries[i]);
    if (n >= 0)
        free(entries);
    return found;
}

char *vl_handed_in_lab(const struct vl_handed_in *item, const struct vl_lab *lab)
{
    struct stat info;
    errno = 0;
    if (item->path == NULL || lstat(item->path, &info) != 0)
        return NULL;
    return S_ISREG(info.st_mode) ? strdup(item->path) : lab_below(item->path, lab, LAB_DEPTH);
}

static bool has_entry(const char *folder, const char *name)
{
    struct stat info;
    char *path = vl_path_join(folder, name);
    bool has = path != NULL && lstat(path, &info) == 0;
    free(path);
    return has;
}

bool vl_is_of_one_student(const char *folder)
{
    bool is = has_entry(folder, VL_RECEIPT_NAME);
    for (size_t i = 0; i < vl_lab_count && !is; i++)
        is = has_file_of(folder, vl_labs[i]) || has_entry(folder, vl_labs[i]->folder);
    return is;
}

bool vl_names_a_lab(const char *entry)
{
    bool is = strcmp(entry, VL_RECEIPT_NAME) == 0;
    for (size_t i = 0; i < vl_lab_count && !is; i++) {
        is = strcmp(entry, vl_labs[i]->folder) == 0;
        for (const char *const *file = vl_labs[i]->files; *file != NULL && !is; file++)
            is = strcmp(entry, *file) == 0;
    }
    return is;
}

enum vl_status vl_unpack_lab(char **path, char **problem, const char *folder,
                             const struct vl_lab *lab, const char *archive)
{
    const struct vl_handed_in item = {.path = (char *)folder};
    *path = *problem = NULL;
    if (!vl_path_make_folders(folder))
        return VL_EIO;
    enum vl_status status = vl_archive_unpack(folder, NULL, problem, archive);
    if (status != VL_OK)
        return status;
    *path = vl_handed_in_lab(&item, lab);
    if (*path != NULL)
        return VL_OK;
    if (errno == ENOMEM)
        return VL_ENOMEM;
    *problem = vl_text_format(_("There is no file of this lab in it."));
    return VL_EFORMAT;
}
