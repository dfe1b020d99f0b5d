#include "engine/experts/balance_step.h"

#include "engine/check.h"
#include "vialata/expert_balance.h"

#include <math.h>
#include <stdbool.h>

/* The sum over a group of the mesh; MPI_COMM_NULL: this rank alone. */
static enum vl_status sum_over(MPI_Comm comm, double *value)
{
    return comm == MPI_COMM_NULL ? VL_OK : vl_replica_sum(comm, value);
}

bool vl_balance_waits(const struct vl_replicated *part)
{
    const struct vl_auxiliary *a = &part->how.auxiliary;
    return vl_model_balance(part->model) != NULL && a->alpha > 0.0f &&
           a->scope == VL_BALANCE_GLOBAL;
}

enum vl_status vl_balance_gather(struct vl_replicated *part)
{
    const struct vl_model_balance *b = vl_model_balance(part->model);
    const struct vl_mesh *mesh = part->how.mesh;
    if (b == NULL || part->gathered)
        return VL_OK;
    part->gathered = 1;
    if (mesh == NULL || mesh->replicas == MPI_COMM_NULL)
        return VL_OK;
    size_t n = b->layers * part->how.experts.experts;
    VL_CHECK(vl_load_reduce(mesh->replicas, b->counts, n));
    return vl_balance_waits(part) ? vl_load_reduce(mesh->replicas, b->shares, n) : VL_OK;
}

/* ---- what is reported of a batch ---- */

static enum vl_status violation(double *sum, const struct vl_replicated *part)
{
    const struct vl_model_balance *b = vl_model_balance(part->model);
    size_t e = part->how.experts.experts;
    for (size_t layer = 0; layer < b->layers; layer++) {
        double one;
        VL_CHECK(vl_load_max_violation(&one, b->counts + layer * e, e));
        *sum += one;
    }
    return VL_OK;
}

/* With global scope every replica knows the loss; with a smaller one each has a part of it. */
static enum vl_status loss(double *sum, const struct vl_replicated *part, size_t batch_tokens)
{
    const struct vl_model_balance *b = vl_model_balance(part->model);
    const struct vl_expert_shape *experts = &part->how.experts;
    const struct vl_routing routing = {batch_tokens, experts->experts, experts->chosen,
                                       experts->scale};
    size_t e = experts->experts;
    if (!vl_balance_waits(part)) {
        *sum = *b->loss;
        return part->how.mesh != NULL ? sum_over(part->how.mesh->replicas, sum) : VL_OK;
    }
    for (size_t layer = 0; layer < b->layers; layer++) {
        double one;
        VL_CHECK(vl_balance_loss(&one, b->shares + layer * e, b->counts + layer * e, batch_tokens,
                                 &routing, part->how.auxiliary.alpha));
        *sum += one;
    }
    return VL_OK;
}

/* One layer: 'against' holds the auxiliary gradient and the language model's, both measured. If one
 * were their sum minus the other, its rounding error would look like a gradient. */
static void interference(double *size, double *cosine, const float *against, size_t n)
{
    double one, angle;
    if (vl_balance_interference(&one, &angle, against, against + n, n) != VL_OK)
        one = angle = NAN;
    *size += one;
    *cosine += angle;
}

static enum vl_status measure(struct vl_balance_result *result, const struct vl_replicated *part)
{
    const struct vl_model_balance *b = vl_model_balance(part->model);
    const struct vl_mesh *mesh = part->how.mesh;
    size_t n = part->how.experts.experts * vl_model_shape(part->model)->width;
    if (b->against == NULL)
        return VL_OK;
    if (mesh != NULL && mesh->replicas != MPI_COMM_NULL)
        VL_CHECK(vl_replica_reduce(mesh->replicas, b->against, b->layers * 2 * n));
    if (mesh != NULL && mesh->tensor != MPI_COMM_NULL) /* each place has a part of the sum */
        VL_CHECK(vl_replica_reduce(mesh->tensor, b->against, b->layers * 2 * n));
    for (size_t layer = 0; layer < b->layers; layer++)
        interference(&result->size, &result->cosine, b->against + layer * 2 * n, n);
    return VL_OK;
}

static enum vl_status move_bias(const struct vl_replicated *part)
{
    const struct vl_model_balance *b = vl_model_balance(part->model);
    size_t e = part->how.experts.experts;
    for (size_t layer = 0; layer < b->layers && part->how.bias_speed > 0.0f; layer++)
        VL_CHECK(vl_balance_bias_update(b->bias + layer * e, b->counts + layer * e, e,
                                        part->how.bias_speed));
    return VL_OK;
}

enum vl_status vl_balance_follow(struct vl_replicated *part)
{
    struct vl_balance_result *result = &part->balance;
    const struct vl_mesh *mesh = part->how.mesh;
    double layers = (double)vl_model_shape(part->model)->layers;
    *result = (struct vl_balance_result){0};
    if (vl_model_balance(part->model) == NULL)
        return VL_OK;
    VL_CHECK(vl_balance_gather(part));
    VL_CHECK(violation(&result->violation, part));
    VL_CHECK(loss(&result->loss, part, vl_model_batch_tokens(part->model)));
    VL_CHECK(measure(result, part));
    VL_CHECK(move_bias(part));
    double *const sums[] = {&result->violation, &result->loss, &result->size, &result->cosine};
    for (size_t i = 0; i < sizeof sums / sizeof *sums && mesh != NULL; i++)
        VL_CHECK(sum_over(mesh->stages, sums[i]));
    result->violation /= layers;
    result->size /= layers;
    result->cosine /= layers;
    return VL_OK;
}
