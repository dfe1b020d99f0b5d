/*
 * A small router run for many global batches: balanced by the submission's bias, or by the gradient
 * of its loss. Routing itself is that of lab 08; the runner counts the load of each batch.
 */
#include "comm/meter.h"
#include "grade/labs/09_expert_balancing/runner/runs.h"
#include "runner/arrays.h"

#include <stdbool.h>
#include <string.h>

#define MOST_EXPERTS 16

/* The router of oracle/balance.h, struct vl_oracle_router, and working memory. */
struct run {
    const float *x;
    float *w;
    size_t pool, width, batches, length;
    int rank, ranks;
    struct vl_routing routing; /* of the tokens of a batch on this rank */
    float *logits, *affinity, *weights, *dlogits, bias[MOST_EXPERTS];
    int32_t *chosen;
    struct vl_bag *work; /* owns the arrays */
};

static bool create_run(struct run *run, const struct vl_bag *inputs)
{
    *run = (struct run){.x = vl_bag_f32(inputs, "x"),
                        .pool = vl_input_size(inputs, "pool"),
                        .width = vl_input_size(inputs, "width"),
                        .batches = vl_input_size(inputs, "batches"),
                        .length = vl_input_size(inputs, "length"),
                        .routing = vl_routing_of(inputs),
                        .work = vl_bag_copy(inputs)};
    const struct vl_routing *r = &run->routing;
    MPI_Comm_rank(vl_case_comm(), &run->rank);
    MPI_Comm_size(vl_case_comm(), &run->ranks);
    if (run->work == NULL || r->experts > MOST_EXPERTS)
        return false;
    run->w = vl_bag_f32(run->work, "w"); /* a copy that may learn */
    run->logits = vl_bag_add_f32(run->work, "logits", r->tokens, r->experts);
    run->affinity = vl_bag_add_f32(run->work, "affinity", r->tokens, r->experts);
    run->dlogits = vl_bag_add_f32(run->work, "dlogits", r->tokens, r->experts);
    run->weights = vl_bag_add_f32(run->work, "weights", r->tokens, r->chosen);
    run->chosen = vl_bag_add_i32(run->work, "chosen_by", r->tokens, r->chosen);
    return run->logits && run->affinity && run->dlogits && run->weights && run->chosen;
}

/* Scores and choices of this rank's tokens of a batch; bias may be NULL. */
static enum vl_status route(struct run *run, size_t batch, const float *bias)
{
    size_t first = (batch * (size_t)run->ranks + (size_t)run->rank) * run->routing.tokens;
    for (size_t i = 0; i < run->routing.tokens; i++)
        for (size_t e = 0; e < run->routing.experts; e++) {
            const float *x = run->x + (first + i) % run->pool * run->width;
            double logit = 0;
            for (size_t d = 0; d < run->width; d++)
                logit += (double)run->w[e * run->width + d] * (double)x[d];
            run->logits[i * run->routing.experts + e] = (float)logit;
        }
    return vl_router_forward(run->affinity, run->chosen, run->weights, run->logits, bias,
                             &run->routing);
}

/* Count the choices of tokens first ... first + n - 1 of this rank. */
static void count(double counts[MOST_EXPERTS], const struct run *run, size_t first, size_t n)
{
    memset(counts, 0, MOST_EXPERTS * sizeof *counts);
    for (size_t i = first * run->routing.chosen; i < (first + n) * run->routing.chosen; i++)
        counts[run->chosen[i]] += 1;
}

/* Over all ranks, and not metered: this is not the submission's traffic. */
static void add_up(double numbers[MOST_EXPERTS], int ranks)
{
    vl_meter_collective(MOST_EXPERTS * sizeof *numbers, ranks);
    PMPI_Allreduce(MPI_IN_PLACE, numbers, MOST_EXPERTS, MPI_DOUBLE, MPI_SUM, vl_case_comm());
}

/* This batch's part of the mean MaxVio; 0 before the last quarter of the run. */
static double late_violation(const struct run *run, size_t batch)
{
    double counts[MOST_EXPERTS], sum = 0, largest = 0;
    size_t experts = run->routing.experts, quarter = run->batches / 4;
    if (batch + quarter < run->batches)
        return 0;
    count(counts, run, 0, run->routing.tokens);
    add_up(counts, run->ranks);
    for (size_t e = 0; e < experts; e++) {
        sum += counts[e];
        largest = counts[e] > largest ? counts[e] : largest;
    }
    return (largest * (double)experts / sum - 1) / (double)quarter;
}

