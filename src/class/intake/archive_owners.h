/*
 * Whose is what in a class's archive: the first part of a path names its owner, a student.
 *
 *   ada/step.c   ada/src/a.c   eve.zip
 *   ^^^          ^^^           ^^^^^^^
 *
 * In an archive of one student, a fault refuses the whole archive; in that of a class, it costs
 * only its owner. A path whose first part is not an ordinary name has the owner "".
 */
#ifndef VIALATA_CLASS_INTAKE_ARCHIVE_OWNERS_H
#define VIALATA_CLASS_INTAKE_ARCHIVE_OWNERS_H

#include <stdbool.h>
#include <stddef.h>

#define VL_ARCHIVE_OWNERS 20000 /* at most */

struct vl_archive_owner {
    char *name;            /* the first part of the paths */
    size_t entries, bytes; /* bytes: of all files, kept or not */
    char *problem;         /* a sentence: why all of it is left out; NULL: it is not */
};

struct vl_archive_owners {
    struct vl_archive_owner *list;
    size_t count, capacity, last;
};

/* Zero the list to begin. The owner, perhaps a new one, until the next call; NULL: too many, or no memory. */
struct vl_archive_owner *vl_archive_owner_of(struct vl_archive_owners *owners, const char *path);
void vl_archive_owners_free(struct vl_archive_owners *owners);

/* Is this part of a path, n bytes long, an ordinary name? */
bool vl_archive_part_is_good(const char *part, size_t n);

#endif
