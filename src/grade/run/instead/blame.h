/*
 * Whose mistake it is. A function may pass all cases of its own, and still be wrong where another one uses it:
 *
 *   vl_zero_borrow      passes its own cases, in which nothing was fetched ahead
 *   vl_zero_prefetch    fails: what it fetched is not what vl_zero_borrow gives
 *   once more           with the reference's vl_zero_borrow, all failed cases of vl_zero_prefetch pass
 *
 * Then the student is told to look into the one that was used. Points stay as they are: nobody else has paid.
 */
#ifndef VIALATA_GRADE_RUN_INSTEAD_BLAME_H
#define VIALATA_GRADE_RUN_INSTEAD_BLAME_H

#include "grade/run/instead/rejudge_cases.h"

/* Find them, as long as there is time. VL_EIO, VL_ELACK and VL_ENOMEM are about this machine. */
enum vl_status vl_blame_find(struct vl_rejudging *rejudging);

/* Say it in front of what else is said of a case. VL_ENOMEM. */
enum vl_status vl_blame_say(struct vl_case_result *result, const struct vl_seen_case *seen);

#endif
