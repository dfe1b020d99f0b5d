#include "class/intake/archive_write.h"

#include "base/file.h"
#include "base/path.h"
#include "class/intake/receipt.h"
#include "grade/build/sources.h"
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_TIME 946684800 /* the year 2000 */

static enum vl_status put(struct archive *archive, const char *top, const char *name,
                          const char *bytes, size_t n, time_t changed)
{
    struct archive_entry *entry = archive_entry_new();
    char *path = vl_path_join(top, name);
    enum vl_status status = entry != NULL && path != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        archive_entry_set_pathname(entry, path);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)n);
        archive_entry_set_mtime(entry, changed, 0);
        if (archive_write_header(archive, entry) < ARCHIVE_WARN ||
            archive_write_data(archive, bytes, n) != (la_ssize_t)n)
            status = VL_EIO;
    }
    free(path);
    archive_entry_free(entry);
    return status;
}

static enum vl_status put_file(struct archive *archive, const char *top, const char *folder,
                               const char *name)
{
    char *path = vl_path_join(folder, name), *bytes = NULL;
    size_t n = 0;
    enum vl_status status =
        path != NULL ? vl_file_read(&bytes, &n, path, VL_SOURCE_BYTES) : VL_ENOMEM;
    if (status == VL_OK)
        status = put(archive, top, name, bytes, n, FIXED_TIME);
    free(bytes);
    free(path);
    return status;
}

enum vl_status vl_archive_write(const char *path, const char *top, const char *folder,
                                const struct vl_manifest *manifest, const char *receipt,
                                time_t receipt_time)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    struct archive *archive = archive_write_new();
    if (archive == NULL || archive_write_set_format_zip(archive) != ARCHIVE_OK)
        status = VL_ENOMEM;
    else if (archive_write_open_FILE(archive, file.stream) != ARCHIVE_OK)
        status = VL_EIO;
    for (size_t i = 0; i < manifest->count && status == VL_OK; i++)
        status = put_file(archive, top, folder, manifest->files[i].name);
    if (status == VL_OK)
        status = put(archive, top, VL_RECEIPT_NAME, receipt, strlen(receipt), receipt_time);
    if (archive != NULL && archive_write_close(archive) != ARCHIVE_OK && status == VL_OK)
        status = VL_EIO;
    int why = errno;
    archive_write_free(archive);
    errno = why;
    return vl_file_end(&file, status);
}
