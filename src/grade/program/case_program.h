/*
 * A case as a program of its own: its inputs, the call and what must come out, in one C file that a
 * student compiles with their code and steps through.
 *
 *   static const float x[6] = { 0.5F, ... };          what the function is given
 *   static float y[6];                                what it writes
 *   static const double expected_y[6] = { ... };      what it should
 *
 *   int main(void) { enum vl_status status = vl_rmsnorm_forward(y, inv_rms, x, gain, 2, 3); ... }
 *
 * Only a case whose call is the whole story: one rank, plain arrays and numbers that inputs and truth
 * call as the header does (contract.h), and few of them. Predictions are sealed.
 */
#ifndef VIALATA_GRADE_PROGRAM_CASE_PROGRAM_H
#define VIALATA_GRADE_PROGRAM_CASE_PROGRAM_H

#include "grade/catalogue/case.h"
#include "vialata/status.h"

#define VL_PROGRAM_MOST 20000 /* numbers in it */

/* *text, fresh; 'opening' becomes the comment at its top. VL_ELACK if the case is not such a one,
 * VL_EIO (errno), VL_ENOMEM, and whatever the truth returns. */
enum vl_status vl_case_program(char **text, const struct vl_case *c, const struct vl_bag *inputs,
                               const char *opening);

#endif
