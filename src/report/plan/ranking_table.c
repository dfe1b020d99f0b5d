/*
 * A ranking as a table: as many columns side by side as fit the terminal, and the others in further
 * blocks below, which begin with the same places.
 */
#include "report/plan/ranking.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "plan/blueprint_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GIGA   1e9
#define DIGITS 4 /* of the best layout's seconds and bytes; other rows have as many decimals */
#define GAP    2

/* ---- cells ---- */

enum column {
    PLACE,
    DATA,
    EXPERT,
    TENSOR,
    PIPELINE,
    CHUNKS,
    MICRO_BATCHES,
    ZERO,
    KEPT,
    SECONDS,
    TOKENS,
    MFU,
    MEMORY,
    BUBBLE,
    ARITHMETIC,
    TENSOR_ROAD,
    EXPERT_ROAD,
    PIPELINE_ROAD,
    DATA_ROAD,
    EXPOSED,
    CLOSING,
    LEFT,
    COLUMNS
};

/* The names are those of --layout. */
static const char *head_of(enum column column)
{
    static const char *const heads[COLUMNS] = {
        [PLACE] = "#",
        [DATA] = "dp",
        [EXPERT] = "ep",
        [TENSOR] = "tp",
        [PIPELINE] = "pp",
        [CHUNKS] = "v",
        [MICRO_BATCHES] = "m",
        [ZERO] = "ZeRO",
        [KEPT] = "keep",
        [SECONDS] = N_("s/step"),
        [TOKENS] = N_("tokens/s"),
        [MFU] = "MFU",
        [MEMORY] = "GB",
        [BUBBLE] = N_("bubble"),
        [ARITHMETIC] = N_("arithmetic"),
        /* TRANSLATORS: heads of a table, seconds on a road: of a tensor group; to experts and back;
         * from stage to stage; between replicas; what of these three is not hidden behind
         * computing; what travels between replicas at a step's end, and what is not hidden of it */
        [TENSOR_ROAD] = N_("tensor"),
        [EXPERT_ROAD] = N_("experts"),
        [PIPELINE_ROAD] = N_("pipeline"),
        [DATA_ROAD] = N_("data"),
        [EXPOSED] = N_("exposed"),
        [CLOSING] = N_("closing"),
        [LEFT] = N_("left"),
    };
    return column >= SECONDS && column != MFU && column != MEMORY ? _(heads[column])
                                                                  : heads[column];
}

/* One of the whole numbers, or -1. */
static long size_at(const struct vl_division *d, enum column column)
{
    const size_t sizes[] = {
        [DATA] = d->data,         [EXPERT] = d->expert, [TENSOR] = d->tensor,
        [PIPELINE] = d->pipeline, [CHUNKS] = d->chunks, [MICRO_BATCHES] = d->micro_batches,
        [ZERO] = d->zero};
    return column >= DATA && column <= ZERO ? (long)sizes[column] : -1;
}

static double seconds_at(const struct vl_forecast *f, enum column column)
{
    return column == SECONDS         ? f->step.seconds
           : column == ARITHMETIC    ? f->loads.arithmetic
           : column == TENSOR_ROAD   ? f->loads.tensor
           : column == EXPERT_ROAD   ? f->loads.flowing.experts
           : column == PIPELINE_ROAD ? f->loads.flowing.pipeline
           : column == DATA_ROAD     ? f->loads.flowing.data
           : column == EXPOSED       ? f->step.exposed
           : column == CLOSING       ? f->loads.closing
                                     : f->step.left;
}

static int decimals_of(double least)
{
    int whole = least > 0 ? (int)floor(log10(least)) + 1 : 1;
    return whole >= DIGITS ? 0 : whole > DIGITS - 9 ? DIGITS - whole : 9;
}

static double bytes_of(const struct vl_forecast *f)
{
    return f->state_bytes + f->kept_bytes;
}

static void fill(char text[VL_NUMBER_TEXT], const struct vl_ranking *ranking,
                 const struct vl_forecast *f, size_t place, enum column column)
{
    if (column == PLACE)
        snprintf(text, VL_NUMBER_TEXT, place > 0 ? "%zu" : "-", place);
    else if (size_at(&f->division, column) >= 0)
        snprintf(text, VL_NUMBER_TEXT, "%ld", size_at(&f->division, column));
    else if (column == KEPT)
        snprintf(text, VL_NUMBER_TEXT, "%s", vl_keep_name(f->division.keep));
    else if (column == TOKENS)
        vl_number_text(text, f->step.tokens_per_second, 0);
    else if (column == MFU)
        vl_number_percent(text, f->step.mfu, 1);
    else if (column == MEMORY)
        vl_number_text(text, bytes_of(f) / GIGA, decimals_of(bytes_of(ranking->best) / GIGA));
    else if (column == BUBBLE)
        vl_number_percent(text, vl_ranking_bubble(f), 1);
    else
        vl_number_text(text, seconds_at(f, column), decimals_of(ranking->best->step.seconds));
}

/* ---- rows ---- */

/* Row i: first the best layouts, and after them the one that was asked for. */
static const struct vl_forecast *row_at(const struct vl_ranking *ranking, size_t i, size_t *place)
{
    size_t top = ranking->top < ranking->count ? ranking->top : ranking->count;
    *place = i < top ? i + 1 : ranking->own_place;
    if (i < top)
        return &ranking->best[i];
    return i == top && ranking->has_own ? &ranking->own : NULL;
}

static int width_of(const struct vl_ranking *ranking, enum column column)
{
    int widest = vl_utf8_width(head_of(column));
    const struct vl_forecast *row;
    char text[VL_NUMBER_TEXT];
    size_t place;
    for (size_t i = 0; (row = row_at(ranking, i, &place)) != NULL; i++) {
        fill(text, ranking, row, place, column);
        widest = vl_utf8_width(text) > widest ? vl_utf8_width(text) : widest;
    }
    return widest;
}

/* The place, and columns [from,to). */
static void put_block(const struct vl_ranking *ranking, const struct vl_terminal *terminal,
                      const int *widths, int from, int to)
{
    const struct vl_forecast *row;
    char text[VL_NUMBER_TEXT];
    size_t place;
    vl_terminal_put(terminal, VL_STYLE_BOLD, -widths[PLACE], head_of(PLACE));
    for (int c = from; c < to; c++)
        vl_terminal_put(terminal, VL_STYLE_BOLD, -widths[c] - GAP, head_of((enum column)c));
    fputc('\n', terminal->stream);
    for (size_t i = 0; (row = row_at(ranking, i, &place)) != NULL; i++) {
        enum vl_style style = row == &ranking->own ? VL_STYLE_BOLD : VL_STYLE_PLAIN;
        fill(text, ranking, row, place, PLACE);
        vl_terminal_put(terminal, style, -widths[PLACE], text);
        for (int c = from; c < to; c++) {
            fill(text, ranking, row, place, (enum column)c);
            vl_terminal_put(terminal, style, -widths[c] - GAP, text);
        }
        fputc('\n', terminal->stream);
    }
    fputc('\n', terminal->stream);
}

void vl_ranking_write_table(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    int widths[COLUMNS], from = PLACE + 1;
    for (int c = 0; c < COLUMNS; c++)
        widths[c] = width_of(ranking, (enum column)c);
    while (from < COLUMNS) {
        int to = from, space = terminal->columns - widths[PLACE];
        while (to < COLUMNS && (to == from || space >= widths[to] + GAP))
            space -= widths[to++] + GAP;
        put_block(ranking, terminal, widths, from, to);
        from = to;
    }
}
