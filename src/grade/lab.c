#include "grade/lab.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const training_step_files[] = {"worked.c", "forward.c", "backward.c", "step.c",
                                                  "budget.c", "predict.c", NULL};

/* In the order a student meets them. What is worked costs nothing, but damage to it is told. */
static const struct vl_lab_function training_step_functions[] = {
    {"vl_linear_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_embedding_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_embedding_backward_weight", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rotary_table", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rotary_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rotary_backward_input", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_rmsnorm_forward", "forward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_swiglu_forward", "forward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_cross_entropy_forward", "forward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_attention_forward", "forward.c", 5, VL_GROUP_NUMERICS, 4},

    {"vl_linear_backward_input", "backward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_linear_backward_weight", "backward.c", 3, VL_GROUP_NUMERICS, 2},
    {"vl_swiglu_backward_input", "backward.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_cross_entropy_backward_input", "backward.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_rmsnorm_backward_input", "backward.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_rmsnorm_backward_weight", "backward.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_attention_backward_input", "backward.c", 6, VL_GROUP_NUMERICS, 4},

    {"vl_gradient_norm", "step.c", 1, VL_GROUP_NUMERICS, 0},
    {"vl_adamw_update", "step.c", 4, VL_GROUP_NUMERICS, 2},
    {"vl_training_step", "step.c", 3, VL_GROUP_NUMERICS, 5},

    {"vl_parameter_count", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_flops_per_token", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_mfu", "budget.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_predict_training", "predict.c", 9, VL_GROUP_PREDICTION, 0},

    {"ten_steps", NULL, 4, VL_GROUP_NUMERICS, 0},
};

static const char *const data_parallel_files[] = {"worked.c", "replicas.c", "buckets.c",
                                                  "step.c",   "predict.c",  NULL};

static const struct vl_lab_function data_parallel_functions[] = {
    {"vl_replica_rows", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_replica_sum", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_chunked_norm", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_replica_equalise", "replicas.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_replica_reduce", "replicas.c", 8, VL_GROUP_NUMERICS, 8},

    {"vl_buckets_begin", "buckets.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_buckets_ready", "buckets.c", 10, VL_GROUP_NUMERICS, 0},
    {"vl_buckets_poll", "buckets.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_buckets_finish", "buckets.c", 4, VL_GROUP_NUMERICS, 0},

    {"vl_replica_step", "step.c", 12, VL_GROUP_NUMERICS, 17},
    {"replicas_train", NULL, 4, VL_GROUP_NUMERICS, 0},

    {"reduce_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"accumulation_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"overlap", NULL, 6, VL_GROUP_COMMUNICATION, 0},
    {"bucket_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},

    {"vl_predict_data_parallel", "predict.c", 8, VL_GROUP_PREDICTION, 0},
};

static const char *const collectives_files[] = {"worked.c", "exchange.c", "transfer.c",
                                                "tree.c",   "pairs.c",    "levels.c",
                                                "cost.c",   "predict.c",  NULL};

static const struct vl_lab_function collectives_functions[] = {
    {"vl_chunk", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_reduce_scatter", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_all_gather", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_all_reduce", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_exchange", "exchange.c", 5, VL_GROUP_NUMERICS, 0},

    {"vl_send_start", "transfer.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_receive_start", "transfer.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_transfer_finish", "transfer.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_reduce_scatter_start", "transfer.c", 9, VL_GROUP_NUMERICS, 5},
    {"vl_all_gather_start", "transfer.c", 8, VL_GROUP_NUMERICS, 5},
    {"vl_all_reduce_start", "transfer.c", 8, VL_GROUP_NUMERICS, 8},
    {"vl_transfer_poll", "transfer.c", 3, VL_GROUP_NUMERICS, 0},

    {"vl_broadcast", "tree.c", 7, VL_GROUP_NUMERICS, 4},
    {"vl_all_to_all", "pairs.c", 6, VL_GROUP_NUMERICS, 3},
    {"vl_levels_create", "levels.c", 1, VL_GROUP_NUMERICS, 0},
    {"vl_levels_free", "levels.c", 1, VL_GROUP_NUMERICS, 0},
    {"vl_all_reduce_two_level", "levels.c", 2, VL_GROUP_NUMERICS, 0},

    {"broadcast_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"reduce_scatter_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"all_gather_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"all_reduce_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},
    {"all_to_all_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},
    {"two_level_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},

    {"vl_broadcast_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_reduce_scatter_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_all_gather_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_all_reduce_seconds", "cost.c", 1, VL_GROUP_PREDICTION, 0},
    {"vl_two_level_seconds", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_predict_collectives", "predict.c", 4, VL_GROUP_PREDICTION, 0},
};

static const char *const zero_files[] = {"worked.c",    "plan.c",       "update.c",
                                         "gradients.c", "parameters.c", "step.c",
                                         "cost.c",      "predict.c",    NULL};

static const struct vl_lab_function zero_functions[] = {
    {"vl_shard_piece", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_zero_plan", "plan.c", 8, VL_GROUP_MEMORY, 0},

    {"vl_zero_norm", "update.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_zero_update", "update.c", 12, VL_GROUP_NUMERICS, 5},

    {"vl_zero_gradients", "gradients.c", 5, VL_GROUP_NUMERICS, 0},
    {"vl_zero_ready", "gradients.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_zero_poll", "gradients.c", 2, VL_GROUP_NUMERICS, 0},
    {"vl_zero_finish", "gradients.c", 3, VL_GROUP_NUMERICS, 0},

    {"vl_zero_borrow", "parameters.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_zero_give_back", "parameters.c", 2, VL_GROUP_NUMERICS, 0},

    {"vl_zero_step", "step.c", 6, VL_GROUP_NUMERICS, 15},
    {"zero_traffic", NULL, 10, VL_GROUP_COMMUNICATION, 0},

    {"vl_zero_state_bytes", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_zero_sent_elements", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_predict_zero", "predict.c", 8, VL_GROUP_PREDICTION, 0},
};

static const char *const recompute_files[] = {"worked.c", "slots.c", "budget.c", "predict.c", NULL};

static const struct vl_lab_function recompute_functions[] = {
    {"vl_activation_rule_bytes", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_recompute_slots", "slots.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_recompute_slot", "slots.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_recompute_restore", "slots.c", 14, VL_GROUP_NUMERICS, 0},

    {"vl_activation_count", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_recompute_bytes", "budget.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_recompute_flops", "budget.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_recompute_choose", "budget.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_predict_recompute", "predict.c", 6, VL_GROUP_PREDICTION, 0},

    {"peak_bytes", NULL, 12, VL_GROUP_MEMORY, 0},
    {"same_bits", NULL, 10, VL_GROUP_NUMERICS, 0},
    /* Whole steps of the engine: what is done twice shows in their time. */
    {"full_step", NULL, 0, VL_GROUP_THROUGHPUT, 9},
    {"selective_step", NULL, 0, VL_GROUP_THROUGHPUT, 9},
};

static const char *const tensor_parallel_files[] = {
    "worked.c", "operators.c", "vocabulary.c", "cross_entropy.c", "cost.c", "predict.c", NULL};

static const struct vl_lab_function tensor_parallel_functions[] = {
    {"vl_tensor_part", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_leave_forward", "operators.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_enter_forward", "operators.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_enter_backward", "operators.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_leave_backward", "operators.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_tensor_gain_backward", "operators.c", 4, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_embedding_forward", "vocabulary.c", 6, VL_GROUP_NUMERICS, 4},
    {"vl_tensor_embedding_backward", "vocabulary.c", 6, VL_GROUP_NUMERICS, 0},

    {"vl_tensor_cross_entropy_forward", "cross_entropy.c", 10, VL_GROUP_NUMERICS, 7},
    {"vl_tensor_cross_entropy_backward", "cross_entropy.c", 5, VL_GROUP_NUMERICS, 0},

    {"whole_model", NULL, 4, VL_GROUP_NUMERICS, 8},
    /* Through all layers: enter and leave, forward and backward. */
    {"layer_passes", NULL, 0, VL_GROUP_THROUGHPUT, 6},

    {"layer_traffic", NULL, 5, VL_GROUP_COMMUNICATION, 0},
    {"embedding_traffic", NULL, 3, VL_GROUP_COMMUNICATION, 0},
    {"cross_entropy_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"model_traffic", NULL, 2, VL_GROUP_COMMUNICATION, 0},

    {"vl_tensor_all_reduces", "cost.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_tensor_sent_bytes", "cost.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_predict_tensor_parallel", "predict.c", 6, VL_GROUP_PREDICTION, 0},
};

static const char *const pipeline_parallel_files[] = {"worked.c",  "one_f_one_b.c", "interleaved.c",
                                                      "actions.c", "run.c",         "bubble.c",
                                                      "predict.c", "zero_bubble.c", NULL};

static const struct vl_lab_function pipeline_parallel_functions[] = {
    {"vl_schedule_afab", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_schedule_tag", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_schedule_1f1b", "one_f_one_b.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_schedule_interleaved", "interleaved.c", 10, VL_GROUP_NUMERICS, 0},
    /* Of both, run on paper. */
    {"bubble", NULL, 6, VL_GROUP_NUMERICS, 0},
    {"live_chunks", NULL, 6, VL_GROUP_MEMORY, 0},

    {"vl_schedule_actions", "actions.c", 16, VL_GROUP_COMMUNICATION, 0},
    {"vl_stage_run", "run.c", 18, VL_GROUP_NUMERICS, 0},
    {"stage_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"whole_pipeline", NULL, 8, VL_GROUP_NUMERICS, 0},

    {"vl_bubble_of_ideal", "bubble.c", 6, VL_GROUP_PREDICTION, 0},
    {"vl_live_afab", "bubble.c", 2, VL_GROUP_PREDICTION, 0},
    {"vl_live_1f1b", "bubble.c", 5, VL_GROUP_PREDICTION, 0},
    {"vl_live_interleaved", "bubble.c", 5, VL_GROUP_PREDICTION, 0},
    {"vl_predict_pipeline", "predict.c", 6, VL_GROUP_PREDICTION, 0},

    {"vl_schedule_zb_h1", "zero_bubble.c", 0, VL_GROUP_BONUS, 0},
};

static const char *const expert_parallel_files[] = {
    "worked.c", "router.c", "plan.c", "travel.c", "experts.c", "cost.c", "predict.c", NULL};

static const struct vl_lab_function expert_parallel_functions[] = {
    {"vl_experts_forward", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_router_forward", "router.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_router_backward", "router.c", 6, VL_GROUP_NUMERICS, 0},

    {"vl_dispatch_plan", "plan.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_dispatch_forward", "travel.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_dispatch_backward", "travel.c", 4, VL_GROUP_NUMERICS, 0},
    {"vl_combine_forward", "travel.c", 5, VL_GROUP_NUMERICS, 0},
    {"vl_combine_backward", "travel.c", 5, VL_GROUP_NUMERICS, 0},

    {"vl_experts_backward_input", "experts.c", 3, VL_GROUP_NUMERICS, 0},
    {"vl_experts_backward_weight", "experts.c", 3, VL_GROUP_NUMERICS, 0},

    /* Router, dispatch, experts, combine; forward and backward. */
    {"expert_layer", NULL, 4, VL_GROUP_NUMERICS, 15},
    /* What travels alone, without the experts. */
    {"there_and_back", NULL, 0, VL_GROUP_THROUGHPUT, 10},

    {"plan_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"dispatch_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},
    {"combine_traffic", NULL, 4, VL_GROUP_COMMUNICATION, 0},

    {"vl_expert_sent_bytes", "cost.c", 4, VL_GROUP_PREDICTION, 0},
    {"vl_predict_expert_parallel", "predict.c", 9, VL_GROUP_PREDICTION, 0},
};

static const char *const expert_balancing_files[] = {"worked.c", "bias.c", "loss.c", "predict.c",
                                                     NULL};

static const struct vl_lab_function expert_balancing_functions[] = {
    {"vl_load_add", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_load_max_violation", "worked.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_balance_bias_update", "bias.c", 10, VL_GROUP_NUMERICS, 0},
    {"vl_load_reduce", "bias.c", 8, VL_GROUP_NUMERICS, 0},

    {"vl_balance_shares_add", "loss.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_balance_loss", "loss.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_balance_loss_backward", "loss.c", 14, VL_GROUP_NUMERICS, 0},
    {"vl_balance_interference", "loss.c", 6, VL_GROUP_NUMERICS, 0},

    {"load_traffic", NULL, 8, VL_GROUP_COMMUNICATION, 0},
    /* A small router is run for many global batches; what counts is how even its load gets. */
    {"balance_by_bias", NULL, 14, VL_GROUP_NUMERICS, 0},
    {"balance_by_loss", NULL, 10, VL_GROUP_NUMERICS, 0},

    {"vl_predict_expert_balancing", "predict.c", 16, VL_GROUP_PREDICTION, 0},
};

static const char *const bandwidth_files[] = {"worked.c", "compute.c",   "memory.c",  "roads.c",
                                              "step.c",   "crossover.c", "predict.c", "compose.c",
                                              "search.c", NULL};

static const struct vl_lab_function bandwidth_functions[] = {
    {"vl_division_check", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_planned_parameters", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_planned_chip", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_group_of", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_group_exchange_seconds", "worked.c", 0, VL_GROUP_NUMERICS, 0},
    {"vl_rule_tokens", "search.c", 0, VL_GROUP_NUMERICS, 0},

    {"vl_planned_flops", "compute.c", 8, VL_GROUP_NUMERICS, 0},
    {"vl_planned_arithmetic", "compute.c", 6, VL_GROUP_NUMERICS, 0},
    {"vl_planned_state_bytes", "memory.c", 9, VL_GROUP_MEMORY, 0},
    {"vl_planned_kept_bytes", "memory.c", 12, VL_GROUP_MEMORY, 0},
    {"vl_group_gather_seconds", "roads.c", 10, VL_GROUP_NUMERICS, 0},
    {"vl_planned_traffic", "roads.c", 12, VL_GROUP_COMMUNICATION, 0},
    {"vl_planned_step", "step.c", 13, VL_GROUP_NUMERICS, 0},
    {"vl_crossover", "crossover.c", 10, VL_GROUP_NUMERICS, 0},

    /* All of it put together: one division, and the best of all. */
    {"whole_plan", NULL, 5, VL_GROUP_PREDICTION, 0},
    {"best_plan", NULL, 5, VL_GROUP_PREDICTION, 0},

    {"vl_predict_plan", "predict.c", 10, VL_GROUP_PREDICTION, 0},
};

const struct vl_lab vl_labs[] = {
    {1, "training_step", "01_training_step", N_("The training step"),
     N_("Write the arithmetic of one transformer training step, forward and backward, on one "
        "device."),
     1, training_step_files, training_step_functions, COUNT(training_step_functions)},
    {2, "collectives", "02_collectives", N_("Collectives"),
     N_("Build the roads: broadcast, all-reduce and all-to-all from point-to-point messages."), 1,
     collectives_files, collectives_functions, COUNT(collectives_functions)},
    {3, "data_parallel", "03_data_parallel", N_("Data parallelism"),
     N_("Train one model on many shares of the data, and average the gradients in time."), 1,
     data_parallel_files, data_parallel_functions, COUNT(data_parallel_functions)},
    {4, "zero", "04_zero", N_("ZeRO"),
     N_("Share out optimizer state, gradients and parameters so that no rank holds all of "
        "them."),
     1, zero_files, zero_functions, COUNT(zero_functions)},
    {5, "recompute", "05_recompute", N_("Recomputation"),
     N_("Forget activations in forward and compute them again in backward, to fit in "
        "memory."),
     1, recompute_files, recompute_functions, COUNT(recompute_functions)},
    {6, "tensor_parallel", "06_tensor_parallel", N_("Tensor parallelism"),
     N_("Split every matrix over ranks, and learn why they should sit close together."), 1,
     tensor_parallel_files, tensor_parallel_functions, COUNT(tensor_parallel_functions)},
    {7, "pipeline_parallel", "07_pipeline_parallel", N_("Pipeline parallelism"),
     N_("Cut the model into stages, write the schedule, and measure the bubble."), 1,
     pipeline_parallel_files, pipeline_parallel_functions, COUNT(pipeline_parallel_functions)},
    {8, "expert_parallel", "08_expert_parallel", N_("Expert parallelism"),
     N_("Route every token to a few experts that live on other ranks."), 1, expert_parallel_files,
     expert_parallel_functions, COUNT(expert_parallel_functions)},
    {9, "expert_balancing", "09_expert_balancing", N_("Expert balancing"),
     N_("Keep the experts equally busy, with a loss or with a bias, and compare."), 1,
     expert_balancing_files, expert_balancing_functions, COUNT(expert_balancing_functions)},
    {10, "bandwidth", "10_bandwidth", N_("Bandwidth"),
     N_("Work out which layout a machine's links allow, and when a pipeline is needed."), 0,
     bandwidth_files, bandwidth_functions, COUNT(bandwidth_functions)},
};

const size_t vl_lab_count = COUNT(vl_labs);

const struct vl_lab *vl_lab_find(const char *name)
{
    if (!name)
        return NULL;
    int number = 0;
    size_t digits = 0;
    while (isdigit((unsigned char)name[digits]) && digits < 3)
        number = 10 * number + (name[digits++] - '0');
    int all_digits = digits > 0 && name[digits] == '\0';
    for (size_t i = 0; i < vl_lab_count; i++) {
        const struct vl_lab *lab = &vl_labs[i];
        if ((all_digits && number == lab->number) || strcmp(name, lab->slug) == 0 ||
            strcmp(name, lab->folder) == 0)
            return lab;
    }
    return NULL;
}
