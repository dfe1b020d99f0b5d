/*
 * An archive that somebody handed in (zip, tar, tar.gz, tar.xz), unpacked without trusting it.
 *
 *   kept       sources (.c, .h), a receipt.json, and archives if asked for; everything else is passed over
 *   refused    a path that climbs out or has a name for the terminal to stumble over, a link, a name
 *              twice, more than the limits below; in a class's archive this costs its owner alone
 *              (archive_owners.h)
 *   cut off    in a class's archive, a file that is too long: it is refused when its turn comes
 */
#ifndef VIALATA_CLASS_INTAKE_ARCHIVE_H
#define VIALATA_CLASS_INTAKE_ARCHIVE_H

#include "class/intake/archive_owners.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>

#define VL_ARCHIVE_ENTRIES 20000
#define VL_ARCHIVE_FILE    ((size_t)64 << 20)  /* bytes of one file that is kept */
#define VL_ARCHIVE_BYTES   ((size_t)512 << 20) /* of all files of a student, unpacked, kept or not */
#define VL_ARCHIVE_CLASS   ((size_t)4 << 30)   /* of those that are kept of a class's archive */
#define VL_ARCHIVE_ALL     ((size_t)32 << 30) /* of all files of a class's archive: they take time */
/* Of what a .tar.gz or .tar.xz holds, with its headers, which libarchive keeps in memory; in a class's
 * archive, of what lies between two pieces of files. */
#define VL_ARCHIVE_LAYER (VL_ARCHIVE_BYTES + VL_ARCHIVE_BYTES / 8)
/* Of those that are kept of one student's: a student may hand in many archives, a class has many
 * students, and all lie on one disk. */
#define VL_ARCHIVE_SOURCES ((size_t)16 << 20)

/* Does the name end as an archive's does? Then the ending's length, else 0. */
size_t vl_archive_ending(const char *name);

/* The sentence for whoever has more than that; freed by the caller, NULL without memory. */
char *vl_archive_too_much(const char *name);

/*
 * Unpack into a folder, which must be there and is ours alone; 'owners': it is a class's, and archives in
 * it are kept. NULL: it is one student's. VL_EFORMAT with a sentence in *problem, freed by the caller, if
 * it is damaged or refused: then the folder may hold a part of it. VL_EIO (errno), VL_ENOMEM.
 */
enum vl_status vl_archive_unpack(const char *folder, struct vl_archive_owners *owners,
                                 char **problem, const char *path);

#endif
