/*
 * A lab's reference with a student's shapes or with a mistake in it, as a folder that can be graded like any submission.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_MISTAKEN_H
#define VIALATA_GRADE_DIAGNOSE_MISTAKEN_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

/*
 * Write it to the new folder 'folder'; 'name' is "vl_rmsnorm_forward/missing_epsilon", or
 * "vl_rmsnorm_forward/mutant.17" for one that is made by machine (mutants/schema.h; 0: none of them), or NULL for no
 * mistake; 'student' is NULL for the usual shapes. VL_EINVAL, with a sentence in *problem
 * (fresh, may be NULL), if there is no such mistake or it no longer applies to the reference; VL_EIO,
 * VL_ENOMEM.
 */
enum vl_status vl_mistaken_write(const char *folder, const struct vl_lab *lab, const char *name,
                                 const char *student, char **problem);

#endif
