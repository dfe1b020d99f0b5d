/*
 * A substitute: the submission's program once more, with a function of the reference, or all functions
 * of one of its files, in the place of the submission's own. So what else was written can be judged
 * although these are wrong.
 *
 *   the submission's files    compiled with -fPIC, so that no call of what is replaced is inlined,
 *                             nor made to fit its body; the functions themselves become weak
 *   the reference's file      the functions; their neighbours are weak, and come after the
 *                             submission's; other names stay inside the object
 *
 * One function alone does not fit where it shares something with its neighbours that no contract has:
 * a place in memory, a turn, a state. Then the whole file is replaced, its static functions too.
 *
 * Is this safe, where the reference is otherwise kept out of a submission's program?
 *
 *   - Such a program judges only what the submission wrote besides what is replaced, and that these
 *     parts fit each other (run/instead/rejudge.h). Cases about the functions that are replaced are over,
 *     never run in it, and earn nothing from it.
 *   - It holds the machine code of one file of the reference at most, and of one function only what that
 *     uses. What it prints is shown to nobody,
 *     and behind the wall only other substitutes find what it leaves in its sandbox. Handouts have all
 *     references as machine code.
 *   - The files are compiled behind the same wall, and refused for the same names: code can tell -fPIC
 *     from what it was compiled with the first time.
 */
#ifndef VIALATA_GRADE_BUILD_SUBSTITUTE_H
#define VIALATA_GRADE_BUILD_SUBSTITUTE_H

#include "grade/build/recompile.h"

/* What is replaced: one function of a file or, where that is NULL, all that the lab has in the file. */
struct vl_replacement {
    const char *file;
    const struct vl_lab_function *function;
    bool by_nothing; /* not by the reference's: by one that returns VL_OK (run/instead/undone.h) */
};

bool vl_replacement_has(const struct vl_replacement *what, const struct vl_lab_function *function);

/* "vl_rmsnorm_forward", or "gradients.c". */
const char *vl_replacement_name(const struct vl_replacement *what);

struct vl_substitute {
    struct vl_replacement what;
    char *program; /* NULL: it could not be made */
    bool alone;    /* no other function of the reference is in it */
};

#define VL_SUBSTITUTES 128 /* functions, twice, and files of a lab */

/* Those of one submission. */
struct vl_substitutes {
    struct vl_recompiled submission;
    /* The reference is compiled here, where the submission never runs. */
    const struct vl_sandbox *other;
    struct vl_substitute list[VL_SUBSTITUTES];
    size_t count;
};

/* The program in which this is the reference's, made once; *program is NULL if it cannot be made, and
 * belongs to the substitutes. VL_EIO, VL_ELACK, VL_ENOMEM are about this machine. */
enum vl_status vl_substitute_make(const char **program, struct vl_substitutes *substitutes,
                                  const struct vl_replacement *what);

/* Does the program, which was made before, contain no other function of the reference? Then nothing in
 * it could answer for another function of that file. */
bool vl_substitute_is_alone(const struct vl_substitutes *substitutes,
                            const struct vl_replacement *what);

void vl_substitutes_free(struct vl_substitutes *substitutes);

#endif
