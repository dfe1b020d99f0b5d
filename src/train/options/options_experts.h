/*
 * The options about experts: how many there are, which ranks hold them, and how their load is
 * balanced.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTIONS_EXPERTS_H
#define VIALATA_TRAIN_OPTIONS_OPTIONS_EXPERTS_H

#include "train/options/options.h"

/* Fill in how many experts a token chooses, and the feed-forward width, if not given. */
void vl_options_default_experts(struct vl_options *options);

/* VL_EINVAL with a sentence for a --balance or an --aux-scope that does not exist. */
enum vl_status vl_options_check_balance(const struct vl_options *options,
                                        struct vl_problem *problem);

/* How far a bias moves in one step; 0 if it is fixed. */
float vl_options_bias_speed(const struct vl_options *options);

/* The auxiliary loss; its alpha is 0 where there is none. */
struct vl_auxiliary vl_options_auxiliary(const struct vl_options *options);

/* Does the auxiliary loss need the whole batch's counts before the first backward? */
bool vl_options_auxiliary_waits(const struct vl_options *options);

/* Refuse it with a sentence, since the layout runs a backward earlier: VL_EINVAL. */
enum vl_status vl_options_refuse_waiting(struct vl_problem *problem);

/* The same refusal if the options alone show it; call it once the micro-batches are known. */
enum vl_status vl_options_check_waiting(const struct vl_options *options,
                                        struct vl_problem *problem);

/* What the two numbers of a checkpoint mean, as --balance and --aux-scope spell it. */
const char *vl_options_balance_name(float bias_speed, float aux_alpha);
const char *vl_options_scope_name(uint64_t scope);

/* VL_EINVAL or VL_ESHAPE with a sentence if the experts cannot be chosen or shared in this way, or
 * if there are none and an option is about them. */
enum vl_status vl_options_check_experts(const struct vl_options *options,
                                        struct vl_problem *problem);

#endif
