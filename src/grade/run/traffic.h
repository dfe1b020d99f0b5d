/*
 * The traffic of a case: do the ranks' meters, the truth and the kernel agree (ranks/audit.h)?
 */
#ifndef VIALATA_GRADE_RUN_TRAFFIC_H
#define VIALATA_GRADE_RUN_TRAFFIC_H

#include "grade/catalogue/case.h"
#include "grade/judge/judge.h"
#include "ranks/audit.h"
#include <stdbool.h>

/* A case on several ranks that passed stays so if its audit agrees, and if '*tainted' is not set: in an
 * earlier case data went past the meters, so that the ranks may know what comes next. Sets it. */
void vl_judge_traffic(struct vl_case_result *result, const struct vl_audit *audit,
                      const struct vl_judged *judged, bool *tainted);

#endif
