/*
 * Results that a runner left behind: read with every care, because it may have left anything.
 */
#ifndef VIALATA_GRADE_JUDGE_OUTPUTS_H
#define VIALATA_GRADE_JUDGE_OUTPUTS_H

#include "grade/catalogue/case.h"
#include "grade/sandbox/sandbox.h"
#include "wire/bag.h"

/* out<number>.<rank>.st of a sandbox, through a private copy below 'scratch'. NULL if it is not
 * there, no regular file, too large, or not what it should be. Freed by the caller. */
struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, const char *scratch,
                               unsigned number, int rank);

/*
 * What is judged of a case: the results of this rank, or, where all ranks are judged together, those of
 * all in one bag. There the array "y" of rank 2 is "y@2", and "damaged@2" counts in that bag; a rank that
 * left nothing behind has nothing in it. NULL if there is nothing to be had.
 */
struct vl_bag *vl_outputs_of(const struct vl_case *c, const struct vl_sandbox *sandbox,
                             const char *scratch, unsigned number, int rank);

#endif
