/* Cells of a timeline, and how they are put on a terminal. */
#include "report/timeline/timeline_cells.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CELLS 16
#define LEAST_SHARE 0.3 /* of a cell, for work to be seen in it */
#define TICK_CELLS  10  /* fewest from one number of the axis to the next */

struct glyph {
    const char *unicode[2];
    char ascii[2];
    int colour;
    const char *meaning; /* in the legend; NULL: has none */
};

static const struct glyph glyphs[VL_LOOKS] = {
    [VL_LOOK_EMPTY] = {{" ", " "}, {' ', ' '}, 0, NULL},
    [VL_LOOK_FORWARD] = {{"\xe2\x96\x92", "\xe2\x96\x91"}, {'f', 'F'}, 36, N_("forward")},
    [VL_LOOK_BACKWARD] = {{"\xe2\x96\x88", "\xe2\x96\x93"}, {'b', 'B'}, 33, N_("backward")},
    [VL_LOOK_WEIGHT] = {{"\xe2\x96\x9a", "\xe2\x96\x99"},
                        {'w', 'W'},
                        32,
                        N_("weight part of backward")},
    [VL_LOOK_UPDATE] = {{"\xe2\x96\x9e", "\xe2\x96\x9e"}, {'u', 'u'}, 35, N_("update")},
    [VL_LOOK_OTHER] = {{"\xe2\x96\xa1", "\xe2\x96\xa1"}, {'o', 'o'}, 0, N_("other work")},
    [VL_LOOK_ROAD] = {{"\xe2\x94\x81", "\xe2\x94\x81"}, {'=', '='}, 32, N_("bytes on the way")},
    [VL_LOOK_ROAD_SHORT] = {{"\xe2\x94\x80", "\xe2\x94\x80"}, {'-', '-'}, 32, NULL},
    [VL_LOOK_WAIT] = {{"\xe2\x96\x92", "\xe2\x96\x92"}, {'w', 'w'}, 31, N_("waiting inside MPI")},
    [VL_LOOK_IDLE] = {{"\xc2\xb7", "\xc2\xb7"}, {'.', '.'}, 0, N_("idle")},
};

/* ---- filling ---- */

enum vl_status vl_lane_open(struct vl_lane *lane, const struct vl_terminal *terminal, int label,
                            double seconds, double grain)
{
    int cells = terminal->columns - label;
    cells = cells < LEAST_CELLS ? LEAST_CELLS : cells;
    double each = grain > 0 ? floor(cells * grain / seconds + 1e-9) : 0; /* cells of a grain */
    if (each >= 1) {
        cells = (int)fmin(cells, ceil(seconds / grain * each - 1e-9));
        seconds = cells * grain / each;
    }
    *lane =
        (struct vl_lane){.terminal = terminal, .label = label, .cells = cells, .seconds = seconds};
    lane->row = calloc((size_t)cells, sizeof *lane->row);
    lane->filled = calloc((size_t)cells, sizeof *lane->filled);
    return lane->row != NULL && lane->filled != NULL ? VL_OK : VL_ENOMEM;
}

void vl_lane_close(struct vl_lane *lane)
{
    free(lane->row);
    free(lane->filled);
}

static int cell_of(const struct vl_lane *lane, double time)
{
    int cell = (int)(time / lane->seconds * lane->cells);
    return cell < 0 ? 0 : cell >= lane->cells ? lane->cells - 1 : cell;
}

void vl_lane_fill(const struct vl_lane *lane, const struct vl_timeline_span *span,
                  enum vl_look look)
{
    double width = lane->seconds / lane->cells;
    for (int cell = cell_of(lane, span->begin); cell <= cell_of(lane, span->end); cell++) {
        double overlap = fmin(span->end, (cell + 1) * width) - fmax(span->begin, cell * width);
        if (overlap > 0)
            lane->filled[cell][look] += overlap / width;
    }
}

void vl_lane_clear(const struct vl_lane *lane)
{
    memset(lane->row, 0, (size_t)lane->cells * sizeof *lane->row);
    memset(lane->filled, 0, (size_t)lane->cells * sizeof *lane->filled);
}

void vl_lane_choose_work(const struct vl_lane *lane)
{
    for (int cell = 0; cell < lane->cells; cell++) {
        double most = LEAST_SHARE;
        for (enum vl_look look = VL_LOOK_FORWARD; look <= VL_LOOK_OTHER; look++) {
            if (lane->filled[cell][look] >= most) {
                most = lane->filled[cell][look];
                lane->row[cell].look = look;
            }
        }
    }
}

void vl_lane_cells_of(int *from, int *to, const struct vl_lane *lane,
                      const struct vl_timeline_span *span)
{
    double width = lane->seconds / lane->cells;
    *from = (int)lround(span->begin / width);
    *to = (int)lround(span->end / width);
}

