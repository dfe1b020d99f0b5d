/*
 * A roofline as a picture (SVG): what a machine could do at most, and what each operator did.
 *
 *   L4 D256 (93 GFLOP/s, 12 GB/s)
 *   GFLOP/s            ________________                linear 91 %
 *       |            /    o o ------------------------- attention 56 %
 *       |          /      o ------------------------- /
 *       |        /  ridge
 *       |   o  /  ------------------------------------- norm 80 %
 *       +---------------------- FLOPs per byte          (both axes are logarithmic)
 *
 * Labels are on the right, in the order of their points' heights, each with a line to its point, so
 * no two overlap.
 */
#ifndef VIALATA_REPORT_DRAW_ROOFLINE_PICTURE_H
#define VIALATA_REPORT_DRAW_ROOFLINE_PICTURE_H

#include "vialata/status.h"
#include <stddef.h>

enum { VL_ROOFLINE_POINTS = 24 };

struct vl_roofline_point {
    const char *name;
    double intensity; /* FLOPs per byte */
    double gflops;    /* GFLOP/s */
    double share;     /* of what the machine could do */
};

struct vl_roofline {
    const char *title;
    double gflops; /* GFLOP/s at most */
    double gbytes; /* GB/s of the memory */
    struct vl_roofline_point points[VL_ROOFLINE_POINTS];
    size_t count;
};

/* Add a point, if there is a place for it: on logarithmic axes there is none without FLOPs. */
void vl_roofline_add(struct vl_roofline *roofline, const struct vl_roofline_point *point);

/* One picture of them all, one below another; the caller frees it. VL_ENOMEM. */
enum vl_status vl_roofline_svg(char **svg, const struct vl_roofline *parts, size_t count);

#endif
