/*
 * A submission's files, compiled once more so that functions in them can be replaced (substitute.h).
 */
#ifndef VIALATA_GRADE_BUILD_RECOMPILE_H
#define VIALATA_GRADE_BUILD_RECOMPILE_H

#include "grade/build/build.h"

#include <stdbool.h>

#define VL_OBJECT_BYTES (64u << 20)

struct vl_recompiled {
    const struct vl_build *build;
    const struct vl_sandbox *sandbox; /* by whose user they are compiled */
    struct vl_sandbox place;          /* where: the same, with a folder in which nothing ran */
    const char *scratch;
    char *folder;              /* with the objects, below 'scratch'; NULL: not compiled yet */
    char *objects[VL_SOURCES]; /* of each source of the build; NULL where it has none */
    char *fallback;
    bool usable; /* all of them are there, and may be linked */
};

/* Compile them, if that has not been done. The first three fields are the caller's; nothing of the
 * submission runs meanwhile. VL_EIO, VL_ELACK, VL_ENOMEM are about this machine. */
enum vl_status vl_recompile(struct vl_recompiled *recompiled);

void vl_recompiled_free(struct vl_recompiled *recompiled);

#endif
