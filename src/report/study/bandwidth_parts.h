/*
 * What the files of a study of bandwidth share. Only for bandwidth*.c.
 */
#ifndef VIALATA_REPORT_STUDY_BANDWIDTH_PARTS_H
#define VIALATA_REPORT_STUDY_BANDWIDTH_PARTS_H

#include "base/number.h"
#include "report/draw/page.h"
#include "report/study/bandwidth.h"

/* Of n > 0 values, at most VL_BANDWIDTH_TURNS. */
double vl_bandwidth_median(const double *values, size_t n);

/* A rate (bytes/s) in Mbit/s, without its unit. Returns text. */
char *vl_bandwidth_rate(char text[VL_NUMBER_TEXT], double rate);

/* The figure: seconds of a step over the rate, both on logarithmic axes. */
void vl_bandwidth_put_figure(struct vl_page *page, const struct vl_bandwidth *study);

#endif
