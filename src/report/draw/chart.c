/* A chart of lines. */
#include "report/draw/chart.h"

#include "base/number.h"
#include "base/utf8.h"
#include "report/draw/markup.h"
#include "report/draw/page.h"
#include "report/draw/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEFT         74.0 /* pixels */
#define WIDE         680.0
#define RIGHT        24.0
#define TOP          30.0
#define HIGH         260.0
#define AXIS         44.0 /* below: numbers and the name of x */
#define LEGEND       20.0 /* one row of it */
#define SAMPLE       30.0 /* of a line in the legend */
#define TICKS_X      10
#define TICKS_Y      7
#define POINTS       500 /* of a line: more would not be seen */
#define DECADES      24  /* that a logarithmic axis may have */
#define PLAIN_POWERS 7   /* of ten, written without an exponent */
#define COLOURS      8   /* --c0 ... of page.c */

static const char *const dashes[] = {"none", "7 3",     "2 3",        "10 3 2 3",
                                     "12 4", "4 2 1 2", "6 2 2 2 2 2"};
#define DASHES (sizeof dashes / sizeof *dashes)

/* The chart and its scale. */
struct sheet {
    FILE *stream;
    const struct vl_chart *chart;
    double low, high; /* of y, after the logarithm if there is one */
    double tick;
    int decimals;
};

static double height_of(const struct vl_chart *chart, double value)
{
    if (!isfinite(value) || (chart->logarithmic && value <= 0))
        return NAN;
    return chart->logarithmic ? log10(value) : value;
}

static void widen(struct sheet *sheet, const double *values)
{
    for (size_t i = 0; values != NULL && i < sheet->chart->count; i++) {
        double at = height_of(sheet->chart, values[i]);
        sheet->low = at < sheet->low ? at : sheet->low; /* comparisons with a NaN are false */
        sheet->high = at > sheet->high ? at : sheet->high;
    }
}

/* The axis goes from one round number to another. */
static void find_scale(struct sheet *sheet)
{
    const struct vl_chart *chart = sheet->chart;
    sheet->low = INFINITY;
    sheet->high = -INFINITY;
    for (size_t s = 0; s < chart->series_count; s++) {
        widen(sheet, chart->series[s].values);
        widen(sheet, chart->series[s].low);
        widen(sheet, chart->series[s].high);
    }
    if (!isfinite(sheet->low) || !isfinite(sheet->high))
        sheet->low = sheet->high = 0;
    if (chart->from_zero && !chart->logarithmic && sheet->low > 0)
        sheet->low = 0;
    if (!(sheet->high > sheet->low))
        sheet->high = sheet->low + (sheet->low != 0 ? fabs(sheet->low) : 1);
    sheet->tick = vl_markup_tick(sheet->high - sheet->low, TICKS_Y, &sheet->decimals);
    if (chart->logarithmic) /* whole decades, each with a label unless there are too many */
        sheet->tick = fmax(1, ceil((sheet->high - sheet->low) / DECADES));
    sheet->low = floor(sheet->low / sheet->tick + 1e-9) * sheet->tick;
    sheet->high = ceil(sheet->high / sheet->tick - 1e-9) * sheet->tick;
}

static double y_of(const struct sheet *sheet, double value)
{
    double at = height_of(sheet->chart, value);
    return TOP + HIGH * (sheet->high - at) / (sheet->high - sheet->low);
}

/* ---- axes ---- */

/* 0.001, 10, 1e+09. */
static void put_decade(char number[VL_NUMBER_TEXT], int power)
{
    if (abs(power) < PLAIN_POWERS)
        vl_number_text(number, pow(10, power), power < 0 ? -power : 0);
    else
        vl_number_short(number, pow(10, power), 2);
}

static void put_y(const struct sheet *sheet)
{
    char number[VL_NUMBER_TEXT];
    int ticks = (int)lround((sheet->high - sheet->low) / sheet->tick);
    for (int i = 0; i <= ticks; i++) {
        double value = sheet->low + i * sheet->tick, y = TOP + HIGH * (1 - (double)i / ticks);
        fprintf(sheet->stream, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", LEFT, y,
                LEFT + WIDE);
        if (sheet->chart->logarithmic)
            put_decade(number, (int)lround(value));
        else
            vl_number_text(number, fabs(value) < 1e-9 * sheet->tick ? 0 : value, sheet->decimals);
        vl_markup_label(sheet->stream, LEFT - 8, y + 4, "end", number);
    }
    vl_markup_label(sheet->stream, 8, TOP - 14, "start", sheet->chart->y_label);
}

