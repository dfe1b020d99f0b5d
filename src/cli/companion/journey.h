/*
 * Where a student is in the course, and what comes next.
 *
 *   the lab that was worked on last --> right? no  --> its next function
 *                                       |
 *                                       yes --> the next lab that is not: started? go on : start it
 *                                               none is left --> what can still be made faster, or nothing
 */
#ifndef VIALATA_CLI_COMPANION_JOURNEY_H
#define VIALATA_CLI_COMPANION_JOURNEY_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdio.h>

enum vl_step_kind {
    VL_STEP_START, /* begin this lab */
    VL_STEP_WRITE, /* write this function, or put it right */
    VL_STEP_SPEED, /* make this one faster */
    VL_STEP_DONE   /* everything has all its points */
};

struct vl_step {
    enum vl_step_kind kind;
    const struct vl_lab *lab;               /* NULL: done */
    const struct vl_lab_function *function; /* of the lab; NULL: to start or done */
};

/* VL_ENOMEM. */
enum vl_status vl_journey_next(struct vl_step *step);

/* The same as if 'lab' had been worked on last. */
enum vl_status vl_journey_after(struct vl_step *step, const struct vl_lab *lab);

/* The lab of the workspace whose files were changed last; NULL if none is started. */
const struct vl_lab *vl_journey_lab(void);

/* Say the step, and the commands that take it. 'watched': the lab that is graded on save already, or NULL. */
void vl_journey_tell(FILE *stream, const struct vl_step *step, const struct vl_lab *watched);

/* After a grading that gave all points of a lab: what is finished now, and where it leads. VL_ENOMEM. */
enum vl_status vl_journey_celebrate(FILE *stream, const struct vl_lab *lab);

#endif
