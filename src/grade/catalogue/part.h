/*
 * One rank's part of a case's inputs: what the ranks must tell each other, no file tells them.
 *
 * A case's maker makes the inputs of all ranks in one bag. Each rank gets a bag with the same
 * arrays, but what belongs to other ranks is poison there. A case on several ranks names a function
 * of its lab ('part') that says what a rank has; an array that it does not mention, all ranks have.
 *
 *             maker             rank 0            rank 1
 *   "n"       7                 7                 7
 *   "sent"    row 0, row 1      row 0, poison     poison, row 1
 */
#ifndef VIALATA_GRADE_CATALOGUE_PART_H
#define VIALATA_GRADE_CATALOGUE_PART_H

#include "grade/catalogue/case.h"

struct vl_part {
    const struct vl_bag *inputs; /* of all ranks */
    struct vl_bag *own;          /* of this rank: at first everything */
    size_t rank, ranks;          /* in the case's communicator */
};

/* Defines a function of a lab that says what a rank has. It is given the part 'p'. */
#define VL_PART(name) void vl_part_##name(const struct vl_part *p)

/* In all of these an array that the inputs do not have is skipped. */

/* Nothing of an array; then some of it: elements, or rows (of the first dimension). */
void vl_part_withhold(const struct vl_part *part, const char *name);
void vl_part_give(const struct vl_part *part, const char *name, size_t first, size_t count);
void vl_part_give_rows(const struct vl_part *part, const char *name, size_t first, size_t count);
/* Of an array of equal shares, one for each rank in their order: this rank's. */
void vl_part_share(const struct vl_part *part, const char *name);

/* Some cases number the ranks of their job backwards: the rank in the job of a case's rank, and the
 * other way round. */
int vl_part_rank(const struct vl_case *c, const struct vl_bag *inputs, int rank);

/* The inputs of a case for one rank of its job. NULL without memory. */
struct vl_bag *vl_part_of(const struct vl_case *c, const struct vl_bag *inputs, int world_rank);

#endif
