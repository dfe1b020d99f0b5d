/*
 * Editing the reference: where a function is in a C file, and the text of a file with a mistake.
 *
 * Functions are found by the style of the code, which a test enforces: the name comes before the
 * first parenthesis of the head, and the braces are alone on their lines, in the first column.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_EDIT_H
#define VIALATA_GRADE_DIAGNOSE_EDIT_H

#include "grade/diagnose/mistake.h"

struct vl_c_function {
    const char *name; /* of 'length' bytes, inside the text */
    size_t length;
    const char *start, *end; /* from the head to after the closing brace */
    bool is_static;
};

/* The first function at or after 'text'. False if there is none. */
bool vl_c_function_next(struct vl_c_function *function, const char *text);

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
