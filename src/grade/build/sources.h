/*
 * The files of a submission on their way to the compiler: those of the catalogue, and its own
 * headers, are copied into the build's folder. Nothing else is taken.
 */
#ifndef VIALATA_GRADE_BUILD_SOURCES_H
#define VIALATA_GRADE_BUILD_SOURCES_H

#include "sandbox/sandbox.h"
#include "vialata/status.h"

struct vl_build;

enum vl_source_state {
    VL_SOURCE_ABSENT,   /* the submission has no such file */
    VL_SOURCE_REFUSED,  /* a link, not a regular file, or larger than VL_SOURCE_BYTES */
    VL_SOURCE_BROKEN,   /* does not compile */
    VL_SOURCE_LEFT_OUT, /* compiles, but cannot be linked or run */
    VL_SOURCE_COMPILED
};

#define VL_SOURCE_BYTES (1u << 20)
#define VL_SOURCES      32

struct vl_source {
    char *name;        /* "forward.c" */
    char *object;      /* where it is compiled to */
    int came_compiled; /* it is a file of a reference that is here as objects only */
    enum vl_source_state state;
    char *symbols;    /* what it defines, as symbols.h has it; NULL if it did not compile */
    const char *code; /* why it was left out: for programs, ... */
    char *sentence;   /* ... and for people */
};

/* From a folder, or from one .c file of any name. A given file (worked.c, and any other that is in
 * labs/ but not in solutions/) comes from the course if the submission does not bring its own.
 * What the submission brought is hashed before that.
 * VL_EINVAL if 'path' does not exist or has no file of this lab; VL_EIO, VL_ENOMEM. */
enum vl_status vl_sources_copy(struct vl_build *build, const struct vl_sandbox *sandbox,
                               const char *path);

/* The reference of a handout: its objects, which are there already. VL_ELACK if the lab's are not
 * here; VL_EIO, VL_ENOMEM. */
enum vl_status vl_sources_take_compiled(struct vl_build *build, const struct vl_sandbox *sandbox);

/* The file of this name, or NULL. */
struct vl_source *vl_sources_find(const struct vl_build *build, const char *name);

#endif
