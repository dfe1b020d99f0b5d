/*
 * A curve on a terminal: Braille dots where the terminal takes UTF-8, stars elsewhere.
 */
#ifndef VIALATA_REPORT_DRAW_PLOT_H
#define VIALATA_REPORT_DRAW_PLOT_H

#include "report/draw/terminal.h"
#include <stddef.h>

/* Plot values[0..n) over first..last (what the axis below says); nothing for n < 2. Values that
 * are not finite leave a gap. */
void vl_plot_curve(const struct vl_terminal *terminal, const double *values, size_t n, long first,
                   long last);

/* The mean of those values[0..n) that fall on column x of 'wide' and are finite; NAN for none. */
double vl_plot_column(const double *values, size_t n, int x, int wide);

#endif
