/*
 * A grading in the background, which stops when the student saves again: `vialata grade` in its own process, whose
 * verdict comes back in a file.
 */
#ifndef VIALATA_CLI_WATCH_REGRADE_H
#define VIALATA_CLI_WATCH_REGRADE_H

#include "grade/catalogue/lab.h"
#include "grade/catalogue/verdict.h"
#include "vialata/status.h"

#include <stdbool.h>
#include <sys/types.h>

struct vl_regrade {
    char *folder;  /* scratch: of the verdict, and of what the grader says on standard error */
    pid_t process; /* 0: nothing is graded */
    double since;
};

/* VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_regrade_open(struct vl_regrade *regrade);
void vl_regrade_close(struct vl_regrade *regrade);

/* Begin: one function without its speed, or, with NULL, the lab as a whole. What is still graded is given up. */
enum vl_status vl_regrade_begin(struct vl_regrade *regrade, const struct vl_lab *lab,
                                const char *function);
/* It and what it started are gone when this returns. */
void vl_regrade_give_up(struct vl_regrade *regrade);

/* Has it ended? */
bool vl_regrade_has_ended(struct vl_regrade *regrade);

/* What came of it, freed by the caller. Without a verdict, *words gets what the grader said, freed by the caller,
 * and the status is VL_ELACK. */
enum vl_status vl_regrade_verdict(struct vl_verdict *verdict, char **words,
                                  const struct vl_regrade *regrade);

#endif
