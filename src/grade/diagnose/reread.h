/*
 * Is a wrong answer the right one for inputs that were misread (reading.h)?
 */
#ifndef VIALATA_GRADE_DIAGNOSE_REREAD_H
#define VIALATA_GRADE_DIAGNOSE_REREAD_H

#include "grade/catalogue/origin.h"
#include "grade/diagnose/cause.h"
#include "grade/judge/signs.h"

/*
 * Find the reading that explains every open case of the function of cases[first] (which is open), and
 * that no case refutes that it has right. Not beyond 'until', on vl_clock(). Runs nothing but truths.
 * code NULL if there is none. VL_ENOMEM.
 */
enum vl_status vl_reread(struct vl_sign *finding, const struct vl_seen_case *cases, size_t count,
                         size_t first, const struct vl_origin *origin, double until);

#endif
