#include "class/intake/intake.h"

#include "base/path.h"
#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/entry_name.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define ARCHIVES_MOST 64 /* in a student's folder: some of each lab */

/* ---- the list ---- */

static struct vl_handed_in *append(struct vl_intake *intake)
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
    *item = (struct vl_handed_in){0};
    return item;
}

/* The student of this name and the platform's number in the roster, else of this name. */
static const struct vl_student *find(const struct vl_roster *roster, bool *exact,
                                     const struct vl_entry_name *said)
{
    *exact = false;
    if (roster == NULL || said->student == NULL)
        return NULL;
    char *numbered = vl_text_format("%s_%llu", said->student, said->number);
    const struct vl_student *known =
        said->number != 0 && numbered != NULL ? vl_roster_find(roster, numbered) : NULL;
    free(numbered);
    *exact = known != NULL;
    return known != NULL ? known : vl_roster_find(roster, said->student);
}

static struct vl_handed_in *add(struct vl_intake *intake, const char *entry,
                                const struct vl_roster *roster)
{
    struct vl_handed_in *item = append(intake);
    if (item == NULL)
        return NULL;
    const struct vl_entry_name said = vl_entry_name(entry);
    item->from = strdup(entry);
    item->student = said.student;
    item->name = said.student != NULL ? strdup(said.student) : NULL;
    item->number = said.number;
    item->late = said.late;
    item->lab = said.lab;
    const struct vl_student *known = find(roster, &item->exact, &said);
    if (known != NULL) {
        free(item->student);
        item->student = strdup(known->id);
    }
    item->known = roster == NULL || known != NULL;
    return item->from != NULL && item->student != NULL && item->name != NULL ? item : NULL;
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

static enum vl_status unpack(struct vl_intake *intake, char **into,
                             struct vl_archive_owners *owners, char **problem, const char *path,
                             const char *scratch)
{
    *into = vl_text_format("%s/%zu", scratch, intake->unpacked++);
    if (*into == NULL)
        return VL_ENOMEM;
    if (!vl_path_make_folders(*into))
        return VL_EIO;
    return vl_archive_unpack(*into, owners, problem, path);
}

/* What is wrong with the archive becomes the item's problem. */
static enum vl_status unpack_item(struct vl_intake *intake, struct vl_handed_in *item,
                                  const char *path, time_t changed, const char *scratch)
{
    item->changed = changed;
    enum vl_status status = unpack(intake, &item->path, NULL, &item->problem, path, scratch);
    return status == VL_EFORMAT ? VL_OK : status;
}

static int is_archive(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && vl_archive_ending(entry->d_name) > 0;
}

static enum vl_status add_archive_of(struct vl_intake *intake, size_t owner, const char *name,
                                     const char *scratch)
{
    struct stat info;
    struct vl_handed_in *item = append(intake);
    if (item == NULL)
        return VL_ENOMEM;
    const struct vl_handed_in *whose = &intake->list[owner];
    item->student = strdup(whose->student);
    item->name = strdup(whose->name);
    item->from = vl_text_format("%s/%s", whose->from, name);
    item->known = whose->known;
    item->number = whose->number;
    item->exact = whose->exact;
    item->download = whose->download != NULL ? strdup(whose->download) : NULL;
    item->late = whose->late;
    item->lab = vl_entry_lab(name);
    char *path = vl_path_join(whose->path, name);
    bool whole = item->student && item->name && item->from && item->download && path;
    enum vl_status status = whole ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && (lstat(path, &info) != 0 || !S_ISREG(info.st_mode)))
        item->problem = vl_text_format(_("It is neither a file nor a folder."));
    else if (status == VL_OK)
        status = unpack_item(intake, item, path, info.st_mtime, scratch);
    free(path);
    return status;
}

/* Archives in a student's folder, as Moodle has them: each is a submission of its own. */
static enum vl_status add_archives_of(struct vl_intake *intake, size_t owner, const char *scratch)
{
    struct dirent **entries;
    int n = scandir(intake->list[owner].path, &entries, is_archive, alphasort);
    enum vl_status status = VL_OK;
    for (int i = 0; i < n; i++) {
        if (status == VL_OK && i < ARCHIVES_MOST)
            status = add_archive_of(intake, owner, entries[i]->d_name, scratch);
        else if (status == VL_OK && i == ARCHIVES_MOST)
            intake->list[owner].problem =
                vl_archive_too_much(entries[i]->d_name); /* the full disk would be everybody's */
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return status;
}

static enum vl_status add_entry(struct vl_intake *intake, const char *folder, const char *name,
                                const char *scratch, const struct vl_roster *roster)
{
    struct stat info;
    char *path = vl_path_join(folder, name);
    struct vl_handed_in *item = path != NULL ? add(intake, name, roster) : NULL;
    if (item != NULL)
        item->download = strdup(folder);
    enum vl_status status = item != NULL && item->download != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && lstat(path, &info) != 0)
        status = VL_EIO;
    if (status == VL_OK && vl_archive_ending(name) > 0 && S_ISREG(info.st_mode))
        status = unpack_item(intake, item, path, info.st_mtime, scratch);
    else if (status == VL_OK && (S_ISDIR(info.st_mode) || S_ISREG(info.st_mode))) {
        item->changed = newest_below(path);
        item->path = path;
        path = NULL;
    } else if (status == VL_OK)
        item->problem = vl_text_format(_("It is neither a file nor a folder."));
    if (status == VL_OK && item->problem == NULL && !vl_student_id_is_good(item->student))
        item->problem = vl_text_format(_("Its name cannot be used as a student's name: use "
                                         "letters, digits and `. _ - @ +`, or a roster with this "
                                         "name in it."));
    if (status == VL_OK && item->problem == NULL && S_ISDIR(info.st_mode))
        status = add_archives_of(intake, intake->count - 1, scratch);
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

static enum vl_status add_alone(struct vl_intake *intake, const char *path, const char *slash,
                                const char *scratch, const struct vl_roster *roster)
{
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path)) : strdup(".");
    if (folder == NULL)
        return VL_ENOMEM;
    enum vl_status status =
        add_entry(intake, folder, slash != NULL ? slash + 1 : path, scratch, roster);
    free(folder);
    return status;
}

