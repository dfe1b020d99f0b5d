#include "class/handout/tree.h"

#include "base/file.h"
#include "base/path.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

bool vl_tree_is_backup(const char *name)
{
    static const char *const endings[] = {"~", ".orig", ".bak", ".rej", ".swp"};
    size_t length = strlen(name);
    bool is = strncmp(name, ".#", 2) == 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !is; i++) {
        size_t tail = strlen(endings[i]);
        is = length > tail && strcmp(name + length - tail, endings[i]) == 0;
    }
    return is;
}

/* ---- copying ---- */

enum vl_status vl_tree_copy_file(const char *to, const char *from)
{
    struct stat info;
    char *folder = strdup(to), *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    enum vl_status status = folder != NULL ? VL_OK : VL_ENOMEM;
    if (slash != NULL) {
        *slash = '\0';
        status = vl_path_make_folders(folder) ? VL_OK : VL_EIO;
    }
    if (status == VL_OK)
        status = vl_scratch_copy(to, from, SIZE_MAX);
    if (status == VL_OK && stat(from, &info) == 0 && (info.st_mode & S_IXUSR) != 0)
        status = chmod(to, 0755) == 0 ? VL_OK : VL_EIO;
    free(folder);
    return status;
}

/* What is done with an entry of a folder. */
typedef enum vl_status visit_function(void *context, const char *path, const char *name,
                                      bool is_folder);

/* Every entry, in the order of the bytes of their names, until one fails. */
static enum vl_status each_entry(const char *folder, visit_function *visit, void *context)
{
    struct dirent **entries = NULL;
    struct stat info;
    int count = scandir(folder, &entries, NULL, NULL);
    enum vl_status status = count >= 0 ? VL_OK : VL_EIO;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        bool is_dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        char *path = vl_path_join(folder, name);
        if (path == NULL)
            status = VL_ENOMEM;
        else if (status == VL_OK && !is_dots && !vl_interrupt_seen())
            status = lstat(path, &info) == 0 ? visit(context, path, name, S_ISDIR(info.st_mode))
                                             : VL_EIO;
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

struct copying {
    const char *to;
    bool (*wanted)(const char *name, bool is_folder, const void *context);
    const void *context;
};

static enum vl_status copy_entry(void *context, const char *path, const char *name, bool is_folder)
{
    const struct copying *copying = context;
    if ((is_folder && name[0] == '.') || vl_tree_is_backup(name) ||
        (copying->wanted != NULL && !copying->wanted(name, is_folder, copying->context)))
        return VL_OK;
    char *to = vl_path_join(copying->to, name);
    enum vl_status status = VL_ENOMEM;
    if (to != NULL)
        status = is_folder ? vl_tree_copy(to, path, copying->wanted, copying->context)
                           : vl_tree_copy_file(to, path);
    free(to);
    return status;
}

enum vl_status vl_tree_copy(const char *to, const char *from,
                            bool (*wanted)(const char *name, bool is_folder, const void *context),
                            const void *context)
{
    struct copying copying = {to, wanted, context};
    return vl_path_make_folders(to) ? each_entry(from, copy_entry, &copying) : VL_EIO;
}

/* ---- packing ---- */

struct packing {
    struct archive *archive;
    const char *below; /* the name of the folder in the archive */
};

/* libarchive tells what went wrong as errno does. */
static enum vl_status refused(const struct packing *packing)
{
    errno = archive_errno(packing->archive);
    return VL_EIO;
}

static enum vl_status put_bytes(const struct packing *packing, const char *path)
{
    char block[65536];
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n = file >= 0 ? 0 : -1;
    enum vl_status status = VL_OK;
    while (status == VL_OK && file >= 0 && (n = read(file, block, sizeof block)) > 0)
        if (archive_write_data(packing->archive, block, (size_t)n) != n)
            status = refused(packing);
    int why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return n < 0 ? VL_EIO : status;
}

static enum vl_status pack_entry(void *context, const char *path, const char *name, bool is_folder)
{
    const struct packing *packing = context;
    struct packing inside = {packing->archive, vl_path_join(packing->below, name)};
    struct archive_entry *entry = archive_entry_new();
    struct stat info;
    enum vl_status status = entry != NULL && inside.below != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && lstat(path, &info) != 0)
        status = VL_EIO;
    if (status == VL_OK) {
        archive_entry_set_pathname(entry, inside.below);
        archive_entry_set_filetype(entry, is_folder ? AE_IFDIR : AE_IFREG);
        archive_entry_set_perm(entry, info.st_mode & 0777);
        archive_entry_set_mtime(entry, info.st_mtim.tv_sec, 0);
        archive_entry_set_size(entry, is_folder ? 0 : info.st_size);
        if (archive_write_header(packing->archive, entry) != ARCHIVE_OK)
            status = refused(packing);
    }
    if (status == VL_OK)
        status = is_folder ? each_entry(path, pack_entry, &inside) : put_bytes(packing, path);
    archive_entry_free(entry);
    free((char *)inside.below);
    return status;
}

enum vl_status vl_tree_zip(const char *path, const char *folder, const char *top)
{
    struct vl_file_new file;
    struct packing packing = {archive_write_new(), top};
    enum vl_status status = packing.archive != NULL ? vl_file_begin(&file, path) : VL_ENOMEM;
    if (status != VL_OK) {
        archive_write_free(packing.archive);
        return status;
    }
    if (archive_write_set_format_zip(packing.archive) != ARCHIVE_OK ||
        archive_write_open_FILE(packing.archive, file.stream) != ARCHIVE_OK)
        status = refused(&packing);
    if (status == VL_OK)
        status = each_entry(folder, pack_entry, &packing);
    if (status == VL_OK && archive_write_close(packing.archive) != ARCHIVE_OK)
        status = refused(&packing);
    int why = errno;
    archive_write_free(packing.archive);
    errno = why;
    if (!vl_interrupt_seen())
        return vl_file_end(&file, status);
    vl_file_drop(&file);
    return status;
}
