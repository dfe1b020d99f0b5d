/* A timeline in letters: a cell shows what filled most of its stretch of time. */
#include "base/number.h"
#include "base/text.h"
#include "report/timeline.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CELLS 16
#define LEAST_SHARE 0.3  /* of a cell, for work to be seen in it */
#define ANY_SHARE   1e-6 /* of a cell, for a message to be seen in it; less is rounding */
#define MOST_SHARE  0.5  /* of a cell, for a wait to be seen in it */
#define TICK_CELLS  10   /* at least, from one number of the axis to the next */

/* What a cell shows. Work comes in two shades, one for odd units, so that neighbours stay apart. */
enum look { EMPTY, FORWARD, BACKWARD, UPDATE, OTHER, ROAD, ROAD_SHORT, WAIT, LOOKS };

struct glyph {
    const char *unicode[2];
    char ascii[2];
    int colour;
    const char *meaning; /* in the legend; NULL: not there */
};

static const struct glyph glyphs[LOOKS] = {
    [EMPTY] = {{" ", " "}, {' ', ' '}, 0, NULL},
    [FORWARD] = {{"\xe2\x96\x92", "\xe2\x96\x91"}, {'f', 'F'}, 36, N_("forward")},
    [BACKWARD] = {{"\xe2\x96\x88", "\xe2\x96\x93"}, {'b', 'B'}, 33, N_("backward")},
    [UPDATE] = {{"\xe2\x96\x9e", "\xe2\x96\x9e"}, {'u', 'u'}, 35, N_("update")},
    [OTHER] = {{"\xe2\x96\xa1", "\xe2\x96\xa1"}, {'o', 'o'}, 0, N_("other work")},
    [ROAD] = {{"\xe2\x94\x81", "\xe2\x94\x81"}, {'=', '='}, 32, N_("bytes on the way")},
    [ROAD_SHORT] = {{"\xe2\x94\x80", "\xe2\x94\x80"}, {'-', '-'}, 32, NULL},
    [WAIT] = {{"\xe2\x96\x92", "\xe2\x96\x92"}, {'w', 'w'}, 31, N_("waiting inside MPI")},
};

struct cell {
    enum look look;
    int shade;
    char digit; /* of a unit's number, over the glyph; 0: none */
};

/* Where things go. */
struct frame {
    const struct vl_terminal *terminal;
    int label; /* columns to the left of the lanes */
    int cells;
    double seconds; /* of all cells */
    struct cell *row;
    double (*filled)[LOOKS]; /* of each cell, by what */
};

/* ---- filling cells ---- */

static int cell_of(const struct frame *frame, double time)
{
    int cell = (int)(time / frame->seconds * frame->cells);
    return cell < 0 ? 0 : cell >= frame->cells ? frame->cells - 1 : cell;
}

/* A span's share of every cell it touches. */
static void fill(const struct frame *frame, const struct vl_timeline_span *span, enum look look)
{
    double width = frame->seconds / frame->cells;
    for (int cell = cell_of(frame, span->begin); cell <= cell_of(frame, span->end); cell++) {
        double overlap = fmin(span->end, (cell + 1) * width) - fmax(span->begin, cell * width);
        if (overlap > 0)
            frame->filled[cell][look] += overlap / width;
    }
}

static enum look look_of(enum vl_work work)
{
    static const enum look looks[VL_WORKS] = {FORWARD, BACKWARD, UPDATE, OTHER};
    return looks[work];
}

static void clear(const struct frame *frame)
{
    memset(frame->row, 0, (size_t)frame->cells * sizeof *frame->row);
    memset(frame->filled, 0, (size_t)frame->cells * sizeof *frame->filled);
}

/* The shade and the number of a unit, on the cells that its span fills. */
static void mark_unit(const struct frame *frame, const struct vl_timeline_span *span)
{
    double width = frame->seconds / frame->cells;
    int from = (int)lround(span->begin / width), to = (int)lround(span->end / width);
    char number[24];
    int digits = snprintf(number, sizeof number, "%lld", (long long)span->number);
    for (int cell = from; cell < to && cell < frame->cells; cell++)
        frame->row[cell].shade = (int)(span->number % 2);
    if (span->number < 0 || to - from < digits + 1 || to > frame->cells)
        return;
    int at = from + (to - from - digits) / 2;
    for (int i = 0; i < digits; i++)
        if (frame->row[at + i].look == look_of(span->work))
            frame->row[at + i].digit = number[i];
}

