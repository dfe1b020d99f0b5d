#include "cli/mpi/wait_picture.h"

#include "base/text.h"
#include "cli/mpi/wait_drawing.h"
#include "report/draw/markup.h"
#include "report/draw/page.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE   760.0
#define RADIUS 110.0 /* of the ring */
#define RANK   18.0  /* radius of one rank */
#define TOP    150.0 /* the middle of the ring */
#define HEAD   9.0   /* of an arrow */
#define LINE   20.0
#define LEFT   20.0

static double x_of(int rank, int ranks)
{
    return WIDE / 2 + (ranks > 1 ? RADIUS * sin(2 * M_PI * rank / ranks) : 0);
}

static double y_of(int rank, int ranks)
{
    return TOP - (ranks > 1 ? RADIUS * cos(2 * M_PI * rank / ranks) : 0);
}

static const char *colour_of(bool in_circle)
{
    return in_circle ? "var(--c1)" : "var(--ink)";
}

/* From the edge of one rank to the edge of the other. */
static void put_arrow(FILE *stream, int from, int to, int ranks, bool in_circle)
{
    double x = x_of(from, ranks), y = y_of(from, ranks);
    double across = x_of(to, ranks) - x, down = y_of(to, ranks) - y;
    double length = hypot(across, down), ux = across / length, uy = down / length;
    double end_x = x + across - ux * RANK, end_y = y + down - uy * RANK;
    const char *colour = colour_of(in_circle);
    fprintf(stream,
            "<path d=\"M%.1f %.1f L%.1f %.1f\" style=\"stroke:%s;stroke-width:%d;fill:none\"/>\n",
            x + ux * RANK, y + uy * RANK, end_x - ux * HEAD, end_y - uy * HEAD, colour,
            in_circle ? 3 : 2);
    fprintf(stream, "<path d=\"M%.1f %.1f L%.1f %.1f L%.1f %.1f Z\" style=\"fill:%s\"/>\n", end_x,
            end_y, end_x - HEAD * (ux + uy / 2), end_y - HEAD * (uy - ux / 2),
            end_x - HEAD * (ux - uy / 2), end_y - HEAD * (uy + ux / 2), colour);
}

static void put_rank(FILE *stream, int rank, int ranks, bool in_circle)
{
    char number[16];
    double x = x_of(rank, ranks), y = y_of(rank, ranks);
    fprintf(stream,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" style=\"fill:var(--paper);stroke:%s;"
            "stroke-width:%d\"/>\n",
            x, y, RANK, colour_of(in_circle), in_circle ? 3 : 2);
    snprintf(number, sizeof number, "%d", rank);
    vl_markup_label(stream, x, y + 5, "middle", number);
}

/* A line for each rank. */
static void put_words(FILE *stream, const char *where)
{
    char *words = strdup(where), *next = words;
    double y = TOP + RADIUS + RANK + 2 * LINE;
    for (char *line = strsep(&next, "\n"); line != NULL; line = strsep(&next, "\n"), y += LINE)
        vl_markup_label(stream, LEFT, y, "start", line);
    free(words);
}

static int lines_of(const char *where)
{
    int lines = 1;
    for (const char *at = where; at != NULL && *at != '\0'; at++)
        lines += *at == '\n';
    return lines;
}

enum vl_status vl_wait_picture(char **svg, const int *next, int ranks, const char *where)
{
    bool in_circle[VL_WAIT_RANKS];
    size_t length;
    FILE *stream = open_memstream(svg, &length);
    if (stream == NULL)
        return VL_ENOMEM;
    vl_wait_circles(in_circle, next, ranks);
    vl_page_begin_picture(stream, WIDE,
                          TOP + RADIUS + RANK + (where != NULL ? lines_of(where) + 2 : 1) * LINE);
    fputs("<title>", stream);
    vl_markup_text(stream, _("Who waits for whom"));
    fputs("</title>\n", stream);
    for (int rank = 0; rank < ranks; rank++)
        if (next[rank] >= 0 && next[rank] != rank)
            put_arrow(stream, rank, next[rank], ranks, in_circle[rank] && in_circle[next[rank]]);
    for (int rank = 0; rank < ranks; rank++)
        put_rank(stream, rank, ranks, in_circle[rank]);
    if (where != NULL)
        put_words(stream, where);
    fputs("</svg>\n", stream);
    return fclose(stream) == 0 ? VL_OK : VL_ENOMEM;
}
