/*
 * An exhibit: what a case gave to a function, what came back, and what should have, as tables, so that a student can
 * work it out by hand.
 *
 *   x (2 x 3), input
 *           0.5    -1.25     0.75
 *         0.125     0.25    -0.75
 *   y (2 x 3)
 *                 expected        got
 *       [0, 0]       0.412      0.412
 *     * [0, 1]       -1.03     -0.515
 *
 * Only small arrays are listed whole. Of a large input its range is told, and of a large result the elements that are
 * furthest off. A sealed prediction has no exhibit: it would tell the answer.
 */
#ifndef VIALATA_GRADE_JUDGE_EXHIBIT_H
#define VIALATA_GRADE_JUDGE_EXHIBIT_H

#include "grade/catalogue/case.h"

/* *text, translated and fresh, of a case with these outputs (hostile; NULL: none came back). NULL where there is
 * nothing to show. VL_ENOMEM, and whatever the truth returns. */
enum vl_status vl_exhibit(char **text, const struct vl_case *c, const struct vl_bag *inputs,
                          const struct vl_bag *outputs);

#endif
