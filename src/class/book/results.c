#include "class/book/results.h"

#include "base/path.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".json"

bool vl_is_results(const char *folder)
{
    char *path = vl_path_join(folder, "class.json");
    bool is = path != NULL && access(path, F_OK) == 0;
    free(path);
    return is;
}

/* Is the text before 'end' a dot and at least this many digits? Its dot, or NULL. */
static const char *digits_before(const char *name, const char *end, size_t least)
{
    const char *dot = memrchr(name, '.', (size_t)(end - name));
    if (dot == NULL || strspn(dot + 1, "0123456789abcdef") < (size_t)(end - dot - 1))
        return NULL;
    return (size_t)(end - dot - 1) >= least ? dot : NULL;
}

/* The length of ID in "ID.KEY.VERSION.json"; 0 if the name is not of that form. */
static size_t id_length(const char *name)
{
    if (name[0] == '.' || !vl_path_ends_in(name, ENDING))
        return 0;
    const char *end = name + strlen(name) - strlen(ENDING);
    const char *version = digits_before(name, end, VL_RESULTS_VERSION);
    const char *key = version != NULL ? digits_before(name, version, VL_RESULTS_KEY_LEAST) : NULL;
    return key != NULL ? (size_t)(key - name) : 0;
}

static bool is_older(struct timespec left, struct timespec right)
{
    return left.tv_sec != right.tv_sec ? left.tv_sec < right.tv_sec : left.tv_nsec < right.tv_nsec;
}

/* Takes 'path' over. */
static enum vl_status keep(struct vl_kept_verdicts *kept, const struct vl_lab *lab, char *path,
                           const char *name)
{
    struct stat info;
    char *student = strndup(name, id_length(name));
    if (path == NULL || student == NULL || stat(path, &info) != 0) {
        bool lacks_memory = path == NULL || student == NULL;
        free(path);
        free(student);
        return lacks_memory ? VL_ENOMEM : VL_EIO;
    }
    if (kept->count == kept->capacity) {
        size_t capacity = kept->capacity > 0 ? 2 * kept->capacity : 64;
        struct vl_kept_verdict *list = realloc(kept->list, capacity * sizeof *list);
        if (list == NULL) {
            free(path);
            free(student);
            return VL_ENOMEM;
        }
        kept->list = list;
        kept->capacity = capacity;
    }
    kept->list[kept->count++] = (struct vl_kept_verdict){
        .student = student, .lab = lab, .path = path, .made = info.st_mtim};
    return VL_OK;
}

static enum vl_status find_lab(struct vl_kept_verdicts *kept, const char *folder,
                               const struct vl_lab *lab)
{
    char *place = vl_text_format("%s/verdicts/%s", folder, lab->folder);
    DIR *entries = place != NULL ? opendir(place) : NULL;
    enum vl_status status = place == NULL                        ? VL_ENOMEM
                            : entries == NULL && errno != ENOENT ? VL_EIO
                                                                 : VL_OK;
    struct dirent *entry;
    while (status == VL_OK && entries != NULL && (entry = readdir(entries)) != NULL)
        if (id_length(entry->d_name) > 0)
            status = keep(kept, lab, vl_path_join(place, entry->d_name), entry->d_name);
    if (entries != NULL)
        closedir(entries);
    free(place);
    return status;
}

/* The newest of a student and lab first. */
static int compare(const void *left, const void *right)
{
    const struct vl_kept_verdict *a = left, *b = right;
    int order = strcmp(a->student, b->student);
    if (order == 0)
        order = a->lab->number - b->lab->number;
    if (order == 0)
        order = is_older(a->made, b->made) - is_older(b->made, a->made);
    return order;
}

static void drop_older(struct vl_kept_verdicts *kept)
{
    size_t n = 0;
    for (size_t i = 0; i < kept->count; i++) {
        struct vl_kept_verdict *next = &kept->list[i];
        if (n > 0 && kept->list[n - 1].lab == next->lab &&
            strcmp(kept->list[n - 1].student, next->student) == 0) {
            free(next->student);
            free(next->path);
        } else
            kept->list[n++] = *next;
    }
    kept->count = n;
}

enum vl_status vl_kept_verdicts_find(struct vl_kept_verdicts *kept, const char *folder,
                                     const struct vl_lab *const *labs, size_t lab_count)
{
    enum vl_status status = VL_OK;
    *kept = (struct vl_kept_verdicts){0};
    for (size_t i = 0; i < lab_count && status == VL_OK; i++)
        status = find_lab(kept, folder, labs[i]);
    if (kept->count > 0)
        qsort(kept->list, kept->count, sizeof *kept->list, compare);
    drop_older(kept);
    return status;
}

void vl_kept_verdicts_free(struct vl_kept_verdicts *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        free(kept->list[i].student);
        free(kept->list[i].path);
    }
    free(kept->list);
    *kept = (struct vl_kept_verdicts){0};
}
