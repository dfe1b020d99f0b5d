/*
 * A substitute: the submission's program once more, with one function of the reference in the place of
 * the submission's own. So what else was written can be judged although that function is wrong.
 *
 *   the submission's files    compiled with -fPIC, so that no call of the function is inlined,
 *                             nor made to fit its body; the function itself becomes weak
 *   the reference's file      the function; its neighbours are weak, and come after the submission's;
 *                             other names stay inside the object
 *
 * Is this safe, where the reference is otherwise kept out of a submission's program?
 *
 *   - Such a program judges only what the submission wrote besides that function. The function's own
 *     cases are over, never run in it, and earn nothing from it.
 *   - It holds the machine code of one file of the reference at most. What it prints is shown to nobody,
 *     and behind the wall only other substitutes find what it leaves in its sandbox. Handouts have all
 *     references as machine code.
 *   - The files are compiled behind the same wall, and refused for the same names: code can tell -fPIC
 *     from what it was compiled with the first time.
 */
#ifndef VIALATA_GRADE_BUILD_SUBSTITUTE_H
#define VIALATA_GRADE_BUILD_SUBSTITUTE_H

#include "grade/build/recompile.h"

struct vl_substitute {
    const char *function;
    char *program; /* NULL: it could not be made */
};

/* Those of one submission. */
struct vl_substitutes {
    struct vl_recompiled submission;
    /* The reference is compiled here, where the submission never runs. */
    const struct vl_sandbox *other;
    struct vl_substitute list[VL_SOURCES];
    size_t count;
};

/* The program in which this function of the lab is the reference's, made once; *program is NULL if it
 * cannot be made, and belongs to the substitutes. VL_EIO, VL_ELACK, VL_ENOMEM are about this machine. */
enum vl_status vl_substitute_make(const char **program, struct vl_substitutes *substitutes,
                                  const struct vl_lab_function *function);

void vl_substitutes_free(struct vl_substitutes *substitutes);

#endif
