/*
 * What the table and the page of a study of bandwidth share. Only for bandwidth_*.c.
 */
#ifndef VIALATA_REPORT_STUDY_BANDWIDTH_PARTS_H
#define VIALATA_REPORT_STUDY_BANDWIDTH_PARTS_H

#include "base/number.h"
#include "report/draw/page.h"
#include "report/study/bandwidth.h"

/* A rate (bytes/s) in Mbit/s, without its unit. Returns text. */
char *vl_bandwidth_rate(char text[VL_NUMBER_TEXT], double rate);

/* The figure: seconds of a step over the rate, both on logarithmic axes. */
void vl_bandwidth_put_figure(struct vl_page *page, const struct vl_bandwidth *study);

#endif
