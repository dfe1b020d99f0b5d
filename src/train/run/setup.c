#include "train/run/setup.h"

#include "base/number.h"
#include "base/text.h"
#include "vialata/zero.h"

#include <unistd.h>

enum vl_status vl_setup_refuse(struct vl_problem *problem, const char *path, const char *detail)
{
    vl_problem_set(problem, VL_EFORMAT, "checkpoint_damaged",
                   _("%s is not a checkpoint of vialata, or it is damaged or cut short: give a "
                     "file that `vialata train --save` wrote."),
                   path);
    problem->detail = detail;
    return VL_EFORMAT;
}

enum vl_status vl_setup_checkpoint(struct vl_checkpoint **checkpoint, const char *path,
                                   struct vl_problem *problem)
{
    const char *reason;
    enum vl_status status = vl_checkpoint_open(checkpoint, path, &reason);
    if (status == VL_EFORMAT)
        return vl_setup_refuse(problem, path, reason);
    if (status == VL_EIO)
        return vl_problem_reading(problem, path);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

/* Parameters outside the routed experts, without the gains; each of the 'tensor' ranks has a whole
 * router. In double, since nothing has checked the sizes yet. */
static double dense_parameters(const struct vl_shape *shape, const struct vl_expert_shape *experts,
                               size_t tensor)
{
    double width = (double)shape->width, ff = (double)shape->ff;
    double routers = (double)tensor * (double)experts->experts * width;
    return 2 * (double)shape->vocabulary * width +
           (double)shape->layers * (4 * width * width + 3 * ff * width + routers);
}

static double expert_parameters(const struct vl_shape *shape, const struct vl_expert_shape *experts)
{
    return (double)shape->layers * (double)experts->experts * 3 * (double)shape->ff *
           (double)shape->width;
}

/* Bytes that one layer keeps of 'rows' sequences, over all ranks of a tensor group, by the kinds of
 * vialata/recompute.h. Four arrays of the model's width lie outside the shared matrices and are
 * whole on every rank: the input and three of the rest. For each expert it has chosen, a token has
 * two rows of that width and three of the expert's; its choices are whole on every rank too. */
struct kept {
    double input, probs, rest;
};

static struct kept layer_keeps(const struct vl_shape *shape, const struct vl_expert_shape *experts,
                               size_t rows, size_t tensor)
{
    double width = (double)shape->width, ff = (double)shape->ff, ranks = (double)tensor;
    double routed =
        (double)experts->chosen * (2 * ranks * width + 3 * ff) + ranks * (double)experts->experts;
    double bytes = 4 * (double)rows * (double)shape->sequence;
    return (struct kept){.input = bytes * ranks * width,
                         .probs = bytes * (double)shape->heads * (double)shape->sequence,
                         .rest = bytes * ((3 * ranks + 4) * width + 3 * ff + routed)};
}

/* What is forgotten has one slot on each stage. But a stage of a pipeline restores the rest of all
 * its layers, since their weight parts come later. */
static double activation_bytes(const struct vl_shape *shape, const struct vl_expert_shape *experts,
                               const struct vl_setup_load *load)
{
    struct kept keeps = layer_keeps(shape, experts, load->rows, load->tensor);
    double layers = (double)shape->layers, all = load->live * layers, once = (double)load->stages;
    double probs = load->recompute == VL_RECOMPUTE_NONE ? all : once;
    double rests = load->recompute != VL_RECOMPUTE_FULL ? all : load->stages > 1 ? layers : once;
    return all * keeps.input + probs * keeps.probs + rests * keeps.rest;
}

static double logits_bytes(const struct vl_shape *shape, size_t rows)
{
    return 4 * (double)rows * (double)shape->sequence * (double)shape->vocabulary;
}

/* Linux promises memory that it does not have, and would kill the run later without a message. */
static enum vl_status refuse_beyond(double needed, struct vl_problem *problem)
{
    double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    char need[VL_NUMBER_TEXT], have[VL_NUMBER_TEXT];
    if (needed <= there)
        return VL_OK;
    return vl_problem_set(problem, VL_ENOMEM, "no_memory",
                          _("This model needs about %1$s of memory and the machine has %2$s: "
                            "choose a smaller model, sequence or batch."),
                          needed < 1e18 ? vl_number_bytes(need, (uint64_t)needed) : "> 1 EiB",
                          vl_number_bytes(have, (uint64_t)there));
}

enum vl_status vl_setup_check_memory(const struct vl_shape *shape,
                                     const struct vl_expert_shape *experts,
                                     const struct vl_setup_load *load, struct vl_problem *problem)
{
    double dense = 0, routed = 0, replicas = (double)load->replicas,
           ep = (double)load->expert_ranks;
    enum vl_status status = vl_zero_state_bytes(
        &dense, load->zero, dense_parameters(shape, experts, load->tensor), (int)load->replicas);
    if (status == VL_OK)
        status = vl_zero_state_bytes(&routed, load->zero, expert_parameters(shape, experts) / ep,
                                     (int)(load->replicas / load->expert_ranks));
    if (status != VL_OK)
        return vl_problem_status(problem, status);
    double activations = activation_bytes(shape, experts, load);
    double everywhere = replicas * (dense + routed + activations + logits_bytes(shape, load->rows));
    return refuse_beyond((1 - load->elsewhere) * everywhere, problem);
}

enum vl_status vl_setup_model(struct vl_model **model, const struct vl_checkpoint *checkpoint,
                              size_t rows, struct vl_problem *problem)
{
    const struct vl_shape *shape = vl_checkpoint_shape(checkpoint);
    const struct vl_expert_shape *experts = vl_checkpoint_experts(checkpoint);
    const struct vl_model_plan plan = {
        .shape = *shape, .rows = rows, .kind = VL_MODEL_READS, .experts = *experts};
    double parameters = dense_parameters(shape, experts, 1) + expert_parameters(shape, experts);
    struct kept one = layer_keeps(shape, experts, rows, 1);
    enum vl_status status = refuse_beyond(
        4 * parameters + one.input + one.probs + one.rest + logits_bytes(shape, rows), problem);
    if (status != VL_OK)
        return status;
    status = vl_model_create_part(model, &plan);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

enum vl_status vl_setup_weights(const struct vl_checkpoint *checkpoint, const char *path,
                                struct vl_model *model, struct vl_problem *problem)
{
    enum vl_status status = vl_checkpoint_load(checkpoint, model);
    return status == VL_OK ? VL_OK
                           : vl_setup_refuse(problem, path, "a tensor is missing or misshapen");
}
