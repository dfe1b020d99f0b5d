/*
 * The files of a submission on their way to the compiler: those of the catalogue, and its own
 * headers, are copied into the build's folder. Nothing else is taken.
 */
#ifndef VIALATA_GRADE_BUILD_SOURCES_H
#define VIALATA_GRADE_BUILD_SOURCES_H

#include "grade/sandbox/sandbox.h"
#include "vialata/status.h"

struct vl_build;

enum vl_source_state {
    VL_SOURCE_ABSENT,  /* the submission has no such file */
    VL_SOURCE_REFUSED, /* a link, no regular file, or larger than VL_SOURCE_BYTES */
    VL_SOURCE_BROKEN,  /* does not compile */
    VL_SOURCE_COMPILED
};

#define VL_SOURCE_BYTES (1u << 20)
#define VL_SOURCES      32

struct vl_source {
    char *name;   /* "forward.c" */
    char *object; /* where it is compiled to */
    enum vl_source_state state;
};

/* From a folder, or from one .c file under whatever name. A given file (worked.c, and any
 * other that stands in labs/ and not in solutions/) is taken from the course where the submission
 * does not bring its own. VL_EINVAL if there is no submission at
 * 'path', or no file of this lab in it; VL_EIO, VL_ENOMEM. */
enum vl_status vl_sources_copy(struct vl_build *build, const struct vl_sandbox *sandbox,
                               const char *path);

/* The file of this name, or NULL. */
struct vl_source *vl_sources_find(const struct vl_build *build, const char *name);

#endif
