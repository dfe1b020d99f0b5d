/*
 * A study of bandwidth: one model on two hosts, trained in several ways over roads of several
 * widths, and the width above which data parallelism beats the pipeline.
 *
 *   run           all ways take turns on one road; it may be measured again later, so that an hour
 *                 in which the machine is slow does not fall on one road alone
 *   cell          one way on one road: measured step seconds of all runs, a median with its
 *                 quartiles; the seconds that the planner computes; the seconds of a simulation, if
 *                 there is one
 *   crossover     the rate above which one way is at most as slow as the other
 *
 *   seconds       \  dp
 *   (log)    pp ___\______________    between two rates both logarithms are taken to be straight
 *                   \                 lines over the logarithm of the rate; that is where they
 *                   |\____________    cross
 *              -----|------------ rate (log)
 *
 * Serial; nothing here trains.
 */
#ifndef VIALATA_REPORT_STUDY_BANDWIDTH_H
#define VIALATA_REPORT_STUDY_BANDWIDTH_H

#include "base/number.h"
#include "report/draw/terminal.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stddef.h>

#define VL_BANDWIDTH_RATES 16
#define VL_BANDWIDTH_TURNS 100 /* as in train/bench/parallel/bench_bandwidth.h */
#define VL_BANDWIDTH_RUNS  20

/* In the order of the trainer's benchmark; vl_bandwidth_key has its words for them. */
enum vl_bandwidth_way {
    VL_BANDWIDTH_ALONE,
    VL_BANDWIDTH_DP,
    VL_BANDWIDTH_DP_OVERLAP,
    VL_BANDWIDTH_ZERO3,
    VL_BANDWIDTH_TP,
    VL_BANDWIDTH_PP,
    VL_BANDWIDTH_EP
};
#define VL_BANDWIDTH_WAYS 7

/* In which the rates of a study are shown. */
enum vl_bandwidth_unit { VL_BANDWIDTH_MBIT, VL_BANDWIDTH_GB };

/* Where the seconds of a cell come from. */
enum vl_bandwidth_source { VL_BANDWIDTH_MEASURED, VL_BANDWIDTH_PLANNED, VL_BANDWIDTH_SIMULATED };
#define VL_BANDWIDTH_SOURCES 3

struct vl_bandwidth_cell {
    double seconds[VL_BANDWIDTH_TURNS];                    /* (runs, turns) measured */
    double losses[VL_BANDWIDTH_TURNS + VL_BANDWIDTH_RUNS]; /* (runs, turns + 1) before each
                                                                * step, warm-up included */
    double plans[VL_BANDWIDTH_RUNS];                       /* (runs) s; NAN: as planned */
    double planned;   /* s, the median of plans; NAN: the planner does not model this way */
    double simulated; /* s; NAN: not simulated. Whoever simulates a cell sets it, and table, page
                       * and JSON then have a column */
};

struct vl_bandwidth_road {
    double rate;                                                /* bytes/s, as `tc` was told */
    size_t runs;                                                /* how often it was measured; 0 on
                                                                 * a machine that is not here */
    double alphas[VL_BANDWIDTH_RUNS], betas[VL_BANDWIDTH_RUNS]; /* (runs) as measured on it */
    double alpha, beta; /* s per message, s per byte: their medians */
    double load; /* threads that wanted to run in the minute before, at most; NAN: not known */
    struct vl_bandwidth_cell cells[VL_BANDWIDTH_WAYS];
};

struct vl_bandwidth {
    size_t turns, count;                                /* of steps timed in a run; of roads */
    struct vl_bandwidth_road roads[VL_BANDWIDTH_RATES]; /* narrow ones first */
    json_t *model;       /* what the benchmark said of the model; NULL before the first road */
    const char *command; /* how the study was asked for; the caller's */
    char date[16];       /* "2025-11-21" */
    enum vl_bandwidth_unit unit;
};

/* ---- filled ---- */

/* The benchmark's word for a way. */
const char *vl_bandwidth_key(enum vl_bandwidth_way way);

/* Take what the benchmark told (train/bench/bench.h) as a run on the road of 'rate': one that has
 * been measured before, or a new one, broader than all others. Nothing in it is simulated.
 * VL_EFORMAT if anything is missing or not positive, and for more roads or runs than fit, VL_ENOMEM:
 * then the study is as it was. */
enum vl_status vl_bandwidth_take(struct vl_bandwidth *study, double rate, double load,
                                 const json_t *told);
/* Add a road of 'rate', broader than all others, on which nothing is measured: every cell is empty
 * until somebody plans or simulates it. VL_EINVAL for another rate, or where no more fit. */
