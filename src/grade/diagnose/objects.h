/*
 * The objects of the variants: files of the reference, as they are or with a mistake in them, each
 * compiled with its functions under names of its own: vl_f becomes vl_f__<hash>.
 *
 * The hash covers all that the object is made from: text, headers, compiler and flags. So an object
 * is compiled once and kept (cache.h), and two mistakes that make the same text share one.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_OBJECTS_H
#define VIALATA_GRADE_DIAGNOSE_OBJECTS_H

#include "grade/build/toolchain.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stdint.h>

struct vl_object {
    size_t file; /* of the reference */
    char *text;
    uint64_t hash;
    char *path;    /* below the folder of the objects */
    bool compiled; /* it is here as an object only (precompiled.h) */
    bool made;
};

struct vl_objects {
    const struct vl_toolchain *toolchain;
    const struct vl_sandbox *sandbox;
    char *folder;          /* sources and objects */
    char *cache;           /* NULL: nothing is kept */
    uint64_t surroundings; /* the hash of headers, compiler and flags */
    struct vl_object *list;
    size_t count;
};

/* Prepare for at most 'most' objects of the toolchain's lab, in a new folder below 'scratch'. Close
 * it in any case. VL_EIO, VL_ENOMEM. */
enum vl_status vl_objects_open(struct vl_objects *objects, const struct vl_toolchain *toolchain,
                               const struct vl_sandbox *sandbox, const char *scratch, size_t most);

/* The object of a text, which is copied; it belongs to the objects. VL_EIO, VL_ENOMEM. */
enum vl_status vl_objects_add(struct vl_object **object, struct vl_objects *objects, size_t file,
                              const char *text);

/* One that is here as an object only, of a file with this outline. VL_ENOMEM. */
enum vl_status vl_objects_add_compiled(struct vl_object **object, struct vl_objects *objects,
                                       size_t file, const char *outline, uint64_t hash);

/* Take each from the cache or compile it, none after 'until' (on vl_clock()); 'made' says which
 * exist. VL_EIO and VL_ENOMEM are about this machine. */
enum vl_status vl_objects_compile(struct vl_objects *objects, double until);

void vl_objects_close(struct vl_objects *objects);

#endif
