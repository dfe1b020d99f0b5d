#include "train/describe.h"

#include "train/log.h"
#include "train/schedule.h"

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

/* One object a rank. */
static json_t *describe_memory(const struct vl_replicated *part)
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
    if (part->how.comm != MPI_COMM_NULL)
        PMPI_Gather(mine, KINDS, MPI_UINT64_T, all, KINDS, MPI_UINT64_T, 0, part->how.comm);
    json_t *ranks = json_array();
    for (int rank = 0; rank < part->ranks; rank++) {
        json_t *one = json_object();
        for (size_t kind = 0; kind < KINDS; kind++)
            json_object_set_new(one, names[kind], json_integer((json_int_t)all[rank][kind]));
        json_array_append_new(ranks, one);
    }
    return ranks;
}

json_t *vl_describe_run(const struct vl_options *o, const struct vl_training_state *s,
                        const struct vl_replicated *part)
{
    const struct vl_held_bytes *held = &part->held;
    json_t *run =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:b, s:s, s:s, s:I, s:I, "
                  "s:I, s:I, s:I, "
                  "s:o}",
                  "version", VL_VERSION, "commit", VL_COMMIT, "ranks", part->ranks, "dp",
                  part->ranks, "tp", 1, "pp", 1, "ep", 1, "zero", part->how.zero, "accumulate",
                  (json_int_t)o->accumulate, "bucket_bytes", (json_int_t)o->bucket_bytes, "overlap",
                  part->how.overlap, "recompute", o->recompute, "schedule", "none", "seed",
                  (json_int_t)s->seed, "batch", (json_int_t)s->batch, "steps", (json_int_t)o->steps,
                  "horizon", (json_int_t)s->horizon, "resumed_from", (json_int_t)s->step, "data",
                  vl_log_text(o->data != NULL ? o->data : "course"));
    json_t *more = json_pack("{s:I, s:I, s:o, s:o, s:o}", "parameters",
                             (json_int_t)vl_model_learner(part->model)->count, "state_bytes",
                             (json_int_t)(held->weights + held->gradients + held->moments),
                             "memory", describe_memory(part), "shape", describe_shape(&o->shape),
                             "optimizer", describe_optimizer(s));
    if (run == NULL || more == NULL || json_object_update(run, more) != 0) {
        json_decref(run);
        json_decref(more);
        return NULL;
    }
    json_decref(more);
    return json_pack("{s:o}", "run", run);
}
