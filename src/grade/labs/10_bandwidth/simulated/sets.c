#include "grade/labs/10_bandwidth/simulated/sets.h"

#include <math.h>

/* The columns of the table. A layout has SECONDS + 1 of them. */
enum layout_column { DATA, TENSOR, PIPELINE, MICRO_BATCHES, ZERO, SECONDS };
enum column {
    NUMBER,
    CHIPS,
    DOMAIN,
    PEAK,
    EFFICIENCY, /* of matrix products; the planner asks for what is reached in all */
    MEMORY_BYTES,
    INNER_LATENCY,
    INNER_BANDWIDTH,
    OUTER_LATENCY,
    OUTER_BANDWIDTH,
    LAYERS,
    WIDTH,
    HEADS,
    FF,
    VOCABULARY,
    SEQUENCE,
    BATCH,
    FIRST_LAYOUT,
    REACHED = FIRST_LAYOUT + VL_SIMULATED_LAYOUTS * (SECONDS + 1),
    CROSSOVER,
    COLUMNS
};

#include "simulated_sets.h" /* rows[][COLUMNS] */

/* Shares of compute that hide a kind of message in the engine of this course. Chosen once, for all
 * sets together, and not set by set: of those that were tried, the lab's own planner is nearest to the
 * simulator with these. */
#define HIDDEN_GATHERS  0.75
#define HIDDEN_PIPELINE 0.5
#define HIDDEN_CLOSING  0.5

/* What make_sets.py writes into the files of the model and of the machine. */
#define HEAD_WIDTH    128
#define RESERVE_BYTES 6e9

static struct vl_blueprint model_of(const double *row)
{
    return (struct vl_blueprint){.layers = (size_t)row[LAYERS],
                                 .dense_layers = (size_t)row[LAYERS],
                                 .width = (size_t)row[WIDTH],
                                 .heads = (size_t)row[HEADS],
                                 .kv_heads = (size_t)row[HEADS],
                                 .key_width = HEAD_WIDTH,
                                 .value_width = HEAD_WIDTH,
                                 .ff = (size_t)row[FF],
                                 .ff_matrices = 3,
                                 .expert_groups = 1,
                                 .groups_met = 1,
                                 .vocabulary = (size_t)row[VOCABULARY],
                                 .sequence = (size_t)row[SEQUENCE]};
}

static struct vl_cluster cluster_of(const double *row)
{
    return (struct vl_cluster){
        .peak = row[PEAK],
        .efficiency = row[REACHED],
        .memory_bytes = row[MEMORY_BYTES],
        .reserve_bytes = RESERVE_BYTES,
        .hidden_gathers = HIDDEN_GATHERS,
        .hidden_pipeline = HIDDEN_PIPELINE,
        .hidden_closing = HIDDEN_CLOSING,
        .levels = 1,
        .domain = (size_t)row[DOMAIN],
        .inner = {row[INNER_LATENCY], row[INNER_BANDWIDTH], row[INNER_BANDWIDTH]},
        .outer = {row[OUTER_LATENCY], row[OUTER_BANDWIDTH], row[OUTER_BANDWIDTH]}};
}

static struct vl_division layout_of(const double *layout)
{
    return (struct vl_division){.tensor = (size_t)layout[TENSOR],
                                .expert = 1,
                                .data = (size_t)layout[DATA],
                                .pipeline = (size_t)layout[PIPELINE],
                                .chunks = 1,
                                .micro_batches = (size_t)layout[MICRO_BATCHES],
                                .zero = (size_t)layout[ZERO],
                                .keep = VL_KEEP_ALL};
}

size_t vl_simulated_count(void)
{
    return sizeof rows / sizeof *rows;
}

struct vl_simulated_set vl_simulated_set(size_t number)
{
    const double *row = rows[number];
    struct vl_simulated_set set = {.setting = {.model = model_of(row),
                                               .recipe = {.batch = (size_t)row[BATCH],
                                                          .weight_bytes = 2,
                                                          .gradient_bytes = 2,
                                                          .optimizer_bytes = 12,
                                                          .kept_bytes = 2,
                                                          .element_bytes = 2,
                                                          .dispatch_bytes = 2,
                                                          .combine_bytes = 2},
                                               .cluster = cluster_of(row)},
                                   .crossover = row[CROSSOVER]};
    for (size_t i = 0; i < VL_SIMULATED_LAYOUTS; i++) {
        const double *layout = row + FIRST_LAYOUT + i * (SECONDS + 1);
        set.layouts[i] = layout_of(layout);
        set.seconds[i] = layout[SECONDS];
    }
    return set;
}

int vl_simulated_apart(const struct vl_simulated_set *set, size_t one, size_t other)
{
    double a = set->seconds[one], b = set->seconds[other];
    return fmax(a, b) >= VL_SIMULATED_TIE * fmin(a, b);
}
