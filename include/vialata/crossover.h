/*
 * How broad must the road be? All divisions of a number of chips are compared, to find the
 * bandwidth above which a pipeline is no longer needed.
 *
 *   seconds of the best
 *   division      |\
 *                 | \ .            . without pipeline parallelism
 *                 |  \   .         \ of all
 *                 |    \____.______________
 *                 +---------|--------------> bandwidth between domains
 *                        crossover: above this, doing without is at most 'slack' slower
 */
#ifndef VIALATA_CROSSOVER_H
#define VIALATA_CROSSOVER_H

#include "vialata/plan_roads.h"

struct vl_forecast {
    struct vl_division division;
    struct vl_chip chip;
    struct vl_work work;
    struct vl_traffic traffic;
    struct vl_loads loads;
    struct vl_step_plan step;
    double efficiency; /* the share of its peak that the chip reaches: vialata/plan_products.h */
    double state_bytes, kept_bytes;
    int fits; /* nonzero: both, and the reserve, fit into the chip's memory */
};

/* All of the above for one division. VL_ESHAPE if the division is impossible. [given] */
enum vl_status vl_forecast_make(struct vl_forecast *forecast, const struct vl_setting *setting,
                                const struct vl_division *division);

/* Which divisions to compare. */
struct vl_search {
    size_t chips;
    size_t most_pipeline; /* 1: without; 0: any */
    size_t most_rows;     /* micro-batches: a replica's sequences / 1, 2, 4 .. up to this, rounded
                           * down; 0: 8 */
};

/* The fastest divisions that fit, best first: *count of them, at most 'capacity'. Of two that are
 * equally fast, the one that needs less memory comes first. VL_OK with *count 0 if none fits.
 * [given] */
enum vl_status vl_forecast_search(struct vl_forecast *best, size_t *count, size_t capacity,
                                  const struct vl_setting *setting, const struct vl_search *search);

/* Seconds of the best division without a pipeline, and of the best of all, at a bandwidth (bytes/s
 * of one chip) between domains; INFINITY where none fits. */
struct vl_rivals {
    void *context;
    enum vl_status (*best)(void *context, double *without, double *of_all, double bandwidth);
};

/*
 * The least bandwidth from low to high at which the best division without a pipeline takes at most
 * (1 + slack) times as long as the best of all, to a thousandth: this is true at the bandwidth
 * returned, and false at 1/1.001 of it or less. *bandwidth is low if it is true there, and INFINITY
 * if it is false at high. You may assume that once it is true, it is true at every larger
 * bandwidth. A call is expensive: make at most 40 calls for any high <= 1e6 low. A status from a
 * call is returned at once. VL_EINVAL unless 0 < low <= high and slack >= 0.
 */
enum vl_status vl_crossover(double *bandwidth, double low, double high, double slack,
                            const struct vl_rivals *rivals);

/* The rule of thumb: where weights in 16 bits are gathered over a road of 'bandwidth' bytes/s per
 * chip, compute hides that above C/W tokens per chip (C: peak FLOP/s, W: bandwidth). With experts,
 * multiply by E/k, and divide by the chips that share the experts and by the stages. The rule is
 * for the model as a whole and ignores memory. Source: the scaling book. [given] */
enum vl_status vl_rule_tokens(double *tokens, const struct vl_setting *setting, double bandwidth,
                              const struct vl_division *division);

/* Written down before computing, for the cases that the lab's text gives; 0: not sealed yet. */
struct vl_plan_prediction {
    double state_bytes;         /* weights, gradients and optimizer state of one chip */
    double exchange_seconds;    /* of one layer and micro-batch, there and back, with backward */
    double crossover_bandwidth; /* bytes/s: a guess, made before the first line of code */
};
enum vl_status vl_predict_plan(struct vl_plan_prediction *prediction);

#endif
