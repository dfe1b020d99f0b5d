#include "class/handout/pack.h"

#include "base/file.h"
#include "base/path.h"
#include "class/handout/tree.h"
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MOST ((size_t)64 << 20) /* bytes */
#define LONG_AGO  347155200          /* 1981: zip knows no time before 1980 */

enum vl_status vl_pack_open(struct vl_pack *pack, enum vl_pack_format format, FILE *stream)
{
    pack->archive = archive_write_new();
    if (pack->archive == NULL)
        return VL_ENOMEM;
    archive_write_set_bytes_in_last_block(pack->archive, 1); /* no zeros after the end */
    int set = format == VL_PACK_ZIP ? archive_write_set_format_zip(pack->archive)
                                    : archive_write_set_format_pax_restricted(pack->archive);
    return set == ARCHIVE_OK && archive_write_open_FILE(pack->archive, stream) == ARCHIVE_OK
               ? VL_OK
               : VL_EIO;
}

enum vl_status vl_pack_bytes(struct vl_pack *pack, const char *name, unsigned mode,
                             const void *bytes, size_t n)
{
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return VL_ENOMEM;
    archive_entry_set_pathname_utf8(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, mode);
    archive_entry_set_size(entry, (la_int64_t)n);
    archive_entry_set_mtime(entry, LONG_AGO, 0);
    bool written = archive_write_header(pack->archive, entry) == ARCHIVE_OK &&
                   archive_write_data(pack->archive, bytes, n) == (la_ssize_t)n;
    archive_entry_free(entry);
    return written ? VL_OK : VL_EIO;
}

enum vl_status vl_pack_file(struct vl_pack *pack, const char *name, const char *path)
{
    struct stat info;
    char *bytes = NULL;
    size_t n = 0;
    enum vl_status status = vl_file_read(&bytes, &n, path, FILE_MOST);
    if (status == VL_OK && stat(path, &info) != 0)
        status = VL_EIO;
    if (status == VL_OK)
        status = vl_pack_bytes(pack, name, (info.st_mode & S_IXUSR) != 0 ? 0755 : 0644, bytes, n);
    free(bytes);
    return status;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && !vl_tree_is_backup(entry->d_name);
}

static enum vl_status pack_folder(struct vl_pack *pack, const char *name, const char *path)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, is_shown, alphasort);
    enum vl_status status = n < 0 ? VL_EIO : VL_OK;
    for (int i = 0; i < n; i++) {
        char *below = vl_path_join(path, entries[i]->d_name);
        char *inside = vl_path_join(name, entries[i]->d_name);
        if (status == VL_OK)
            status =
                below != NULL && inside != NULL ? vl_pack_tree(pack, inside, below) : VL_ENOMEM;
        free(below);
        free(inside);
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum vl_status vl_pack_tree(struct vl_pack *pack, const char *name, const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return VL_EIO;
    if (S_ISDIR(info.st_mode))
        return pack_folder(pack, name, path);
    return S_ISREG(info.st_mode) ? vl_pack_file(pack, name, path) : VL_OK;
}

enum vl_status vl_pack_close(struct vl_pack *pack)
{
    if (pack->archive == NULL)
        return VL_OK;
    bool closed = archive_write_close(pack->archive) == ARCHIVE_OK;
    archive_write_free(pack->archive);
    pack->archive = NULL;
    return closed ? VL_OK : VL_EIO;
}
