/*
 * What the files of a study of bandwidth share. Only for bandwidth*.c and chips*.c.
 */
#ifndef VIALATA_REPORT_STUDY_BANDWIDTH_PARTS_H
#define VIALATA_REPORT_STUDY_BANDWIDTH_PARTS_H

#include "report/draw/page.h"
#include "report/study/bandwidth.h"

/* Of n > 0 values, at most VL_BANDWIDTH_TURNS. */
double vl_bandwidth_median(const double *values, size_t n);

#define VL_BANDWIDTH_PLACE 160
/* "850 Mbit/s", "below 100 Mbit/s": where a crossover is. Returns text. */
char *vl_bandwidth_place(char text[VL_BANDWIDTH_PLACE], const struct vl_bandwidth *study,
                         struct vl_bandwidth_crossover crossover);

/* Nonzero if a way has seconds on any road. */
int vl_bandwidth_has_way(const struct vl_bandwidth *study, enum vl_bandwidth_way way,
                         enum vl_bandwidth_source source);

/* The figure: seconds of a step over the rate, both on logarithmic axes. All ways as they were
 * measured, or simulated where nothing was measured, or else planned; data parallelism and the
 * pipeline by the other sources too. Nothing with less than two roads. */
void vl_bandwidth_put_figure(struct vl_page *page, const struct vl_bandwidth *study,
                             const char *caption);

/* On a terminal: milliseconds by one source, a row per road. */
void vl_bandwidth_put_table(const struct vl_terminal *terminal, const struct vl_bandwidth *study,
                            enum vl_bandwidth_source source);

/* {"verdict", "rate", "crossings"}: the caller's. */
json_t *vl_bandwidth_crossover_json(struct vl_bandwidth_crossover crossover);

#endif
