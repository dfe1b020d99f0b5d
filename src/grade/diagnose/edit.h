/*
 * Editing the reference: the text of one of its files with a mistake in it.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_EDIT_H
#define VIALATA_GRADE_DIAGNOSE_EDIT_H

#include "grade/diagnose/mistake.h"

/* One file of a lab's reference. */
struct vl_reference_file {
    char *name;        /* "forward.c" */
    char *text;        /* an outline, if all there is of it is ... */
    uint64_t compiled; /* ... this object (precompiled.h); else 0 */
};

struct vl_reference {
    struct vl_reference_file *files;
    size_t count;
};

/* The .c files of the catalogue, from solutions/ or, where code is given, from labs/; predict.c with
 * the student's shapes (shapes.h), or the usual ones for NULL. */
enum vl_status vl_reference_read(struct vl_reference *reference, const struct vl_lab *lab,
                                 const char *student);
void vl_reference_free(struct vl_reference *reference);

/*
 * The file with the mistake in it: its index in *file, its text (fresh) in *text. VL_EINVAL, with a
 * sentence in *problem (fresh), if the mistake does not apply; VL_ENOMEM.
 */
enum vl_status vl_mistake_apply(char **text, size_t *file, const struct vl_mistake *mistake,
                                const struct vl_reference *reference, char **problem);

#endif
