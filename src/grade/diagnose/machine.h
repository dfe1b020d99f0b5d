/*
 * Mistakes made by machine: where no mistake that somebody wrote explains a function's numbers, every small
 * change of its reference is tried (mutants/operators.h). One that alone explains all cases says at
 * least where the bug is, and of which kind.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_MACHINE_H
#define VIALATA_GRADE_DIAGNOSE_MACHINE_H

#include "grade/diagnose/cause.h"

/* Look for the causes of open cases that have none yet; as vl_causes_find(). */
enum vl_status vl_machine_causes_find(struct vl_seen_case *cases, size_t count,
                                      const struct vl_origin *origin,
                                      const struct vl_toolchain *toolchain,
                                      const struct vl_sandbox *sandbox, const char *scratch,
                                      double until);

#endif
