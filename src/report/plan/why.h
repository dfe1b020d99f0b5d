/*
 * How sure is a crossover? One assumption after the other is changed, up and down, all others stay,
 * and the crossover is found again:
 *
 *   hidden_gathers    0.5 -> 83 GB/s     1 -> 48 GB/s      the range of all:  43 .. 83
 */
#ifndef VIALATA_REPORT_PLAN_WHY_H
#define VIALATA_REPORT_PLAN_WHY_H

#include "report/draw/terminal.h"
#include "vialata/crossover.h"

#include <jansson.h>

struct vl_ranking;

enum { VL_WHY_MOST = 12 };

/* One assumption. Crossovers in bytes/s, INFINITY where there is none (vl_ranking_make). */
struct vl_why_line {
    const char *figure;   /* as in the file of the model or of the machine */
    double values[2];     /* what it is changed to */
    double crossovers[2]; /* and what follows */
};

struct vl_why {
    struct vl_why_line lines[VL_WHY_MOST]; /* what moves the crossover most comes first */
    size_t count;
    double least, most; /* of all crossovers, that of the ranking included */
};

/* ranking: as vl_ranking_make has filled it. Takes about twenty times as long as that. */
enum vl_status vl_why_make(struct vl_why *why, const struct vl_ranking *ranking);

void vl_why_write(const struct vl_why *why, const struct vl_terminal *terminal);
json_t *vl_why_json(const struct vl_why *why);

#endif
