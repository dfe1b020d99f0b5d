/*
 * The causes of open cases in which only figures of bytes are wrong (grade/cost/why_bytes.h). Like a known
 * mistake, a reason has to hold in all open cases of its function. Each case says which calls sent its bytes.
 */
#ifndef VIALATA_GRADE_RUN_BYTES_H
#define VIALATA_GRADE_RUN_BYTES_H

#include "grade/run/grading.h"

/* Fill 'cause' of open cases that have none. VL_ENOMEM. */
enum vl_status vl_byte_causes(struct vl_grading *grading);

#endif