static void fill_compute(const struct frame *frame, const struct vl_timeline_rank *rank)
{
    clear(frame);
    for (size_t i = 0; i < rank->count; i++)
        if (rank->spans[i].track == VL_TRACK_COMPUTE)
            fill(frame, &rank->spans[i], look_of(rank->spans[i].work));
    for (int cell = 0; cell < frame->cells; cell++) {
        double most = LEAST_SHARE;
        for (enum look look = FORWARD; look <= OTHER; look++) {
            if (frame->filled[cell][look] >= most) {
                most = frame->filled[cell][look];
                frame->row[cell].look = look;
            }
        }
    }
    for (size_t i = 0; i < rank->count; i++)
        if (rank->spans[i].track == VL_TRACK_COMPUTE && rank->spans[i].number >= 0)
            mark_unit(frame, &rank->spans[i]);
}

/* Messages overlap, so a cell may be filled many times over: only "some" and "much" are told. */
static void fill_road(const struct frame *frame, const struct vl_timeline_rank *rank)
{
    clear(frame);
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track == VL_TRACK_SEND || span->track == VL_TRACK_RECEIVE)
            fill(frame, span, ROAD);
        if (span->track == VL_TRACK_WAIT)
            fill(frame, span, WAIT);
    }
    for (int cell = 0; cell < frame->cells; cell++) {
        const double *filled = frame->filled[cell];
        if (filled[WAIT] >= MOST_SHARE)
            frame->row[cell].look = WAIT;
        else if (filled[ROAD] >= MOST_SHARE)
            frame->row[cell].look = ROAD;
        else if (filled[ROAD] > ANY_SHARE)
            frame->row[cell].look = ROAD_SHORT;
    }
}

/* ---- putting them on the terminal ---- */

static void put_glyph(const struct vl_terminal *terminal, enum look look, int shade, char digit)
{
    const struct glyph *glyph = &glyphs[look];
    int coloured = terminal->colour && glyph->colour > 0;
    if (coloured)
        fprintf(terminal->stream, digit != 0 ? "\033[7;%dm" : "\033[%dm", glyph->colour);
    if (digit != 0)
        fputc(digit, terminal->stream);
    else if (terminal->unicode)
        fputs(glyph->unicode[shade], terminal->stream);
    else
        fputc(glyph->ascii[shade], terminal->stream);
    if (coloured)
        fputs("\033[0m", terminal->stream);
}

/* Nothing follows the last thing that shows: no blanks at the end of a line. */
static void put_row(const struct frame *frame, const char *label)
{
    int end = frame->cells;
    while (end > 0 && frame->row[end - 1].look == EMPTY)
        end--;
    vl_terminal_put(frame->terminal, VL_STYLE_PLAIN, end > 0 ? frame->label : 0, label);
    for (int cell = 0; cell < end; cell++)
        put_glyph(frame->terminal, frame->row[cell].look, frame->row[cell].shade,
                  frame->row[cell].digit);
    fputc('\n', frame->terminal->stream);
}

static void rank_label(char *label, size_t room, int rank, const char *lane)
{
    /* TRANSLATORS: a process and what its lane shows: "rank 0 compute". */
    snprintf(label, room, _("rank %1$d %2$s"), rank, lane);
}

static void lane_label(char *label, size_t room, int width, const char *lane)
{
    int before = width - vl_utf8_width(lane) - 1; /* one blank before the lane itself */
    snprintf(label, room, "%*s%s", before > 0 ? before : 0, "", lane);
}

static int label_width(const struct vl_timeline *timeline)
{
    const char *lanes[] = {_("compute"), _("road")};
    int widest = 0;
    char label[128];
    for (size_t rank = 0; rank < timeline->rank_count; rank++)
        for (size_t lane = 0; lane < 2; lane++) {
            rank_label(label, sizeof label, timeline->ranks[rank].number, lanes[lane]);
            int width = vl_utf8_width(label) + 1;
            widest = width > widest ? width : widest;
        }
    return widest;
}

