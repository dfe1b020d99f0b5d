#include "class/intake.h"

#include "base/path.h"
#include "base/text.h"
#include "class/archive.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MOODLE_MARK "_assignsubmission_"
#define LAB_DEPTH   6 /* folders below what was handed in */

/* ---- whose is it? ---- */

/* Cut a Canvas name, "lovelaceada_LATE_381_7241_lab02": the student, a mark, two numbers, the file. */
static bool cut_canvas(char *name, int *late)
{
    char *at = strchr(name, '_');
    if (at == NULL || at == name)
        return false;
    char *rest = at + 1;
    bool marked = strncmp(rest, "LATE_", 5) == 0 || strncmp(rest, "late_", 5) == 0;
    rest += marked ? 5 : 0;
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t digits = strspn(rest, "0123456789");
        if (digits == 0 || rest[digits] != '_')
            return false;
        rest += digits + 1;
    }
    *at = '\0';
    *late = marked;
    return true;
}

/* Cut a Moodle name, "Ada Lovelace_381_assignsubmission_file_": the name, a number. */
static bool cut_moodle(char *name)
{
    char *mark = strstr(name, MOODLE_MARK);
    if (mark == NULL)
        return false;
    *mark = '\0';
    char *number = strrchr(name, '_');
    if (number != NULL && number != name && number[1] != '\0' &&
        number[1 + strspn(number + 1, "0123456789")] == '\0')
        *number = '\0';
    return true;
}

static char *student_of(const char *entry, int *late)
{
    char *name = strdup(entry);
    *late = 0;
    if (name == NULL)
        return NULL;
    size_t ending = vl_archive_ending(name), n = strlen(name);
    if (ending > 0)
        name[n - ending] = '\0';
    else if (n > 2 && strcmp(name + n - 2, ".c") == 0)
        name[n - 2] = '\0';
    if (!cut_moodle(name))
        cut_canvas(name, late);
    return name;
}

/* ---- the list ---- */

static struct vl_handed_in *add(struct vl_intake *intake, const char *entry,
                                const struct vl_roster *roster)
{
    if (intake->count == intake->capacity) {
        size_t more = intake->capacity * 2 + 64;
        struct vl_handed_in *list = realloc(intake->list, more * sizeof *list);
        if (list == NULL)
            return NULL;
        intake->list = list;
        intake->capacity = more;
    }
    struct vl_handed_in *item = &intake->list[intake->count++];
    *item = (struct vl_handed_in){.from = strdup(entry)};
    item->student = student_of(entry, &item->late);
    const struct vl_student *known =
        roster != NULL && item->student != NULL ? vl_roster_find(roster, item->student) : NULL;
    if (known != NULL) {
        free(item->student);
        item->student = strdup(known->id);
    }
    item->known = roster == NULL || known != NULL;
    return item->from != NULL && item->student != NULL ? item : NULL;
}

static time_t newest; /* nftw takes no context; intake is not used by several threads */

static int look_at_file(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)path, (void)where;
    if (kind == FTW_F && info->st_mtime > newest)
        newest = info->st_mtime;
    return 0;
}

static time_t newest_below(const char *path)
{
    newest = 0;
    nftw(path, look_at_file, 8, FTW_PHYS | FTW_MOUNT);
    return newest;
}

static enum vl_status unpack(struct vl_intake *intake, char **into, bool archives, char **problem,
                             const char *path, const char *scratch)
{
    *into = vl_text_format("%s/%zu", scratch, intake->unpacked++);
    if (*into == NULL)
        return VL_ENOMEM;
    if (!vl_path_make_folders(*into))
        return VL_EIO;
    return vl_archive_unpack(*into, archives, problem, path);
}

