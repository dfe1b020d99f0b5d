#include "train/log/describe.h"

#include "engine/model/layout.h"
#include "train/log/log.h"
#include "train/options/options_experts.h"
#include "train/run/schedule.h"

#include "version.h"

static json_t *describe_shape(const struct vl_shape *shape)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "layers", (json_int_t)shape->layers, "width",
                     (json_int_t)shape->width, "heads", (json_int_t)shape->heads, "ff",
                     (json_int_t)shape->ff, "vocabulary", (json_int_t)shape->vocabulary, "sequence",
                     (json_int_t)shape->sequence);
}

static json_t *describe_optimizer(const struct vl_training_state *s)
{
    return json_pack("{s:s, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "name", "adamw",
                     "peak_learning_rate", s->peak_rate, "warmup", (json_int_t)s->warmup,
                     "learning_rate_floor", s->peak_rate * VL_SCHEDULE_FLOOR, "beta1",
                     (double)s->adamw.beta1, "beta2", (double)s->adamw.beta2, "eps",
                     (double)s->adamw.eps, "weight_decay", (double)s->adamw.weight_decay,
                     "max_norm", s->max_norm);
}

/* One object per rank. */
static json_t *describe_memory(const struct vl_mesh *mesh, const struct vl_replicated *part)
{
    enum { KINDS = 6 };
    static const char *const names[KINDS] = {"weights", "gradients",   "moments",
                                             "lent",    "activations", "kept"};
    const struct vl_held_bytes *held = &part->held;
    uint64_t mine[KINDS] = {held->weights, held->gradients,   held->moments,
                            held->lent,    held->activations, held->kept};
    static uint64_t all[VL_MOST_RANKS][KINDS];
    for (size_t kind = 0; kind < KINDS; kind++)
        all[0][kind] = mine[kind];
    if (mesh->world != MPI_COMM_NULL)
        PMPI_Gather(mine, KINDS, MPI_UINT64_T, all, KINDS, MPI_UINT64_T, 0, mesh->world);
    json_t *ranks = json_array();
    for (int rank = 0; rank < mesh->ranks; rank++) {
        json_t *one = json_object();
        for (size_t kind = 0; kind < KINDS; kind++)
            json_object_set_new(one, names[kind], json_integer((json_int_t)all[rank][kind]));
        json_array_append_new(ranks, one);
    }
    return ranks;
}

/* The coordinates of each rank. */
static json_t *describe_mesh(const struct vl_mesh *mesh)
{
    json_t *ranks = json_array();
    for (int rank = 0; rank < mesh->ranks; rank++) {
        struct vl_mesh other;
        vl_mesh_look(&other, mesh, rank);
        json_array_append_new(ranks, json_pack("{s:i, s:i, s:i}", "replica", other.replica, "stage",
                                               other.stage, "place", other.place));
    }
    return ranks;
}

/* Layers of the virtual stages, in order. */
static json_t *describe_stages(const struct vl_options *o, const struct vl_stages *stages)
{
    json_t *layers = json_array();
    if (stages->borders == NULL)
        json_array_append_new(layers, json_integer((json_int_t)o->shape.layers));
    for (size_t k = 0; stages->borders != NULL && k < o->stages * o->chunks; k++)
        json_array_append_new(
            layers, json_integer((json_int_t)(stages->borders[k + 1] - stages->borders[k])));
    return layers;
}

static json_t *describe_layout(const struct vl_options *o, const struct vl_mesh *mesh,
                               const struct vl_stages *stages)
{
    return json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:I, s:b, s:I, s:I, s:o, s:I, s:o, s:o}", "ranks", mesh->ranks,
        "dp", mesh->dp / mesh->ep, "tp", mesh->tp, "pp", mesh->pp, "ep", mesh->ep, "zero",
        (json_int_t)o->zero, "sequence_parallel", o->sequence_parallel, "accumulate",
        (json_int_t)o->accumulate, "micro_batches", (json_int_t)o->accumulate, "schedule",
        vl_log_text(o->schedule != NULL ? o->schedule : "none"), "chunks", (json_int_t)o->chunks,
        "stage_layers", describe_stages(o, stages), "mesh", describe_mesh(mesh));
}

static json_t *describe_work(const struct vl_options *o, const struct vl_training_state *s)
{
    return json_pack("{s:I, s:b, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:o}", "bucket_bytes",
                     (json_int_t)o->bucket_bytes, "overlap", !o->flat, "node_replicas",
                     (json_int_t)o->node_replicas, "recompute", o->recompute, "seed",
                     (json_int_t)s->seed, "batch", (json_int_t)s->batch, "steps",
                     (json_int_t)o->steps, "horizon", (json_int_t)s->horizon, "resumed_from",
                     (json_int_t)s->step, "data",
                     vl_log_text(o->data != NULL ? o->data : "course"));
}

static json_t *describe_experts(const struct vl_options *o)
{
    int any = o->experts.experts > 0;
    const struct vl_auxiliary auxiliary = vl_options_auxiliary(o);
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:s, s:f, s:f, s:s}", "experts", (json_int_t)o->experts.experts,
        "top_k", (json_int_t)(any ? o->experts.chosen : 0), "expert_groups",
        (json_int_t)o->experts.groups, "group_limit", (json_int_t)o->experts.limit, "balance",
        any ? o->balance : "none", "bias_speed", (double)vl_options_bias_speed(o), "aux_alpha",
        (double)auxiliary.alpha, "aux_scope", auxiliary.alpha > 0.0f ? o->aux_scope : "none");
}

/* What MFU is counted against, and how it was measured. */
static json_t *describe_peak(const struct vl_peak *peak)
{
    return json_pack("{s:f, s:{s:f, s:s, s:i}}", "flops_per_token", peak->flops_per_token, "peak",
                     "flops_per_second", peak->flops_per_second, "measured", "sgemm", "size",
                     VL_PEAK_PRODUCT);
}

/* Takes over 'more'. Zero if there is no memory. */
static int add(json_t *run, json_t *more)
{
    int added = run != NULL && more != NULL && json_object_update(run, more) == 0;
    json_decref(more);
    return added;
}

json_t *vl_describe_run(const struct vl_options *options, const struct vl_training_state *state,
                        const struct vl_mesh *mesh, const struct vl_stages *stages,
                        const struct vl_replicated *part, const struct vl_peak *peak)
{
    const struct vl_held_bytes *held = &part->held;
    json_t *memory = describe_memory(mesh, part); /* collective, so before anything can fail */
    json_t *run = json_pack("{s:s, s:s}", "version", VL_VERSION, "commit", VL_COMMIT);
    size_t state_bytes = held->weights + held->gradients + held->moments;
    json_t *more =
        json_pack("{s:I, s:I, s:o, s:o, s:o}", "parameters",
                  (json_int_t)vl_layout_parameters(&options->shape, &options->experts),
                  "state_bytes", (json_int_t)state_bytes, "memory", memory, "shape",
                  describe_shape(&options->shape), "optimizer", describe_optimizer(state));
    int whole = add(run, describe_layout(options, mesh, stages));
    whole = add(run, describe_work(options, state)) && whole;
    whole = add(run, describe_experts(options)) && whole;
    whole = add(run, more) && whole;
    whole = add(run, describe_peak(peak)) && whole;
    if (options->labs_from != NULL)
        whole =
            json_object_set_new(run, "with", json_loads(options->labs_from, 0, NULL)) == 0 && whole;
    if (!whole) {
        json_decref(run);
        return NULL;
    }
    return json_pack("{s:o}", "run", run);
}
