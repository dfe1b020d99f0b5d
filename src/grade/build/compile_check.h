/*
 * Does a lab compile? Asked before it is handed in; what it compiles to is thrown away.
 */
#ifndef VIALATA_GRADE_BUILD_COMPILE_CHECK_H
#define VIALATA_GRADE_BUILD_COMPILE_CHECK_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

struct vl_compile_check {
    char *
        broken; /* "step.c, budget.c": files that do not compile, or that grading leaves out; NULL */
    char *words; /* what the compiler said; NULL if nothing */
};

/*
 * Compile the lab's files in 'folder' as grading does, each alone and in the sandbox. 'scratch' is an
 * empty folder for it. Ends early once interrupt.h has seen a signal. VL_EINVAL if there is no file of
 * the lab; VL_ELACK, VL_EIO (errno), VL_ENOMEM. The caller frees the result in any case.
 */
enum vl_status vl_compile_check(struct vl_compile_check *check, const struct vl_lab *lab,
                                const char *folder, const char *scratch);
void vl_compile_check_free(struct vl_compile_check *check);

#endif