enum vl_look vl_look_of(enum vl_work work)
{
    static const enum vl_look looks[VL_WORKS] = {
        [VL_WORK_FORWARD] = VL_LOOK_FORWARD, [VL_WORK_BACKWARD] = VL_LOOK_BACKWARD,
        [VL_WORK_WEIGHT] = VL_LOOK_WEIGHT,   [VL_WORK_UPDATE] = VL_LOOK_UPDATE,
        [VL_WORK_OTHER] = VL_LOOK_OTHER,
    };
    return looks[work];
}

/* ---- putting them on the terminal ---- */

static void put_glyph(const struct vl_terminal *terminal, enum vl_look look, int shade, char letter)
{
    const struct glyph *glyph = &glyphs[look];
    int coloured = terminal->colour && glyph->colour > 0;
    if (coloured)
        fprintf(terminal->stream, letter != 0 ? "\033[7;%dm" : "\033[%dm", glyph->colour);
    if (letter != 0)
        fputc(letter, terminal->stream);
    else if (terminal->unicode)
        fputs(glyph->unicode[shade], terminal->stream);
    else
        fputc(glyph->ascii[shade], terminal->stream);
    if (coloured)
        fputs("\033[0m", terminal->stream);
}

void vl_lane_put(const struct vl_lane *lane, const char *label)
{
    int end = lane->cells;
    while (end > 0 && lane->row[end - 1].look == VL_LOOK_EMPTY)
        end--;
    vl_terminal_put(lane->terminal, VL_STYLE_PLAIN, end > 0 ? lane->label : 0, label);
    for (int cell = 0; cell < end; cell++)
        put_glyph(lane->terminal, lane->row[cell].look, lane->row[cell].shade,
                  lane->row[cell].letter);
    fputc('\n', lane->terminal->stream);
}

/* 1, 2 or 5 times a power of ten milliseconds, wide enough for the numbers. */
static double tick_of(const struct vl_lane *lane)
{
    double least = 1e3 * lane->seconds / lane->cells * TICK_CELLS;
    double tick = pow(10, floor(log10(least)));
    return least <= tick       ? tick
           : least <= 2 * tick ? 2 * tick
           : least <= 5 * tick ? 5 * tick
                               : 10 * tick;
}

void vl_lane_put_axis(const struct vl_lane *lane, const char *unit)
{
    const struct vl_terminal *terminal = lane->terminal;
    double tick = tick_of(lane), cell_ms = 1e3 * lane->seconds / lane->cells;
    int decimals = tick >= 1 ? 0 : (int)ceil(-log10(tick) - 1e-9);
    char number[VL_NUMBER_TEXT];
    fprintf(terminal->stream, "%*s", lane->label, "");
    for (int cell = 0, next = 0; cell < lane->cells; cell++) {
        int here = cell == (int)lround(next * tick / cell_ms);
        next += here;
        fputs(terminal->unicode ? here ? "\xe2\x94\xac" : "\xe2\x94\x80"
              : here            ? "+"
                                : "-",
              terminal->stream);
    }
    fputc('\n', terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_DIM, 1 - lane->label, unit);
    fputc(' ', terminal->stream);
    for (int cell = 0, next = 0; cell < lane->cells; next++) {
        int at = (int)lround(next * tick / cell_ms);
        vl_number_text(number, next * tick, decimals > 9 ? 9 : decimals);
        int width = vl_utf8_width(number);
        if (at + width > lane->cells)
            break;
        if (at < cell) /* the number before it is too long: leave this one out */
            continue;
        fprintf(terminal->stream, "%*s", at - cell, "");
        vl_terminal_put(terminal, VL_STYLE_DIM, 0, number);
        cell = at + width;
    }
    fputc('\n', terminal->stream);
}

void vl_lane_put_legend(const struct vl_terminal *terminal, const enum vl_look *looks, size_t count,
                        int with_letters)
{
    static const char letters[VL_LOOKS] = {
        [VL_LOOK_FORWARD] = 'F', [VL_LOOK_BACKWARD] = 'B', [VL_LOOK_WEIGHT] = 'W'};
    int used = 0;
    for (size_t i = 0; i < count; i++) {
        const char *meaning = _(glyphs[looks[i]].meaning);
        int width = 3 + vl_utf8_width(meaning);
        if (used > 0 && used + 2 + width > terminal->columns) {
            fputc('\n', terminal->stream);
            used = 0;
        }
        fprintf(terminal->stream, "%s", used > 0 ? "  " : "");
        put_glyph(terminal, looks[i], 0, with_letters ? letters[looks[i]] : 0);
        put_glyph(terminal, looks[i], looks[i] <= VL_LOOK_WEIGHT, 0);
        fputc(' ', terminal->stream);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, 0, meaning);
        used += width + (used > 0 ? 2 : 0);
    }
    fputc('\n', terminal->stream);
}
