/*
 * Opening an archive of which one layer at most is compressed.
 *
 *   file ── gzip, xz or nothing ── tar or zip
 *
 * libarchive by itself would take many layers, and what lies between two of them counts for no limit: a
 * kilobyte could keep it busy for hours. So what the one layer holds is counted here, headers and all.
 */
#ifndef VIALATA_CLASS_INTAKE_ARCHIVE_OPEN_H
#define VIALATA_CLASS_INTAKE_ARCHIVE_OPEN_H

#include <archive.h>
#include <stdbool.h>
#include <stddef.h>

struct vl_archive_source {
    struct archive *layer; /* NULL: nothing is compressed */
    size_t bytes, most;    /* of what the layer holds */
    size_t before, all;    /* and of what it held before that */
};

/* Open for reading; freed by vl_archive_source_free() after archive_read_free(archive). False if it
 * is not an archive, or there is no memory. */
bool vl_archive_open(struct archive *archive, struct vl_archive_source *source, const char *path);

/* Begin to count anew, up to 'all'. */
void vl_archive_count_anew(struct vl_archive_source *source);

/* Did it hold more than the most? */
bool vl_archive_is_too_much(const struct vl_archive_source *source);
void vl_archive_source_free(struct vl_archive_source *source);

#endif
