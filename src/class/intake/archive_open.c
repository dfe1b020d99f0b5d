#include "class/intake/archive_open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1 << 16) /* bytes read at once */

/* ARCHIVE_FILTER_NONE if it is not compressed. */
static int filter_of(const char *path)
{
    static const char gzip[] = "\x1f\x8b", xz[] = "\xfd"
                                                  "7zXZ";
    char first[sizeof xz] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, first, sizeof first) : 0;
    if (file >= 0)
        close(file);
    if (n >= 2 && memcmp(first, gzip, 2) == 0)
        return ARCHIVE_FILTER_GZIP;
    return n == sizeof xz && memcmp(first, xz, sizeof xz) == 0 ? ARCHIVE_FILTER_XZ
                                                               : ARCHIVE_FILTER_NONE;
}

static bool open_layer(struct archive *layer, int filter, const char *path)
{
    struct archive_entry *entry;
    return archive_read_support_format_raw(layer) == ARCHIVE_OK &&
           archive_read_append_filter(layer, filter) == ARCHIVE_OK &&
           archive_read_open_filename(layer, path, BLOCK) == ARCHIVE_OK &&
           archive_read_next_header(layer, &entry) == ARCHIVE_OK;
}

static la_ssize_t read_layer(struct archive *archive, void *context, const void **block)
{
    struct vl_archive_source *source = context;
    size_t n = 0;
    int64_t at;
    *block = NULL;
    int result = archive_read_data_block(source->layer, block, &n, &at);
    source->bytes += n;
    if (result == ARCHIVE_EOF)
        return 0;
    if (result == ARCHIVE_OK && !vl_archive_is_too_much(source))
        return (la_ssize_t)n;
    archive_set_error(archive, EFBIG, "damaged, or too much");
    return ARCHIVE_FATAL;
}

bool vl_archive_open(struct archive *archive, struct vl_archive_source *source, const char *path)
{
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    int filter = filter_of(path);
    if (filter == ARCHIVE_FILTER_NONE)
        return archive_read_open_filename(archive, path, BLOCK) == ARCHIVE_OK;
    source->layer = archive_read_new();
    return source->layer != NULL && open_layer(source->layer, filter, path) &&
           archive_read_open(archive, source, NULL, read_layer, NULL) == ARCHIVE_OK;
}

void vl_archive_count_anew(struct vl_archive_source *source)
{
    source->before += source->bytes;
    source->bytes = 0;
}

bool vl_archive_is_too_much(const struct vl_archive_source *source)
{
    return source->bytes > source->most || source->before > source->all;
}

void vl_archive_source_free(struct vl_archive_source *source)
{
    archive_read_free(source->layer); /* also NULL */
    source->layer = NULL;
}
