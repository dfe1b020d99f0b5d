/*
 * A rehearsal: one more call of a function, in the same process, just before one of its cases. The
 * sizes are the same, the numbers are others, and nobody looks at the result.
 *
 *   rehearsal   x (7, 37), other numbers      forgotten
 *   case        x (7, 37)                     judged
 *   next case   x (11, 5)
 *
 * The cases of a function rarely share their sizes. So a result that is kept from one call to the next,
 * and reused if the sizes are the same, would be right in all of them.
 */
#ifndef VIALATA_GRADE_CATALOGUE_REHEARSAL_H
#define VIALATA_GRADE_CATALOGUE_REHEARSAL_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/origin.h"

/* Has this case of a lab's table a rehearsal? The first case of a function on one rank has one, and the
 * first on several. Predictions have none, nor has what is made up of several functions. */
bool vl_case_is_rehearsed(const struct vl_case *c);

/* The inputs of its rehearsal, made as those of the case are (maker.h). NULL without memory. */
struct vl_bag *vl_rehearsal_inputs(const struct vl_case *c, const struct vl_origin *origin);

#endif
