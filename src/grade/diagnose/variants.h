/*
 * Variants: one program that holds the reference of a lab many times, each time with another
 * mistake in it, and switches from one to another between two cases.
 *
 *   reference file      forward.c, unchanged          vl_f -> vl_f__<hash of the text>
 *   and per mistake     forward.c with the mistake    vl_f -> vl_f__<hash of the text>
 *   switch.c            vl_f jumps to the one that vl_variant_choose() named last
 *
 * An object is named after the text and the flags that it was compiled from, so it is compiled once
 * and kept: in the build tree, or in the user's cache. The same holds for the whole program.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_VARIANTS_H
#define VIALATA_GRADE_DIAGNOSE_VARIANTS_H

#include "grade/build/toolchain.h"
#include "grade/diagnose/edit.h"
#include "sandbox/sandbox.h"

struct vl_variants {
    char *program; /* NULL if nothing could be built */
    bool *usable;  /* one per mistake: it applies and compiles; variant i + 1 of the program */
    size_t count;
};

/*
 * Build the program for these mistakes of one lab. 'toolchain' has the runner; 'scratch' is our own
 * folder; the reference has the student's shapes. A mistake is left out if it does not apply or compile, or is not compiled by 'until' (on
 * vl_clock()). VL_ELACK if the reference is not there, VL_EIO, VL_ENOMEM.
 */
enum vl_status vl_variants_build(struct vl_variants *variants, const struct vl_toolchain *toolchain,
                                 const struct vl_sandbox *sandbox, const char *scratch,
                                 const struct vl_mistake *const *mistakes, size_t count,
                                 const char *student, double until);
void vl_variants_free(struct vl_variants *variants);

#endif