enum vl_status vl_bandwidth_add(struct vl_bandwidth *study, double rate);
void vl_bandwidth_free(struct vl_bandwidth *study);

/* The first cell whose losses are not those of a host alone, within 1e-3 of each: that way trains
 * another model. *road and *way say where. Zero if all agree. */
int vl_bandwidth_losses_differ(size_t *road, enum vl_bandwidth_way *way,
                               const struct vl_bandwidth *study);

/* ---- found ---- */

/* The steps of a cell that were timed, over all runs. */
size_t vl_bandwidth_steps(const struct vl_bandwidth *study, size_t road);

/* Of measured seconds. Quartiles are medians of the halves; of one turn, they are that turn. NAN
 * where nothing was measured. */
struct vl_bandwidth_spread {
    double low, median, high;
};
struct vl_bandwidth_spread vl_bandwidth_measured(const struct vl_bandwidth *study, size_t road,
                                                 enum vl_bandwidth_way way);

/* The seconds of a cell: of what was measured, the median. NAN where there are none. */
double vl_bandwidth_seconds(const struct vl_bandwidth *study, size_t road,
                            enum vl_bandwidth_way way, enum vl_bandwidth_source source);

/* Nonzero if a source has seconds in any cell. */
int vl_bandwidth_has(const struct vl_bandwidth *study, enum vl_bandwidth_source source);

enum vl_bandwidth_verdict {
    VL_BANDWIDTH_UNKNOWN,    /* seconds are missing */
    VL_BANDWIDTH_CROSSES,    /* at 'rate' */
    VL_BANDWIDTH_EVERYWHERE, /* on the narrowest road already */
    VL_BANDWIDTH_NOWHERE     /* not even on the broadest */
};

struct vl_bandwidth_crossover {
    enum vl_bandwidth_verdict verdict;
    double rate;  /* bytes/s, where it crosses */
    size_t times; /* how often the two lines cross; more than once only by noise, or by chance: then
                   * the last one counts */
};

/* From which rate on 'one' (count) takes at most as long as 'other' (count). rates: rising. */
struct vl_bandwidth_crossover vl_bandwidth_cross(const double *rates, const double *one,
                                                 const double *other, size_t count);

/* The same of a way and the pipeline, by one source. */
struct vl_bandwidth_crossover vl_bandwidth_cross_pipeline(const struct vl_bandwidth *study,
                                                          enum vl_bandwidth_way way,
                                                          enum vl_bandwidth_source source);

/* Seconds at a rate between the first and the last, on the line through the roads. */
double vl_bandwidth_between(const double *rates, const double *seconds, size_t count, double rate);

struct vl_bandwidth_findings {
    /* Data parallelism against the pipeline, by each source */
    struct vl_bandwidth_crossover crossover[VL_BANDWIDTH_SOURCES];
    struct vl_bandwidth_crossover overlapped[VL_BANDWIDTH_SOURCES]; /* the same with overlap */
    struct vl_bandwidth_crossover earliest, latest; /* measured: data parallelism at its fast
                                                     * quartile and the pipeline at its slow one,
                                                     * and the other way round */
    double widest;                                  /* spread: (high - low) / median, at most */
    /* How far planned and simulated seconds are from the measured ones, of all ways but alone */
    struct {
        size_t cells, within_15, within_30;
        double worst; /* share of the measured; 0 without cells */
    } gap[VL_BANDWIDTH_SOURCES];
};
void vl_bandwidth_find(struct vl_bandwidth_findings *findings, const struct vl_bandwidth *study);

/* ---- shown ---- */

/* "data parallel, overlapped": in the user's language. */
const char *vl_bandwidth_name(enum vl_bandwidth_way way);
const char *vl_bandwidth_source_name(enum vl_bandwidth_source source);

/* A rate (bytes/s) in the study's unit, without its name. Returns text. */
char *vl_bandwidth_rate(char text[VL_NUMBER_TEXT], const struct vl_bandwidth *study, double rate);

/* Sentence i about the numbers; the caller frees it. NULL: there are no more, or no memory. */
char *vl_bandwidth_sentence(const struct vl_bandwidth *study,
                            const struct vl_bandwidth_findings *findings, size_t i);

/* Milliseconds, a row per road, for each source that has any; then the sentences. */
void vl_bandwidth_table(const struct vl_bandwidth *study, const struct vl_terminal *terminal);

/* One HTML file (page.h). VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_bandwidth_page(const struct vl_bandwidth *study, const char *path);

/* All numbers; the caller's, NULL without memory. */
json_t *vl_bandwidth_json(const struct vl_bandwidth *study);

#endif
