/*
 * The truth about experts, in float64: which ones a token chooses, which row each choice becomes,
 * and what the experts compute from their rows.
 *
 * Each choice becomes one row. The choices of all ranks, sorted by expert, then by rank, then by
 * token, are the rows of all ranks. They are in the order of the ranks, since each rank has
 * consecutive experts. row_of says which row each choice becomes.
 */
#ifndef VIALATA_ORACLE_EXPERTS_H
#define VIALATA_ORACLE_EXPERTS_H

#include <stddef.h>
#include <stdint.h>

struct vl_oracle_routing {
    size_t tokens, experts, chosen;
    double scale;
};

/* affinity (N,E), chosen (N,k), weights (N,k); bias (E) may be NULL. */
void vl_oracle_router(double *affinity, int32_t *chosen, double *weights, const double *logits,
                      const double *bias, const struct vl_oracle_routing *routing);
/* The same with experts in 'groups', of which a token may use the best 'limit'. */
void vl_oracle_router_limited(double *affinity, int32_t *chosen, double *weights,
                              const double *logits, const double *bias,
                              const struct vl_oracle_routing *routing, size_t groups, size_t limit);
/* dlogits (N,E) */
void vl_oracle_router_input(double *dlogits, const double *dweights, const double *affinity,
                            const int32_t *chosen, const struct vl_oracle_routing *routing);

/* The row, among those of all experts, of each of n choices in the order of ranks and tokens. */
void vl_oracle_rows(size_t *row_of, const int32_t *choices, size_t n, size_t experts);

struct vl_oracle_experts {
    size_t count;
    const size_t *rows_of; /* (count) */
    size_t width, ff;
    const double *gate_up; /* (count,2F,D) */
    const double *down;    /* (count,D,F) */
};

/* out (R,D), opened (R,2F), active (R,F) from rows (R,D); drows and dopened; added to dgate_up and
 * ddown. */
void vl_oracle_experts(double *out, double *opened, double *active, const double *rows,
                       const struct vl_oracle_experts *experts);
void vl_oracle_experts_input(double *drows, double *dopened, double *dactive, const double *dout,
                             const double *opened, const struct vl_oracle_experts *experts);
void vl_oracle_experts_weight(double *dgate_up, double *ddown, const double *dout,
                              const double *dopened, const double *active, const double *rows,
                              const struct vl_oracle_experts *experts);

/* A layer on paper: every token uses all 'shared' experts, and k ('chosen') of the others. */
struct vl_oracle_expert_shape {
    size_t tokens, width, ff, experts, shared, chosen; /* tokens: of one rank */
    int ranks;
};

/* Bytes that rank 0 sends if choices are spread evenly; all parameters, and those a token uses. */
double vl_oracle_expert_sent(const struct vl_oracle_expert_shape *shape);
uint64_t vl_oracle_expert_parameters(const struct vl_oracle_expert_shape *shape);
uint64_t vl_oracle_expert_active(const struct vl_oracle_expert_shape *shape);

#endif
