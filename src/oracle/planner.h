/*
 * The truth about plans, counted and not derived: it walks over the matrices of a model, the arrays
 * that a layer leaves, and the messages of a step. Conventions are those of vialata/planner.h,
 * vialata/plan_products.h, vialata/plan_roads.h and vialata/crossover.h; only sizes (vialata/blueprint.h) are shared.
 */
#ifndef VIALATA_ORACLE_PLANNER_H
#define VIALATA_ORACLE_PLANNER_H

#include "vialata/blueprint.h"

/* ---- what a chip computes and holds ---- */

/* Every parameter of a model, and those that one token is multiplied with. */
void vl_oracle_plan_parameters(double *all, double *active, const struct vl_blueprint *model);

struct vl_oracle_chip {
    size_t dense_layers, expert_layers;
    double common, experts, unit;
};
void vl_oracle_plan_chip(struct vl_oracle_chip *chip, const struct vl_blueprint *model,
                         const struct vl_division *division);

/* FLOPs that one token costs in training, and those of recomputation; of the former, the head's. */
void vl_oracle_plan_flops(double *useful, double *again, const struct vl_blueprint *model,
                          enum vl_keep keep);
double vl_oracle_plan_head(const struct vl_blueprint *model);
/* flops: of one token, those of the head included. */
double vl_oracle_plan_arithmetic(double flops, double head, const struct vl_setting *setting,
                                 const struct vl_division *division);
/* The share of the peak that a chip reaches; flops: of one token, those of the head not included. */
double vl_oracle_plan_efficiency(double flops, const struct vl_setting *setting,
                                 const struct vl_division *division);
double vl_oracle_plan_state_bytes(const struct vl_oracle_chip *chip, const struct vl_recipe *recipe,
                                  const struct vl_division *division);
double vl_oracle_plan_kept_bytes(const struct vl_oracle_chip *chip,
                                 const struct vl_setting *setting,
                                 const struct vl_division *division);

/* Sequences of the fullest micro-batch; layers of a stage. */
size_t vl_oracle_plan_rows(const struct vl_recipe *recipe, const struct vl_division *division);
size_t vl_oracle_plan_layers(const struct vl_blueprint *model, const struct vl_division *division,
                             size_t stage);

/* Domains that the experts of a token are in, on average. */
double vl_oracle_plan_domains(const struct vl_blueprint *model, size_t across);

/* ---- what travels ---- */

/* How many of the members, 'stride' chips apart, are in one domain. */
size_t vl_oracle_plan_inside(size_t members, size_t stride, size_t domain);
double vl_oracle_plan_gather(size_t inside, size_t across, const struct vl_cluster *cluster,
                             double bytes);
double vl_oracle_plan_exchange(size_t inside, size_t across, const struct vl_cluster *cluster,
                               double inside_bytes, double across_bytes);

/* In the order of vialata/plan_roads.h: bytes and count of all-reduces, elements inside and across
 * and count of exchanges, bytes and count of boundaries, scatters and gathers of each micro-batch
 * and of the step. */
enum { VL_ORACLE_TRAFFIC = 11 };
void vl_oracle_plan_traffic(double traffic[VL_ORACLE_TRAFFIC], const struct vl_oracle_chip *chip,
                            size_t inside, size_t across, const struct vl_setting *setting,
                            const struct vl_division *division);

/* Arithmetic, tensor, experts, pipeline, data, closing -> exposed, bubble, left, seconds, tokens/s,
 * MFU, HFU. */
enum { VL_ORACLE_LOADS = 6, VL_ORACLE_STEP = 7 };
void vl_oracle_plan_step(double step[VL_ORACLE_STEP], const double loads[VL_ORACLE_LOADS],
                         double useful, double again, const struct vl_setting *setting,
                         const struct vl_division *division);

/* ---- all of it ---- */

struct vl_oracle_forecast {
    double state_bytes, kept_bytes;
    double loads[VL_ORACLE_LOADS];
    double step[VL_ORACLE_STEP];
    int fits;
};
void vl_oracle_plan_forecast(struct vl_oracle_forecast *forecast, const struct vl_setting *setting,
                             const struct vl_division *division);

/* The first bandwidth, going up from low in steps of a ten-thousandth, at which without(bandwidth)
 * is at most (1 + slack) of_all(bandwidth); infinite if there is none up to high. */
double vl_oracle_crossover(double low, double high, double slack,
                           double (*without)(void *context, double bandwidth),
                           double (*of_all)(void *context, double bandwidth), void *context);

#endif
