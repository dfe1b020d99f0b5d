#include "cli/workspace/refresh.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/workspace/backup.h"
#include "cli/workspace/fill.h"
#include "cli/workspace/given.h"
#include "cli/workspace/merge.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_LIMIT  ((size_t)16 << 20)
#define BESIDE_MOST 100

struct versions {
    char *own, *path; /* the lab's folder in the workspace, and the file */
    struct vl_text_bytes given, mine, today;
    bool is_there, is_file;
};

static void free_versions(struct versions *versions)
{
    free(versions->given.bytes);
    free(versions->mine.bytes);
    free(versions->today.bytes);
    free(versions->path);
    free(versions->own);
}

/* What is not known, or cannot be read, has no bytes. */
static enum vl_status read_versions(struct versions *versions, const struct vl_refresh *refresh,
                                    const char *name)
{
    struct stat info;
    versions->own = vl_path_join(refresh->workspace, refresh->lab->folder);
    versions->path = vl_path_join(versions->own, name);
    if (versions->path == NULL)
        return VL_ENOMEM;
    enum vl_status status = vl_given_today(&versions->today.bytes, &versions->today.n, refresh->lab,
                                           name, refresh->student);
    if (status != VL_OK)
        return status == VL_ENOMEM ? status : VL_ELACK;
    versions->is_there = lstat(versions->path, &info) == 0;
    versions->is_file = versions->is_there && S_ISREG(info.st_mode);
    if (versions->is_file)
        status = vl_file_read(&versions->mine.bytes, &versions->mine.n, versions->path, FILE_LIMIT);
    if (status != VL_ENOMEM)
        status = vl_given_read(&versions->given.bytes, &versions->given.n, refresh->workspace,
                               refresh->lab, name);
    return status == VL_ENOMEM ? status : VL_OK;
}

static bool is_same(const struct vl_text_bytes *left, const struct vl_text_bytes *right)
{
    return left->bytes != NULL && right->bytes != NULL && left->n == right->n &&
           memcmp(left->bytes, right->bytes, left->n) == 0;
}

static enum vl_status decide(enum vl_refresh_kind *kind, struct vl_text_bytes *merged,
                             const struct versions *versions)
{
    bool known = versions->given.bytes != NULL && versions->mine.bytes != NULL;
    enum vl_status status = VL_OK;
    *kind = VL_REFRESH_BESIDE;
    if (!versions->is_there)
        *kind = VL_REFRESH_ADDED;
    else if (is_same(&versions->mine, &versions->today) ||
             is_same(&versions->given, &versions->today))
        *kind = VL_REFRESH_SAME;
    else if (is_same(&versions->mine, &versions->given))
        *kind = VL_REFRESH_REPLACED;
    else if (known)
        status = vl_merge(merged, &versions->mine, &versions->given, &versions->today);
    if (is_same(merged, &versions->mine)) /* an update that was interrupted just before its end */
        *kind = VL_REFRESH_SAME;
    else if (merged->bytes != NULL)
        *kind = VL_REFRESH_MERGED;
    return status;
}

/* ---- doing it ---- */

static enum vl_status put(struct vl_refresh *refresh, const char *path,
                          const struct vl_text_bytes *text)
{
    enum vl_status status = vl_file_write(path, text->bytes, text->n);
    if (status == VL_EIO && refresh->problem == NULL)
        refresh->problem = strdup(path);
    return status;
}

static enum vl_status put_merged(struct vl_refresh *refresh, const struct versions *versions,
                                 const char *name, const struct vl_text_bytes *merged)
{
    if (refresh->backup == NULL)
        refresh->backup = vl_backup_make(versions->own);
    enum vl_status status =
        refresh->backup != NULL ? vl_fill_copy(refresh->backup, versions->own, name) : VL_EIO;
    if (status == VL_EIO && refresh->problem == NULL)
        refresh->problem = strdup(refresh->backup != NULL ? refresh->backup : versions->own);
    return status == VL_OK ? put(refresh, versions->path, merged) : status;
}

/* FILE.new, or FILE.new.2: what is there may be the student's. */
static enum vl_status put_beside(char **beside, struct vl_refresh *refresh,
                                 const struct versions *versions, const char *name)
{
    for (int i = 1; i < BESIDE_MOST; i++) {
        struct stat info;
        free(*beside);
        *beside = i == 1 ? vl_text_format("%s.new", name) : vl_text_format("%s.new.%d", name, i);
        char *path = vl_path_join(versions->own, *beside);
        bool fits = path != NULL && (lstat(path, &info) != 0 ||
                                     vl_file_holds(path, versions->today.bytes, versions->today.n));
        enum vl_status status = path == NULL            ? VL_ENOMEM
                                : fits && !refresh->dry ? put(refresh, path, &versions->today)
                                                        : VL_OK;
        free(path);
        if (fits || status != VL_OK)
            return status;
    }
    errno = EEXIST;
    return VL_EIO;
}

static enum vl_status act(enum vl_refresh_kind kind, char **beside, struct vl_refresh *refresh,
                          const struct versions *versions, const char *name,
                          const struct vl_text_bytes *merged)
{
    if (kind == VL_REFRESH_BESIDE)
        return put_beside(beside, refresh, versions, name);
    if (refresh->dry || kind == VL_REFRESH_SAME)
        return VL_OK;
    return kind == VL_REFRESH_MERGED ? put_merged(refresh, versions, name, merged)
                                     : put(refresh, versions->path, &versions->today);
}

/* Saved in an editor since it was read? */
static bool is_unchanged(const struct versions *versions)
{
    return versions->mine.bytes != NULL &&
           vl_file_holds(versions->path, versions->mine.bytes, versions->mine.n);
}

enum vl_status vl_refresh_file(enum vl_refresh_kind *kind, char **beside,
                               struct vl_refresh *refresh, const char *name)
{
    struct versions versions = {0};
    struct vl_text_bytes merged = {0};
    *beside = NULL;
    enum vl_status status = read_versions(&versions, refresh, name);
    if (status == VL_OK)
        status = decide(kind, &merged, &versions);
    if (status == VL_OK && (*kind == VL_REFRESH_REPLACED || *kind == VL_REFRESH_MERGED) &&
        !is_unchanged(&versions))
        *kind = VL_REFRESH_BESIDE;
    if (status == VL_OK)
        status = act(*kind, beside, refresh, &versions, name, &merged);
    if (status == VL_OK && !refresh->dry && !is_same(&versions.given, &versions.today))
        status = vl_given_keep(refresh->workspace, refresh->lab, name, versions.today.bytes,
                               versions.today.n);
    int why = errno;
    free(merged.bytes);
    free_versions(&versions);
    errno = why;
    return status;
}

void vl_refresh_free(struct vl_refresh *refresh)
{
    free(refresh->backup);
    free(refresh->problem);
    refresh->backup = refresh->problem = NULL;
}
