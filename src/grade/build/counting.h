/*
 * Counting programs: the submission's runner and the reference's, linked once more with what counts
 * (src/runner/counted/counted.h). Made only where a timing was too slow.
 */
#ifndef VIALATA_GRADE_BUILD_COUNTING_H
#define VIALATA_GRADE_BUILD_COUNTING_H

#include "grade/build/build.h"
#include "vialata/status.h"

#include <stdbool.h>

struct vl_counting_programs {
    char *submission, *reference;
    bool sees_all; /* every BLAS function that the submission calls is counted */
};

/*
 * Link both, each in its sandbox. The submission must be linked already, and the reference too
 * (vl_build_reference). VL_ELACK if this build has no counting objects, or one does not link; VL_EIO,
 * VL_ENOMEM.
 */
enum vl_status vl_counting_link(struct vl_counting_programs *programs, const struct vl_build *build,
                                const char *scratch, const struct vl_sandbox *submissions,
                                const struct vl_sandbox *references);

void vl_counting_free(struct vl_counting_programs *programs);

#endif