/* Does the archive's name say that it is one student's, and not a class's? */
static bool names_one_student(const char *name, const struct vl_roster *roster)
{
    struct vl_entry_name said = vl_entry_name(name);
    bool exact, known = find(roster, &exact, &said) != NULL;
    free(said.student);
    return known || said.lab != NULL;
}

/* What could not be taken of an owner's part; 'first': where those of the archive begin in the list;
 * 'folder': where it is unpacked. */
static enum vl_status tell_owner(struct vl_intake *intake, size_t first, const char *entry,
                                 char **problem, const char *folder, const struct vl_roster *roster)
{
    struct vl_handed_in *item = NULL;
    for (size_t i = first; i < intake->count && item == NULL; i++)
        if (strcmp(intake->list[i].from, entry) == 0)
            item = &intake->list[i];
    if (item == NULL && (item = add(intake, entry, roster)) != NULL)
        item->download = strdup(folder);
    if (item == NULL || item->download == NULL)
        return VL_ENOMEM;
    if (item->problem == NULL) {
        item->problem = *problem;
        *problem = NULL;
    }
    return VL_OK;
}

/* A class's archive, unpacked: what cannot be taken costs its owner alone. Who that is, the name of the
 * archive says where a path does not. */
static enum vl_status add_class(struct vl_intake *intake, const char *folder, const char *name,
                                const char *scratch, const struct vl_roster *roster,
                                struct vl_archive_owners *owners)
{
    size_t first = intake->count;
    enum vl_status status = add_folder(intake, folder, scratch, roster);
    for (size_t i = 0; i < owners->count && status == VL_OK; i++) {
        struct vl_archive_owner *owner = &owners->list[i];
        bool named = owner->name[0] != '\0';
        if (owner->problem != NULL)
            status = tell_owner(intake, first, named ? owner->name : name, &owner->problem, folder,
                                named ? roster : NULL);
    }
    return status;
}

static bool is_of_one_student(const char *folder, const struct vl_archive_owners *owners)
{
    bool is = vl_is_of_one_student(folder);
    for (size_t i = 0; i < owners->count && !is; i++)
        is = vl_names_a_lab(owners->list[i].name);
    return is;
}

static enum vl_status add_archive(struct vl_intake *intake, const char *path, const char *scratch,
                                  const struct vl_roster *roster, struct vl_archive_owners *owners)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char *folder = NULL, *problem = NULL;
    enum vl_status status = unpack(intake, &folder, owners, &problem, path, scratch);
    if (status == VL_OK)
        status = is_of_one_student(folder, owners)
                     ? add_alone(intake, path, slash, scratch, roster)
                     : add_class(intake, folder, name, scratch, roster, owners);
    if (status == VL_EFORMAT && problem != NULL)
        status = tell_owner(intake, intake->count, name, &problem, folder, NULL);
    free(problem);
    free(folder);
    return status;
}

enum vl_status vl_intake_add(struct vl_intake *intake, const char *path, const char *scratch,
                             const struct vl_roster *roster)
{
    struct stat info;
    struct vl_archive_owners owners = {0};
    if (stat(path, &info) != 0)
        return VL_EIO;
    if (S_ISDIR(info.st_mode))
        return add_folder(intake, path, scratch, roster);
    const char *slash = strrchr(path, '/');
    if (names_one_student(slash != NULL ? slash + 1 : path, roster))
        return add_alone(intake, path, slash, scratch, roster);
    enum vl_status status = add_archive(intake, path, scratch, roster, &owners);
    vl_archive_owners_free(&owners);
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
}

size_t vl_intake_same(const struct vl_intake *intake, size_t i)
{
    size_t n = 1;
    while (i + n < intake->count &&
           strcasecmp(intake->list[i].student, intake->list[i + n].student) == 0)
        n++;
    return n;
}

void vl_intake_free(struct vl_intake *intake)
{
    for (size_t i = 0; i < intake->count; i++) {
        free(intake->list[i].student);
        free(intake->list[i].name);
        free(intake->list[i].download);
        free(intake->list[i].id);
        free(intake->list[i].from);
        free(intake->list[i].path);
        free(intake->list[i].problem);
    }
    free(intake->list);
    *intake = (struct vl_intake){0};
}
