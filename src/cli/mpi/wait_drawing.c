#include "cli/mpi/wait_drawing.h"

struct drawing {
    const struct vl_terminal *terminal;
    const int *next;
    int ranks;
    bool drawn[VL_WAIT_DRAWING_RANKS];
    bool in_circle[VL_WAIT_DRAWING_RANKS];
};

void vl_wait_circles(bool *in_circle, const int *next, int ranks)
{
    for (int rank = 0; rank < ranks; rank++) {
        int r = next[rank];
        for (int steps = 0; r >= 0 && r != rank && steps < ranks; steps++)
            r = next[r];
        in_circle[rank] = r == rank;
    }
}

static bool is_awaited(const struct drawing *d, int rank)
{
    for (int r = 0; r < d->ranks; r++)
        if (d->next[r] == rank)
            return true;
    return false;
}

/* From this rank to one that waits for none, or is on a line already. */
static void draw_chain(struct drawing *d, int rank, enum vl_style style)
{
    const char *arrow = d->terminal->unicode ? " \u2192 " : " -> ";
    char number[16];
    fputs("  ", d->terminal->stream);
    for (bool first = true; rank >= 0; first = false) {
        bool again = d->drawn[rank];
        snprintf(number, sizeof number, "%s%d", first ? "" : arrow, rank);
        vl_terminal_put(d->terminal, style, 0, number);
        d->drawn[rank] = true;
        rank = again ? -1 : d->next[rank];
    }
    fputc('\n', d->terminal->stream);
}

int vl_wait_drawing_put(const struct vl_terminal *terminal, const int *next, int ranks)
{
    struct drawing d = {.terminal = terminal, .next = next, .ranks = ranks};
    int lines = 0;
    if (ranks > VL_WAIT_DRAWING_RANKS)
        return 0;
    vl_wait_circles(d.in_circle, next, ranks);
    for (int round = 0; round < 2; round++)
        for (int rank = 0; rank < ranks; rank++) {
            bool begins = round == 0 ? d.in_circle[rank] : !is_awaited(&d, rank);
            if (!begins || d.drawn[rank] || next[rank] < 0)
                continue;
            draw_chain(&d, rank, round == 0 ? VL_STYLE_BOLD : VL_STYLE_PLAIN);
            lines++;
        }
    return lines;
}
