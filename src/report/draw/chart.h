/*
 * Charts inside a page (page.h has their colours): SVG that needs nothing else, and that a screen
 * reader can tell by its title and description.
 *
 * Lines differ by colour and by dashes. Around a line there may be a band, such as least and most
 * of several runs around their mean. Values that are not finite leave a gap.
 *
 *     loss
 *   5 |\                                     en    fr    es
 *     | \__                    expert 0  [ 0.12 |0.31 |0.09 ]
 *   3 |    \______             expert 1  [ 0.20 |0.05 |0.22 ]
 *     +------------ step
 *      -- one  .. two            a chart of lines, and a heat map
 */
#ifndef VIALATA_REPORT_DRAW_CHART_H
#define VIALATA_REPORT_DRAW_CHART_H

#include <stddef.h>
#include <stdio.h>

struct vl_series {
    const char *name;
    const double *values;     /* (count of the chart) */
    const double *low, *high; /* (count) of the band; both NULL: none */
};

struct vl_chart {
    const char *title;       /* for a screen reader */
    const char *description; /* the same; NULL: none */
    const char *x_label, *y_label;
    double first, last; /* x of the first and the last value; the others are evenly spaced */
    size_t count;       /* of values in every series; many are drawn as means of neighbours */
    const struct vl_series *series;
    size_t series_count;
    size_t first_look; /* colour and dashes of the first series; in two charts they should agree */
    int from_zero;     /* the axis begins at zero, if no value is below */
    int logarithmic;   /* of y: values that are not above zero leave a gap */
    int x_decades;     /* x is an exponent of ten: the axis says 10 at x = 1 */
    int alone;         /* not inside a page: a picture of its own, colours included */
};

void vl_chart_lines(FILE *stream, const struct vl_chart *chart);

struct vl_heat {
    const char *title;
    const char *description;                  /* NULL: none */
    const char *const *rows, *const *columns; /* their names */
    size_t row_count, column_count;
    const double *values; /* (row_count,column_count) */
    double low, high;     /* the value without any colour, and the one in full colour */
    int decimals;
};

void vl_chart_heat(FILE *stream, const struct vl_heat *heat);

#endif
