/*
 * Misuse of MPI: what the ranks did to each other in a case that came to its end, and what they sent.
 */
#ifndef VIALATA_GRADE_JUDGE_MISUSE_H
#define VIALATA_GRADE_JUDGE_MISUSE_H

#include "grade/build/build.h"
#include "grade/catalogue/case.h"
#include "ranks/hang/hang.h"
#include "wire/bag.h"

#include <stdbool.h>

/* From the beacons in the gathered outputs ("beacon@0" ...), or the only one. 'wrong': the case failed
 * otherwise. Finds nothing, with VL_OK, where they are not there or not whole. VL_ENOMEM. */
enum vl_status vl_misuse_find(struct vl_finding *finding, const struct vl_bag *outputs,
                              const struct vl_case *c, const struct vl_build *build,
                              const struct vl_sandbox *sandbox, bool wrong);

/* From the same beacons: which calls sent the bytes of this case, as in ranks/senders.h. NULL where that is
 * not known. VL_ENOMEM. */
enum vl_status vl_senders_find(char **sentence, const struct vl_bag *outputs,
                               const struct vl_case *c, const struct vl_build *build,
                               const struct vl_sandbox *sandbox);

#endif