/* 1, 2 or 5 times a power of ten milliseconds, wide enough for the numbers. */
static double tick_of(const struct frame *frame)
{
    double least = 1e3 * frame->seconds / frame->cells * TICK_CELLS;
    double tick = pow(10, floor(log10(least)));
    return least <= tick       ? tick
           : least <= 2 * tick ? 2 * tick
           : least <= 5 * tick ? 5 * tick
                               : 10 * tick;
}

static void put_axis(const struct frame *frame)
{
    const struct vl_terminal *terminal = frame->terminal;
    double tick = tick_of(frame), cell_ms = 1e3 * frame->seconds / frame->cells;
    int decimals = tick >= 1 ? 0 : (int)ceil(-log10(tick) - 1e-9);
    char number[VL_NUMBER_TEXT];
    fprintf(terminal->stream, "%*s", frame->label, "");
    for (int cell = 0, next = 0; cell < frame->cells; cell++) {
        int here = cell == (int)lround(next * tick / cell_ms);
        next += here;
        fputs(terminal->unicode ? here ? "\xe2\x94\xac" : "\xe2\x94\x80"
              : here            ? "+"
                                : "-",
              terminal->stream);
    }
    fputc('\n', terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_DIM, 1 - frame->label, "ms");
    fputc(' ', terminal->stream);
    for (int cell = 0, next = 0; cell < frame->cells; next++) {
        int at = (int)lround(next * tick / cell_ms);
        vl_number_text(number, next * tick, decimals > 9 ? 9 : decimals);
        int width = vl_utf8_width(number);
        if (at + width > frame->cells)
            break;
        if (at < cell) /* longer than its place: leave it out */
            continue;
        fprintf(terminal->stream, "%*s", at - cell, "");
        vl_terminal_put(terminal, VL_STYLE_DIM, 0, number);
        cell = at + width;
    }
    fputc('\n', terminal->stream);
}

enum vl_status vl_timeline_draw(const struct vl_timeline *timeline, double seconds,
                                const struct vl_terminal *terminal)
{
    struct frame frame = {.terminal = terminal,
                          .label = label_width(timeline),
                          .seconds = fmax(seconds, timeline->seconds)};
    char label[128];
    frame.cells = terminal->columns - frame.label;
    frame.cells = frame.cells < LEAST_CELLS ? LEAST_CELLS : frame.cells;
    frame.row = calloc((size_t)frame.cells, sizeof *frame.row);
    frame.filled = calloc((size_t)frame.cells, sizeof *frame.filled);
    for (size_t rank = 0; frame.row != NULL && frame.filled != NULL && rank < timeline->rank_count;
         rank++) {
        rank_label(label, sizeof label, timeline->ranks[rank].number, _("compute"));
        fill_compute(&frame, &timeline->ranks[rank]);
        put_row(&frame, label);
        lane_label(label, sizeof label, frame.label, _("road"));
        fill_road(&frame, &timeline->ranks[rank]);
        put_row(&frame, label);
    }
    enum vl_status status = frame.row != NULL && frame.filled != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        put_axis(&frame);
    free(frame.row);
    free(frame.filled);
    return status;
}

void vl_timeline_draw_legend(const struct vl_terminal *terminal)
{
    int used = 0;
    for (enum look look = 0; look < LOOKS; look++) {
        if (glyphs[look].meaning == NULL)
            continue;
        const char *meaning = _(glyphs[look].meaning);
        int width = 3 + vl_utf8_width(meaning);
        if (used > 0 && used + 2 + width > terminal->columns) {
            fputc('\n', terminal->stream);
            used = 0;
        }
        fprintf(terminal->stream, "%s", used > 0 ? "  " : "");
        put_glyph(terminal, look, 0, 0);
        put_glyph(terminal, look, look <= BACKWARD, 0);
        fputc(' ', terminal->stream);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, 0, meaning);
        used += width + (used > 0 ? 2 : 0);
    }
    fputc('\n', terminal->stream);
}
