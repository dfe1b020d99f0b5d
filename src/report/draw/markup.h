/*
 * Texts and axes of what a browser opens: pictures (SVG) and pages. Words may come from
 * anybody's file: every text passes vl_markup_text, which leaves nothing in it that a browser could
 * mistake for markup.
 */
#ifndef VIALATA_REPORT_DRAW_MARKUP_H
#define VIALATA_REPORT_DRAW_MARKUP_H

#include <stdio.h>

/* Clean and escaped, fit for content and for an attribute in double quotes. NULL: nothing. */
void vl_markup_text(FILE *stream, const char *text);

/* Begin a picture inside a page, no wider than this many pixels, with a title and a description
 * (which may be NULL); "</svg>" ends it. */
void vl_markup_picture(FILE *stream, double wide, double high, const char *title,
                       const char *description);

/* In a picture: at a point, with the anchor "start", "middle" or "end". */
void vl_markup_label(FILE *stream, double x, double y, const char *anchor, const char *text);

/* A round distance (1, 2 or 5 times a power of ten) between ticks, so that no more than 'most' of
 * them divide 'span' > 0; *decimals are those that tell its multiples apart. */
double vl_markup_tick(double span, int most, int *decimals);

#endif
