/* A heat map: cells that show a number, and the same number as a colour. */
#include "report/draw/chart.h"

#include "base/number.h"
#include "base/utf8.h"
#include "report/draw/markup.h"

#include <math.h>

#define CELL_WIDE 72.0 /* pixels */
#define CELL_HIGH 26.0
#define TOP       26.0 /* names of the columns */
#define LETTER    7.0  /* wider than in most fonts */
#define HOT       0.7  /* see page.c */

static double names_wide(const struct vl_heat *heat)
{
    int most = 0;
    for (size_t i = 0; i < heat->row_count; i++)
        most = vl_utf8_width(heat->rows[i]) > most ? vl_utf8_width(heat->rows[i]) : most;
    return 16 + LETTER * most;
}

static double cell_wide(const struct vl_heat *heat)
{
    double wide = CELL_WIDE;
    for (size_t i = 0; i < heat->column_count; i++)
        wide = fmax(wide, 12 + LETTER * vl_utf8_width(heat->columns[i]));
    return wide;
}

static void put_cell(FILE *stream, const struct vl_heat *heat, double value, double x, double y)
{
    double share = heat->high > heat->low ? (value - heat->low) / (heat->high - heat->low) : 0;
    double wide = cell_wide(heat);
    char number[VL_NUMBER_TEXT];
    share = isfinite(share) ? fmin(1, fmax(0, share)) : 0;
    fprintf(stream,
            "<rect class=\"heat\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill-opacity=\"%.3f\"/>\n<g class=\"%s\">",
            x, y, wide, CELL_HIGH, share, share < HOT ? "cold" : "hot");
    vl_markup_label(stream, x + wide / 2, y + CELL_HIGH / 2 + 4, "middle",
                    isfinite(value) ? vl_number_text(number, value, heat->decimals) : "-");
    fputs("</g>\n", stream);
}

void vl_chart_heat(FILE *stream, const struct vl_heat *heat)
{
    double left = names_wide(heat), wide = cell_wide(heat);
    if (stream == NULL)
        return;
    vl_markup_picture(stream, left + wide * (double)heat->column_count + 2,
                      TOP + CELL_HIGH * (double)heat->row_count + 2, heat->title,
                      heat->description);
    for (size_t c = 0; c < heat->column_count; c++)
        vl_markup_label(stream, left + wide * ((double)c + 0.5), TOP - 9, "middle",
                        heat->columns[c]);
    for (size_t r = 0; r < heat->row_count; r++) {
        double y = TOP + CELL_HIGH * (double)r;
        vl_markup_label(stream, left - 8, y + CELL_HIGH / 2 + 4, "end", heat->rows[r]);
        for (size_t c = 0; c < heat->column_count; c++)
            put_cell(stream, heat, heat->values[r * heat->column_count + c],
                     left + wide * (double)c, y);
    }
    fputs("</svg>\n", stream);
}
