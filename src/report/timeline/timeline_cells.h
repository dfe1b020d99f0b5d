/*
 * Lanes of cells: what the drawings of a timeline on a terminal are made of. A cell shows what
 * filled most of its stretch of time. Only for timeline_*.c.
 */
#ifndef VIALATA_REPORT_TIMELINE_TIMELINE_CELLS_H
#define VIALATA_REPORT_TIMELINE_TIMELINE_CELLS_H

#include "report/timeline/timeline.h"

/* What a cell shows. Work has two shades, one for odd numbers, so that neighbours can be told
 * apart. */
enum vl_look {
    VL_LOOK_EMPTY,
    VL_LOOK_FORWARD,
    VL_LOOK_BACKWARD,
    VL_LOOK_WEIGHT,
    VL_LOOK_UPDATE,
    VL_LOOK_OTHER,
    VL_LOOK_ROAD,
    VL_LOOK_ROAD_SHORT,
    VL_LOOK_WAIT,
    VL_LOOK_IDLE
};
#define VL_LOOKS (VL_LOOK_IDLE + 1)

struct vl_cell {
    enum vl_look look;
    int shade;
    char letter; /* of a number, over the glyph; 0: none */
};

/* Where things go. */
struct vl_lane {
    const struct vl_terminal *terminal;
    int label; /* columns to the left of the cells */
    int cells;
    double seconds; /* of all cells */
    struct vl_cell *row;
    double (*filled)[VL_LOOKS]; /* of each cell, by what */
};

/* As many cells as fit next to the label, at least a few. A 'grain' above zero gets a whole number
 * of cells, if at least one fits. VL_ENOMEM; close it in any case. */
enum vl_status vl_lane_open(struct vl_lane *lane, const struct vl_terminal *terminal, int label,
                            double seconds, double grain);
void vl_lane_close(struct vl_lane *lane);

void vl_lane_clear(const struct vl_lane *lane);
/* A span's share of every cell it touches. */
void vl_lane_fill(const struct vl_lane *lane, const struct vl_timeline_span *span,
                  enum vl_look look);
/* Each cell shows the work that fills most of it. */
void vl_lane_choose_work(const struct vl_lane *lane);
/* The cells [from,to) of a span: its times, rounded. */
void vl_lane_cells_of(int *from, int *to, const struct vl_lane *lane,
                      const struct vl_timeline_span *span);

enum vl_look vl_look_of(enum vl_work work);

/* Label and cells; no blanks after the last one that shows something. */
void vl_lane_put(const struct vl_lane *lane, const char *label);
/* 'unit' is put to the left of the numbers, which are milliseconds: "ms", or "" for a plan. */
void vl_lane_put_axis(const struct vl_lane *lane, const char *unit);

/* "glyph meaning" for each of these looks, wrapped; with the letters of tasks where asked for. */
void vl_lane_put_legend(const struct vl_terminal *terminal, const enum vl_look *looks, size_t count,
                        int with_letters);

#endif
