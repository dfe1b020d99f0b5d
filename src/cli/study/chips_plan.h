/*
 * `study chips` before anything is simulated: machines are read, and every cell is planned.
 */
#ifndef VIALATA_CLI_STUDY_CHIPS_PLAN_H
#define VIALATA_CLI_STUDY_CHIPS_PLAN_H

#include "cli/study/study_chips.h"

/* Fill a zeroed study. VL_EXIT_USAGE, with a sentence, for a machine that there is not, one whose
 * chips are too small, or a torus with too few of them. */
enum vl_exit vl_chips_plan(struct vl_chips *study, const struct vl_chips_request *request);

#endif
