/*
 * What the calls of lab 09 share, and those that run a small router.
 */
#ifndef VIALATA_GRADE_LABS_09_EXPERT_BALANCING_RUNNER_RUNS_H
#define VIALATA_GRADE_LABS_09_EXPERT_BALANCING_RUNNER_RUNS_H

#include "vialata/expert_balance.h"
#include "wire/bag.h"

struct vl_routing vl_routing_of(const struct vl_bag *inputs);

enum vl_status vl_call_balance_by_bias(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_balance_by_loss(struct vl_bag *outputs, const struct vl_bag *inputs);

#endif
