/*
 * What the calls of lab 09 share, and those that run a small router.
 */
#ifndef VIALATA_GRADE_LABS_09_EXPERT_BALANCING_RUNNER_RUNS_H
#define VIALATA_GRADE_LABS_09_EXPERT_BALANCING_RUNNER_RUNS_H

#include "runner/call.h"
#include "vialata/expert_balance.h"

struct vl_routing vl_routing_of(const struct vl_bag *inputs);

vl_call_function vl_call_balance_by_bias, vl_call_balance_by_loss;

#endif
