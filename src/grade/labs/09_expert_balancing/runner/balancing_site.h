/*
 * What the calls of lab 09 share.
 */
#ifndef VIALATA_GRADE_LABS_09_EXPERT_BALANCING_RUNNER_BALANCING_SITE_H
#define VIALATA_GRADE_LABS_09_EXPERT_BALANCING_RUNNER_BALANCING_SITE_H

#include "wire/bag.h"

/* Runs of a small router (runs_expert_balancing.c). */
enum vl_status vl_call_balance_by_bias(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_balance_by_loss(struct vl_bag *outputs, const struct vl_bag *inputs);

#endif
