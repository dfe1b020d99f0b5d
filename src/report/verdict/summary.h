/*
 * The end of a report for a person: points by group and function, the score, the next step.
 */
#ifndef VIALATA_REPORT_VERDICT_SUMMARY_H
#define VIALATA_REPORT_VERDICT_SUMMARY_H

#include "base/number.h"
#include "grade/catalogue/verdict.h"
#include "report/draw/terminal.h"

void vl_summary_put(const struct vl_terminal *terminal, const struct vl_verdict *verdict);

/* "2.5", with no more digits than it needs. Returns text. */
char *vl_points_number(char text[VL_NUMBER_TEXT], double points);

/* "2.5/3", as the language in force writes numbers. */
void vl_points_text(char text[2 * VL_NUMBER_TEXT + 2], double points, double max_points);

/* "Numbers", "Throughput" ... in the user's language. */
const char *vl_group_title(enum vl_case_group group);

#endif
