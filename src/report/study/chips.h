/*
 * A study of bandwidth on machines that are not here: one model on several machines and numbers of
 * chips, divided among them in several ways, over roads of several bandwidths. Each way is planned,
 * and simulated where there is a simulator.
 *
 *   panel     a machine and a number of chips, with a study of its own (bandwidth.h) whose roads
 *             differ in the one link that joins all chips:
 *
 *             [ chips ]--+                 more than one domain: the link between them
 *             [ chips ]--+
 *             [   all chips   ]            one domain: the link inside it, a switch or a torus
 *
 *   factor    the bandwidth of that link over that in the machine's file; 1: as it is
 *
 * Serial; nothing here plans or simulates.
 */
#ifndef VIALATA_REPORT_STUDY_CHIPS_H
#define VIALATA_REPORT_STUDY_CHIPS_H

#include "report/study/bandwidth.h"
#include "vialata/blueprint.h"

#define VL_CHIPS_MACHINES 8
#define VL_CHIPS_SIZES    4
#define VL_CHIPS_PANELS   (VL_CHIPS_MACHINES * VL_CHIPS_SIZES)

/* How a panel's chips share the work in one way. */
struct vl_chips_layout {
    struct vl_division division; /* data: 0 if the study does without this way */
    size_t neighbours;           /* that sum gradients first, before the others; 0: one ring */
    int overlap;                 /* in buckets, while backward runs; 0: after it */
};

struct vl_chips_panel {
    char *machine; /* as it was named */
    char *title;   /* of its file */
    size_t chips;
    struct vl_cluster cluster; /* as its file has it, but all domains have equally many chips */
    size_t whole_domain;       /* chips of a domain in the file */
    int inside;       /* the link inside the domain is varied; 0: the one between domains */
    double bandwidth; /* of that link in the file: bytes/s of a chip */
    struct vl_chips_layout layouts[VL_BANDWIDTH_WAYS];
    struct vl_bandwidth roads; /* in GB/s; nothing measured */
};

struct vl_chips {
    struct vl_chips_panel panels[VL_CHIPS_PANELS];
    size_t count;
    double factors[VL_BANDWIDTH_RATES]; /* rising: one for each road of a panel */
    size_t factor_count;
    struct vl_blueprint model;
    struct vl_recipe recipe; /* its batch is that of one chip */
    double parameters;
    size_t scale;        /* of the simulations; 0: nothing was simulated */
    const char *command; /* the caller's */
    char date[16];
};

void vl_chips_free(struct vl_chips *study);

/* ---- found ---- */

struct vl_chips_findings {
    /* Above which bandwidth a way is at most as slow as the pipeline, by each source */
    struct vl_bandwidth_crossover crossover[VL_BANDWIDTH_SOURCES];  /* data parallelism */
    struct vl_bandwidth_crossover overlapped[VL_BANDWIDTH_SOURCES]; /* the same, overlapped */
    double
        beside[VL_BANDWIDTH_SOURCES]; /* seconds of data parallelism over those of the pipeline, at
                                          * the bandwidth in the file; NAN outside the roads */
    double apart; /* the larger of both crossovers of data parallelism over the smaller; NAN unless
                   * both cross */
    /* How far planned seconds are from the simulated ones, in all cells that have both */
    size_t cells, within_15, within_30;
    double worst; /* share of the simulated ones */
    enum vl_bandwidth_way worst_way;
    size_t worst_road;
};
void vl_chips_find(struct vl_chips_findings *findings, const struct vl_chips_panel *panel);

/* ---- shown ---- */

/* "dp=8,tp=8,zero=0": as `vialata simulate --layout` takes it. Returns text. */
#define VL_CHIPS_LAYOUT 96
char *vl_chips_layout_text(char text[VL_CHIPS_LAYOUT], const struct vl_division *division);

/* Sentence i about a panel's numbers; the caller frees it. NULL: there are no more, or no memory. */
char *vl_chips_sentence(const struct vl_chips_panel *panel,
                        const struct vl_chips_findings *findings, size_t i);

/* Per panel the milliseconds by each source, and the sentences. */
void vl_chips_table(const struct vl_chips *study, const struct vl_terminal *terminal);

/* One HTML file (page.h) with a figure per panel. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_chips_page(const struct vl_chips *study, const char *path);

/* All numbers; the caller's, NULL without memory. */
json_t *vl_chips_json(const struct vl_chips *study);

#endif
