/*
 * The archive that `vialata handin` makes: a zip file with the files of one lab, in one folder.
 *
 * The same files give the same members in the same order, with one fixed time. Only the receipt has
 * the time of its making, so that whoever unpacks the archive sees when it was handed in.
 */
#ifndef VIALATA_CLASS_INTAKE_ARCHIVE_WRITE_H
#define VIALATA_CLASS_INTAKE_ARCHIVE_WRITE_H

#include "grade/build/manifest.h"
#include "vialata/status.h"
#include <time.h>

/* Write it, whole or not at all: the manifest's files, which are in 'folder', and the receipt's text,
 * all below TOP/. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_archive_write(const char *path, const char *top, const char *folder,
                                const struct vl_manifest *manifest, const char *receipt,
                                time_t receipt_time);

#endif
