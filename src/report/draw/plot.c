#include "report/draw/plot.h"

#include "base/number.h"
#include "base/utf8.h"
#include <math.h>
#include <stdlib.h>

#define ROWS         10
#define LABEL        8  /* columns for the numbers on the left */
#define WIDEST       72 /* a wider curve shows no more */
#define BRAILLE_WIDE 2  /* dots in a Braille cell */
#define BRAILLE_HIGH 4

struct grid {
    int wide; /* dots */
    int high;
    unsigned char *dots;
};

static void dot(struct grid *grid, int x, int y)
{
    if (x >= 0 && x < grid->wide && y >= 0 && y < grid->high)
        grid->dots[(size_t)y * (size_t)grid->wide + (size_t)x] = 1;
}

double vl_plot_column(const double *values, size_t n, int x, int wide)
{
    size_t from = (size_t)x * n / (size_t)wide;
    size_t to = (size_t)(x + 1) * n / (size_t)wide;
    double sum = 0;
    size_t finite = 0;
    if (to == from)
        to = from + 1;
    for (size_t i = from; i < to && i < n; i++) {
        if (isfinite(values[i])) {
            sum += values[i];
            finite++;
        }
    }
    return finite > 0 ? sum / (double)finite : NAN;
}

static void draw(struct grid *grid, const double *values, size_t n, double low, double high)
{
    int before = -1;
    for (int x = 0; x < grid->wide; x++) {
        double value = vl_plot_column(values, n, x, grid->wide);
        if (!isfinite(value)) {
            before = -1;
            continue;
        }
        double share = high > low ? (high - value) / (high - low) : 0.5;
        int y = (int)lround(share * (grid->high - 1));
        int from = before < 0 ? y : before < y ? before + 1 : before > y ? before - 1 : y;
        for (int step = from; step != y; step += y > from ? 1 : -1)
            dot(grid, x, step);
        dot(grid, x, y);
        before = y;
    }
}

static int cell(const struct grid *grid, int column, int row, int cell_wide, int cell_high)
{
    /* The bits of U+2800 + bits, by column and row of the cell. */
    static const int bits[BRAILLE_WIDE][BRAILLE_HIGH] = {{0x01, 0x02, 0x04, 0x40},
                                                         {0x08, 0x10, 0x20, 0x80}};
    int found = 0;
    for (int x = 0; x < cell_wide; x++)
        for (int y = 0; y < cell_high; y++)
            if (grid->dots[(size_t)(row * cell_high + y) * (size_t)grid->wide +
                           (size_t)(column * cell_wide + x)])
                found |= bits[x][y];
    return found;
}

static void put_cell(const struct vl_terminal *terminal, int found)
{
    if (!terminal->unicode)
        fputc(found ? '*' : ' ', terminal->stream);
    else if (found) /* U+2800 is E2 A0 80: the two low bytes take the eight bits */
        fprintf(terminal->stream, "\xe2%c%c", 0xa0 | found >> 6, 0x80 | (found & 0x3f));
    else
        fputc(' ', terminal->stream);
}

void vl_plot_curve(const struct vl_terminal *terminal, const double *values, size_t n, long first,
                   long last)
{
    int columns = terminal->columns - LABEL - 3;
    int cell_wide = terminal->unicode ? BRAILLE_WIDE : 1;
    int cell_high = terminal->unicode ? BRAILLE_HIGH : 1;
    double low = INFINITY, high = -INFINITY;
    char number[VL_NUMBER_TEXT];

    columns = columns > WIDEST ? WIDEST : columns;
    struct grid grid = {.wide = columns * cell_wide, .high = ROWS * cell_high};
    if (n < 2 || (grid.dots = calloc((size_t)grid.wide, (size_t)grid.high)) == NULL)
        return;
    for (int x = 0; x < grid.wide; x++) {
        double value = vl_plot_column(values, n, x, grid.wide);
        low = value < low ? value : low; /* comparisons with a NaN are false */
        high = value > high ? value : high;
    }
    if (!isfinite(low)) {
        free(grid.dots);
        return;
    }
    draw(&grid, values, n, low, high);
    for (int row = 0; row < ROWS; row++) {
        double value = high - (high - low) * row / (ROWS - 1);
        int labelled = row == 0 || row == ROWS - 1 || row == ROWS / 2;
        vl_terminal_put(terminal, VL_STYLE_DIM, -LABEL,
                        labelled ? vl_number_text(number, value, 2) : "");
        fputs(terminal->unicode ? " \xe2\x94\x82" : " |", terminal->stream);
        for (int column = 0; column < columns; column++)
            put_cell(terminal, cell(&grid, column, row, cell_wide, cell_high));
        fputc('\n', terminal->stream);
    }
    fprintf(terminal->stream, "%*s%ld%*ld\n", LABEL + 2, "", first,
            columns - snprintf(NULL, 0, "%ld", first), last);
    free(grid.dots);
}
