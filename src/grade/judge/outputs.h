/*
 * Results that a runner left behind: read with every care, because it may have left anything.
 */
#ifndef VIALATA_GRADE_JUDGE_OUTPUTS_H
#define VIALATA_GRADE_JUDGE_OUTPUTS_H

#include "grade/sandbox/sandbox.h"
#include "wire/bag.h"

/* out<number>.<rank>.st of a sandbox, through a private copy below 'scratch'. NULL if it is not
 * there, no regular file, too large, or not what it should be. Freed by the caller. */
struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, const char *scratch,
                               unsigned number, int rank);

/*
 * The results of all ranks in one bag: the array "y" of rank 2 is "y@2", and "damaged@2" counts in
 * this bag. A rank that left nothing behind has nothing in it. NULL without memory.
 */
struct vl_bag *vl_outputs_gather(const struct vl_sandbox *sandbox, const char *scratch,
                                 unsigned number, int ranks);

#endif