static enum vl_status add_entry(struct vl_intake *intake, const char *folder, const char *name,
                                const char *scratch, const struct vl_roster *roster)
{
    struct stat info;
    char *path = vl_path_join(folder, name);
    struct vl_handed_in *item = path != NULL ? add(intake, name, roster) : NULL;
    enum vl_status status = item != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && lstat(path, &info) != 0)
        status = VL_EIO;
    if (status == VL_OK && vl_archive_ending(name) > 0 && S_ISREG(info.st_mode)) {
        item->changed = info.st_mtime;
        status = unpack(intake, &item->path, false, &item->problem, path, scratch);
        if (status == VL_EFORMAT)
            status = VL_OK; /* the item has its problem */
    } else if (status == VL_OK && (S_ISDIR(info.st_mode) || S_ISREG(info.st_mode))) {
        item->changed = newest_below(path);
        item->path = path;
        path = NULL;
    } else if (status == VL_OK)
        item->problem = vl_text_format(_("It is neither a file nor a folder."));
    if (status == VL_OK && item->problem == NULL && !vl_student_id_is_good(item->student))
        item->problem = vl_text_format(_("Its name cannot name a student: use letters, digits and "
                                         "`. _ - @ +`, or a roster with this name in it."));
    free(path);
    return status;
}

/* A submission is a folder, an archive or a .c file; other files (a list of grades) are not. */
static int is_entry(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    bool may_be = entry->d_type == DT_DIR || entry->d_type == DT_LNK ||
                  entry->d_type == DT_UNKNOWN || vl_archive_ending(entry->d_name) > 0 ||
                  (n > 2 && strcmp(entry->d_name + n - 2, ".c") == 0);
    return may_be && entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0;
}

static enum vl_status add_folder(struct vl_intake *intake, const char *folder, const char *scratch,
                                 const struct vl_roster *roster)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_entry, alphasort);
    enum vl_status status = n >= 0 ? VL_OK : VL_EIO;
    for (int i = 0; i < n; i++) {
        if (status == VL_OK)
            status = add_entry(intake, folder, entries[i]->d_name, scratch, roster);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return status;
}

enum vl_status vl_intake_add(struct vl_intake *intake, const char *path, const char *scratch,
                             const struct vl_roster *roster)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return VL_EIO;
    if (S_ISDIR(info.st_mode))
        return add_folder(intake, path, scratch, roster);
    const char *slash = strrchr(path, '/');
    char *folder = NULL, *problem = NULL;
    enum vl_status status = unpack(intake, &folder, true, &problem, path, scratch);
    if (status == VL_OK)
        status = add_folder(intake, folder, scratch, roster);
    if (status == VL_EFORMAT) {
        struct vl_handed_in *item = add(intake, slash != NULL ? slash + 1 : path, NULL);
        status = item != NULL ? VL_OK : VL_ENOMEM;
        if (item != NULL) {
            item->problem = problem;
            problem = NULL;
        }
    }
    free(problem);
    free(folder);
    return status;
}

static int by_student(const void *left, const void *right)
{
    const struct vl_handed_in *a = left, *b = right;
    int order = strcasecmp(a->student, b->student);
    return order != 0 ? order : (a->changed < b->changed) - (a->changed > b->changed);
}

void vl_intake_order(struct vl_intake *intake)
{
    if (intake->count > 0)
        qsort(intake->list, intake->count, sizeof *intake->list, by_student);
    const struct vl_handed_in *counts = intake->list;
    for (size_t i = 1; i < intake->count; i++) {
        struct vl_handed_in *item = &intake->list[i];
        if (strcasecmp(item->student, counts->student) != 0)
            counts = item;
        else if (item->problem == NULL)
            item->problem = vl_text_format(
                _("The same student handed in `%s` later, and that one counts."), counts->from);
    }
}

void vl_intake_free(struct vl_intake *intake)
{
    for (size_t i = 0; i < intake->count; i++) {
        free(intake->list[i].student);
        free(intake->list[i].from);
        free(intake->list[i].path);
        free(intake->list[i].problem);
    }
    free(intake->list);
    *intake = (struct vl_intake){0};
}

/* ---- where the lab is ---- */

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