static void put_x(const struct sheet *sheet)
{
    const struct vl_chart *chart = sheet->chart;
    double span = chart->last > chart->first ? chart->last - chart->first : 1, bottom = TOP + HIGH;
    char number[VL_NUMBER_TEXT];
    int decimals;
    double tick = vl_markup_tick(span, TICKS_X, &decimals);
    if (chart->x_decades)
        tick = fmax(1, tick);
    fprintf(sheet->stream, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", LEFT, TOP, bottom,
            LEFT + WIDE);
    for (double k = ceil(chart->first / tick); k * tick <= chart->first + span * (1 + 1e-9); k++) {
        double x = LEFT + WIDE * (k * tick - chart->first) / span;
        fprintf(sheet->stream, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>\n", x, bottom);
        if (chart->x_decades)
            put_decade(number, (int)lround(k * tick));
        else
            vl_number_text(number, k * tick, decimals);
        vl_markup_label(sheet->stream, x, bottom + 18, "middle", number);
    }
    vl_markup_label(sheet->stream, LEFT + WIDE, bottom + 36, "end", chart->x_label);
}

/* ---- lines ---- */

/* Colour and dashes, as attributes. */
static void put_look(const struct sheet *sheet, size_t s)
{
    size_t look = sheet->chart->first_look + s;
    fprintf(sheet->stream, "style=\"stroke:var(--c%zu)\" stroke-dasharray=\"%s\" ", look % COLOURS,
            dashes[look % DASHES]);
}

static int columns_of(const struct sheet *sheet)
{
    return sheet->chart->count > POINTS ? POINTS : (int)sheet->chart->count;
}

static double x_of(const struct sheet *sheet, int column)
{
    int columns = columns_of(sheet);
    return LEFT + (columns > 1 ? WIDE * column / (columns - 1) : WIDE / 2);
}

/* Zero where there is none. */
static int point_at(double *y, const struct sheet *sheet, const double *values, int column)
{
    *y = y_of(sheet, vl_plot_column(values, sheet->chart->count, column, columns_of(sheet)));
    return isfinite(*y);
}

static void put_line(const struct sheet *sheet, size_t s)
{
    const double *values = sheet->chart->series[s].values;
    int pen = 0;
    double y;
    fputs("<path class=\"line\" ", sheet->stream);
    put_look(sheet, s);
    fputs("d=\"", sheet->stream);
    for (int column = 0; column < columns_of(sheet); column++) {
        int here = point_at(&y, sheet, values, column);
        if (here) /* h.1: a lone point is a short line, and can be seen */
            fprintf(sheet->stream, pen ? "L%.1f %.1f" : "M%.1f %.1fh.1", x_of(sheet, column), y);
        pen = here;
    }
    fputs("\">", sheet->stream);
    fputs("<title>", sheet->stream);
    vl_markup_text(sheet->stream, sheet->chart->series[s].name);
    fputs("</title></path>\n", sheet->stream);
}

/* Along the upper edge of columns [from,to), and back along the lower. */
static void put_patch(const struct sheet *sheet, const struct vl_series *series, int from, int to)
{
    double y;
    for (int column = from; column < to; column++) {
        point_at(&y, sheet, series->high, column);
        fprintf(sheet->stream, "%c%.1f %.1f", column == from ? 'M' : 'L', x_of(sheet, column), y);
    }
    for (int column = to - 1; column >= from; column--) {
        point_at(&y, sheet, series->low, column);
        fprintf(sheet->stream, "L%.1f %.1f", x_of(sheet, column), y);
    }
    fputs("Z", sheet->stream);
}

static void put_band(const struct sheet *sheet, size_t s)
{
    const struct vl_series *series = &sheet->chart->series[s];
    int columns = columns_of(sheet), from = 0;
    double low, high;
    if (series->low == NULL || series->high == NULL)
        return;
    fprintf(sheet->stream, "<path class=\"band\" style=\"fill:var(--c%zu)\" d=\"",
            (sheet->chart->first_look + s) % COLOURS);
    for (int column = 0; column <= columns; column++) {
        if (column < columns && point_at(&low, sheet, series->low, column) &&
            point_at(&high, sheet, series->high, column))
            continue;
        if (column > from)
            put_patch(sheet, series, from, column);
        from = column + 1;
    }
    fputs("\"/>\n", sheet->stream);
}

/* Find where the sample of a series goes; returns the height of the legend. */
static double legend_place(double *x, double *y, const struct vl_chart *chart, size_t s)
{
    double at = LEFT, row = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        double width = SAMPLE + 26 + 7.5 * vl_utf8_width(chart->series[i].name);
        if (at > LEFT && at + width > LEFT + WIDE + RIGHT) {
            at = LEFT;
            row++;
        }
        if (i == s) {
            *x = at;
            *y = TOP + HIGH + AXIS + row * LEGEND + 10;
        }
        at += width;
    }
    return (row + 1) * LEGEND;
}

static void put_legend(const struct sheet *sheet)
{
    for (size_t s = 0; s < sheet->chart->series_count; s++) {
        double x = 0, y = 0;
        legend_place(&x, &y, sheet->chart, s);
        fputs("<path class=\"line\" ", sheet->stream);
        put_look(sheet, s);
        fprintf(sheet->stream, "d=\"M%.1f %.1fh%.1f\"/>\n", x, y, SAMPLE);
        vl_markup_label(sheet->stream, x + SAMPLE + 6, y + 4, "start",
                        sheet->chart->series[s].name);
    }
}

void vl_chart_lines(FILE *stream, const struct vl_chart *chart)
{
    struct sheet sheet = {.stream = stream, .chart = chart};
    double x, y, below = chart->series_count > 0 ? legend_place(&x, &y, chart, 0) : 0;
    if (stream == NULL)
        return;
    find_scale(&sheet);
    double wide = LEFT + WIDE + RIGHT, high = TOP + HIGH + AXIS + below;
    if (chart->alone)
        vl_page_begin_picture(stream, wide, high);
    vl_markup_picture(stream, wide, high, chart->title, chart->description);
    if (chart->alone) /* no caption says what it is */
        vl_markup_label(stream, LEFT + WIDE, TOP - 14, "end", chart->title);
    put_y(&sheet);
    put_x(&sheet);
    for (size_t s = 0; s < chart->series_count; s++)
        put_band(&sheet, s);
    for (size_t s = 0; s < chart->series_count; s++)
        put_line(&sheet, s);
    put_legend(&sheet);
    fputs(chart->alone ? "</svg>\n</svg>\n" : "</svg>\n", stream);
}
