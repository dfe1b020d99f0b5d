/*
 * A trainer, or a simulator, with a student's labs in it.
 *
 *   link line = the target's objects + the student's objects of each lab, with their fallbacks
 *               + archives of engine, base, and the references of the OTHER labs
 *
 * Compiled and linked as grading does it: in the sandbox, each file alone. Each lab was written and
 * graded by itself, so two of them may have helpers of the same name: every global name but those
 * of contracts ("vl_...") gets the lab's folder as an ending. What the target defines itself (the
 * simulator's phantom kernels) wins over a lab's, also where the lab calls it. The program is in a
 * scratch folder.
 */
#ifndef VIALATA_GRADE_BUILD_ASSEMBLY_H
#define VIALATA_GRADE_BUILD_ASSEMBLY_H

#include "grade/build/target.h"
#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>

struct vl_assembly {
    char *scratch;               /* the folder of the program */
    char *program;               /* NULL if it could not be made: */
    const struct vl_lab *broken; /* this lab does not compile, or NULL: they do not link */
    char *words;                 /* what the compiler or the linker said; NULL if nothing */
    bool has_variables;          /* outside functions, in one of the labs */
};

/*
 * Make the target from 'count' labs; folders[i] has the files of labs[i]. What is wrong with the files is
 * in *assembly; the status is about everything else: VL_ELACK, VL_EIO (errno), VL_ENOMEM. Ends
 * early, without a program, once interrupt.h has seen a signal.
 */
enum vl_status vl_assembly_make(struct vl_assembly *assembly, const struct vl_target *target,
                                const struct vl_lab *const *labs, const char *const *folders,
                                size_t count);

/* Remove the scratch folder with the program, which may be running: the system keeps it until it
 * ends. Safe to call again. */
void vl_assembly_remove(struct vl_assembly *assembly);

/* Remove it and free everything. Safe on a zeroed assembly. */
void vl_assembly_free(struct vl_assembly *assembly);

#endif
