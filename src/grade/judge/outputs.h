/*
 * Reading the results of a runner, with care, because it may have written anything.
 */
#ifndef VIALATA_GRADE_JUDGE_OUTPUTS_H
#define VIALATA_GRADE_JUDGE_OUTPUTS_H

#include "grade/catalogue/case.h"
#include "sandbox/sandbox.h"
#include "wire/bag.h"

/* What a rank of the job put into its results under that number. NULL if there is nothing, or it is too large, or not what it should be. Freed by the caller. */
struct vl_bag *vl_outputs_take(const struct vl_sandbox *sandbox, unsigned number, int rank);

/*
 * What is judged of a case with these inputs: the results of this rank of the case or, where all
 * ranks are judged together (per_rank), those of all in one bag. There the array "y" of rank 2 is
 * "y@2"; a rank without results has nothing in it. NULL without results or memory.
 *
 * Two numbers are added that this process finds out by itself: "damaged", 1 + the place in the bag of
 * an output whose guards were written to, and "inputs_changed", 1 + the place among 'inputs' of an
 * input that is not what this rank was given (catalogue/part.h). 0: none. A rank that does not show
 * its inputs and all guards has no results.
 */
struct vl_bag *vl_outputs_of(const struct vl_case *c, const struct vl_bag *inputs,
                             const struct vl_sandbox *sandbox, unsigned number, int rank);

/* The same without these two numbers, where nobody asks for them: of our own reference with a bug in it, and
 * of a rehearsal. */
struct vl_bag *vl_outputs_of_ours(const struct vl_case *c, const struct vl_bag *inputs,
                                  const struct vl_sandbox *sandbox, unsigned number, int rank);

#endif