/* What is done after a batch: correct the bias, or the router. */
typedef enum vl_status (*correct_fn)(struct run *run, const struct vl_bag *inputs);

static enum vl_status run_batches(struct vl_bag *outputs, const struct vl_bag *inputs,
                                  correct_fn correct, int by_bias)
{
    struct run run;
    double violation = 0;
    int64_t same = 1;
    enum vl_status status = create_run(&run, inputs) ? VL_OK : VL_ENOMEM;
    size_t experts = run.routing.experts;
    float *course = by_bias ? vl_bag_add_f32(outputs, "course", run.batches, experts) : NULL;
    int added = course != NULL || !by_bias;
    for (size_t b = 0; added && status == VL_OK && b < run.batches; b++) {
        if (by_bias) {
            memcpy(course + b * experts, run.bias, experts * sizeof *course);
            same &= vl_same_everywhere(run.bias, experts);
        }
        status = route(&run, b, by_bias ? run.bias : NULL);
        if (status == VL_OK) {
            violation += late_violation(&run, b);
            status = correct(&run, inputs);
        }
    }
    vl_bag_free(run.work);
    added = added && vl_bag_set_real(outputs, "violation", violation) &&
            (!by_bias || vl_bag_set_int(outputs, "same_bias", same));
    return added ? status : VL_EINTERNAL;
}

static enum vl_status correct_bias(struct run *run, const struct vl_bag *inputs)
{
    double counts[MOST_EXPERTS];
    size_t experts = run->routing.experts;
    count(counts, run, 0, run->routing.tokens);
    enum vl_status status = vl_load_reduce(vl_case_comm(), counts, experts);
    return status == VL_OK
               ? vl_balance_bias_update(run->bias, counts, experts, (float)vl_bag_real(inputs, "u"))
               : status;
}

VL_CALL(balance_by_bias)
{
    return run_batches(outputs, inputs, correct_bias, 1);
}

enum scope { GLOBAL, MICRO, SEQUENCE }; /* enum vl_oracle_scope */

/* dlogits of this rank's tokens first ... first + n - 1, its part of one scope. */
static enum vl_status descend(struct run *run, enum scope scope, size_t first, size_t n,
                              float alpha)
{
    struct vl_routing part = run->routing;
    size_t at = first * part.experts, whole = n;
    double counts[MOST_EXPERTS];
    part.tokens = n;
    count(counts, run, first, n);
    if (scope == GLOBAL) {
        add_up(counts, run->ranks);
        whole = n * (size_t)run->ranks;
    }
    return vl_balance_loss_backward(run->dlogits + at, run->affinity + at, counts, whole, &part,
                                    alpha);
}

/* A step of the matrix's first column: its input is 1 for every token. */
static void learn(struct run *run, double scopes, double rate)
{
    double gradient[MOST_EXPERTS] = {0};
    size_t experts = run->routing.experts;
    for (size_t i = 0; i < run->routing.tokens * experts; i++)
        gradient[i % experts] += (double)run->dlogits[i];
    add_up(gradient, run->ranks);
    for (size_t e = 0; e < experts; e++)
        run->w[e * run->width] -= (float)(rate * gradient[e] / scopes);
}

static enum vl_status correct_router(struct run *run, const struct vl_bag *inputs)
{
    enum scope scope = (enum scope)vl_bag_int(inputs, "scope");
    size_t tokens = run->routing.tokens, n = scope == SEQUENCE ? run->length : tokens;
    double scopes = scope == GLOBAL ? 1 : (double)(tokens / n) * run->ranks;
    enum vl_status status = VL_OK;
    memset(run->dlogits, 0, tokens * run->routing.experts * sizeof *run->dlogits);
    for (size_t first = 0; status == VL_OK && first < tokens; first += n)
        status = descend(run, scope, first, n, (float)vl_bag_real(inputs, "alpha"));
    if (status == VL_OK)
        learn(run, scopes, vl_bag_real(inputs, "rate"));
    return status;
}

VL_CALL(balance_by_loss)
{
    return run_batches(outputs, inputs, correct_router, 0);
}
