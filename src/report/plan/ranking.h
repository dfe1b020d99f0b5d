/*
 * What a planner says of a model on a machine: all layouts of a number of chips, ranked, and the
 * best with a pipeline against the best without, over the bandwidth between domains.
 *
 *    #  dp   ep  tp  pp  v   m  ZeRO      keep  s a step   tokens/s    MFU ...
 *    1   4  256   1   2  1  15     2  selected     19.36  3,248,981  45.1% ...
 *    2 ...
 *
 * The planner (vialata/crossover.h) does the calculation; here it is called, and shown. Serial.
 */
#ifndef VIALATA_REPORT_PLAN_RANKING_H
#define VIALATA_REPORT_PLAN_RANKING_H

#include "base/number.h"
#include "report/draw/terminal.h"
#include "report/plan/why.h"
#include "vialata/crossover.h"

#include <jansson.h>

#define VL_RANKING_LOW    1e9 /* bytes/s of one chip between domains: the ends of the curve, */
#define VL_RANKING_HIGH   1e13
#define VL_RANKING_POINTS 81 /* evenly on a logarithmic scale */

struct vl_ranking {
    /* what is asked: the caller's */
    struct vl_setting setting;
    const char *model_title, *machine_title;
    json_t *model_file, *machine_file; /* as blueprint_file.h has them: figures, sources */
    size_t chips;
    size_t most_pipeline; /* in the table: 1: none; 0: any */
    double slack;         /* of the crossover */
    size_t top;           /* rows of the table */
    int has_own;          /* 'own' is a possible layout, to be shown too */
    struct vl_forecast own;
    const struct vl_why *why; /* if it is to be shown */

    /* what is found */
    struct vl_forecast *best; /* all that fit, best first */
    size_t count;
    size_t own_place; /* 1 + how many of them are faster; 0: it does not fit */
    double with[VL_RANKING_POINTS], without[VL_RANKING_POINTS]; /* s/step; INFINITY: none fits */
    double crossover; /* bytes/s; VL_RANKING_LOW: or less; INFINITY: not up to VL_RANKING_HIGH */
};

/* Find it all. VL_OK with count 0 if nothing fits; then the rest is not set. VL_ENOMEM. Free it in
 * any case. */
enum vl_status vl_ranking_make(struct vl_ranking *ranking);
void vl_ranking_free(struct vl_ranking *ranking);

/* Bytes that a chip would need for some layout to fit, the reserve included; INFINITY: this number
 * of chips cannot be divided at all. */
enum vl_status vl_ranking_least_bytes(double *bytes, const struct vl_setting *setting,
                                      const struct vl_search *search);

/* The best layout that fits, where micro_batches (0), zero and keep (VL_RANKING_ANY_...) may be
 * left open; if none fits, the one that takes the least memory. VL_ESHAPE: it is impossible. */
#define VL_RANKING_ANY_ZERO 4
#define VL_RANKING_ANY_KEEP ((enum vl_keep)(VL_KEEP_INPUT + 1))
enum vl_status vl_ranking_complete(struct vl_forecast *forecast, const struct vl_setting *setting,
                                   const struct vl_division *asked);

/* Bandwidth of a point of the curve. */
double vl_ranking_bandwidth(size_t point);

/* Share of a step's total time that chips wait for other stages. */
static inline double vl_ranking_bubble(const struct vl_forecast *forecast)
{
    return forecast->step.bubble / forecast->step.seconds;
}

/* ---- shown ---- */

/* Billions of something: 46.77, 10,000. Returns text. */
char *vl_ranking_giga(char text[VL_NUMBER_TEXT], double value);

/* The table, the crossover, the assumptions and the sources. */
void vl_ranking_write(const struct vl_ranking *ranking, const struct vl_terminal *terminal);
/* Two parts of it. */
void vl_ranking_write_table(const struct vl_ranking *ranking, const struct vl_terminal *terminal);
void vl_ranking_write_sources(const struct vl_ranking *ranking, const struct vl_terminal *terminal);

/* All numbers; the caller's, NULL without memory. */
json_t *vl_ranking_json(const struct vl_ranking *ranking);

/* The curve as a picture that stands alone. */
void vl_ranking_draw(const struct vl_ranking *ranking, FILE *stream);

#endif
