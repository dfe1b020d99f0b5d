/*
 * A picture being written, and texts in it. It is XML that a browser opens, and its words come from
 * anybody's file: every text passes vl_picture_text, which leaves nothing in it that could be taken
 * for markup. Only for timeline_*.c.
 */
#ifndef VIALATA_REPORT_TIMELINE_TIMELINE_PICTURE_H
#define VIALATA_REPORT_TIMELINE_TIMELINE_PICTURE_H

#include "report/timeline/timeline.h"
#include <stdio.h>

struct vl_picture {
    FILE *stream;
    double scale; /* pixels a second */
    double y;     /* where the next thing goes */
    int is_plan;  /* time has no unit */
};

void vl_picture_text(struct vl_picture *picture, const char *text);
/* At a point, with the anchor "start", "middle" or "end". */
void vl_picture_label(struct vl_picture *picture, double x, double y, const char *anchor,
                      const char *text);
/* What a pointer resting on a span tells. */
void vl_picture_tip(struct vl_picture *picture, const struct vl_timeline_span *span);

#endif
