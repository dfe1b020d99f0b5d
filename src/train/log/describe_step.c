#include "train/log/describe.h"

#include "comm/meter.h"
#include "vialata/budget.h"

#include <math.h>

/* Bytes that each rank sent in this step. PMPI_Gather is not metered itself. */
static json_t *sent_bytes(const struct vl_mesh *mesh)
{
    uint64_t mine = vl_meter_now()->total.sent_bytes, all[VL_MOST_RANKS] = {mine};
    if (mesh->world != MPI_COMM_NULL)
        PMPI_Gather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, mesh->world);
    json_t *list = json_array();
    for (int rank = 0; rank < mesh->ranks; rank++)
        json_array_append_new(list, json_integer((json_int_t)all[rank]));
    return list;
}

static void add_sent_bytes(json_t *line, const struct vl_mesh *mesh)
{
    json_t *list = sent_bytes(mesh), *one;
    json_int_t sum = 0;
    size_t i;
    json_array_foreach(list, i, one) sum += json_integer_value(one);
    json_object_set_new(line, "sent_bytes", json_integer(sum));
    json_object_set_new(line, "sent_bytes_by_rank", list);
}

/* The ratio to a zero gradient is NaN, which JSON does not have. */
static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void add_balance(json_t *line, const struct vl_replicated *part)
{
    const struct vl_balance_result *b = &part->balance;
    json_object_set_new(line, "max_violation", json_real(b->violation));
    if (part->how.auxiliary.alpha > 0.0f)
        json_object_set_new(line, "balance_loss", json_real(b->loss));
    if (part->how.auxiliary.interference)
        json_object_set_new(line, "interference",
                            json_pack("{s:o, s:o}", "size", number_or_null(b->size), "cosine",
                                      number_or_null(b->cosine)));
}

json_t *vl_describe_step(const struct vl_options *options, const struct vl_training_state *state,
                         const struct vl_mesh *mesh, const struct vl_replicated *part,
                         const struct vl_peak *peak, const struct vl_step_result *result,
                         double rate, double seconds)
{
    double speed = (double)(state->batch * options->shape.sequence) / seconds, mfu;
    json_t *line = json_pack("{s:I, s:f, s:f, s:f, s:f}", "step", (json_int_t)state->step, "loss",
                             result->loss, "tokens_per_second", speed, "gradient_norm",
                             result->gradient_norm, "learning_rate", rate);
    if (vl_mfu(&mfu, speed, peak->flops_per_token, peak->flops_per_second) == VL_OK)
        json_object_set_new(line, "mfu", json_real(mfu));
    if (options->experts.experts > 0)
        add_balance(line, part);
    if (options->meter)
        add_sent_bytes(line, mesh);
    return line;
}
