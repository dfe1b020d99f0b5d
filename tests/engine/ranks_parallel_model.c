/*
 * One model on every mesh that its ranks allow, compared with the same model on one device: losses,
 * norms and weights over three steps. Started by check_parallel_model.py.
 *
 * All named schedules and an unusual one, uneven stages, all modes of recomputation, all stages of
 * sharding, dense and with experts. If only the pipeline is parallel, the bits are equal.
 */
#include "engine/mesh/replicated.h"
#include "engine/mesh/whole_state.h"
#include "engine/model/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { L = 6, ROWS = 8, MICRO = 4, STEPS = 3, T = 8, V = 32, CHUNKS = 2, WIDTH = 32 };
enum { MOST_EXPERTS = 4 };

static const struct vl_shape shape = {
    .layers = L, .width = WIDTH, .heads = 4, .ff = 40, .vocabulary = V, .sequence = T};
/* A large eps keeps the update smooth where a gradient is nearly zero, so that gradients are
 * compared and not their signs. */
static const struct vl_adamw adamw = {1e-2f, 0.9f, 0.95f, 1e-1f, 0.1f};
/* The scale is so large that the routers' part of the norm shows. */
static const struct vl_expert_shape dense = {0},
                                    routed = {.experts = MOST_EXPERTS, .chosen = 2, .scale = 16};
/* So large that the second batch is routed differently from the first. */
static const float bias_speed = 0.05f;
static int32_t tokens[ROWS * T], targets[ROWS * T];
static int failures, tried, rank;
static char file[64]; /* for a checkpoint */

static void require(int holds, const char *what, const char *where)
{
    if (!holds && ++failures < 10)
        fprintf(stderr, "rank %d: %s: %s\n", rank, where, what);
}

/* ---- one device ---- */

struct record {
    double loss[STEPS], norm[STEPS], violation[STEPS];
    /* of one device */
    float *arrays[VL_STATE_KINDS], *bias;
};

static void learn(struct record *record, struct vl_replicated *part, size_t first, size_t rows,
                  size_t micro_batches, const char *where)
{
    const struct vl_model_batch batch = {tokens + first * T, targets + first * T, rows,
                                         micro_batches, ROWS};
    require(vl_model_set_part(part->model, &batch) == VL_OK, "the batch is not taken", where);
    for (uint64_t step = 1; step <= STEPS; step++) {
        struct vl_step_result result = {NAN, NAN};
        require(vl_replicated_step(part, micro_batches, &adamw, 1.0f, step, &result) == VL_OK,
                "the step fails", where);
        record->loss[step - 1] = result.loss;
        record->norm[step - 1] = result.gradient_norm;
        record->violation[step - 1] = part->balance.violation;
    }
}

static float *copy_of(const float *values, size_t n)
{
    float *copy = malloc(n * sizeof *copy);
    if (copy == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return memcpy(copy, values, n * sizeof *copy);
}

static void learn_alone(struct record *record, const struct vl_expert_shape *experts,
                        size_t micro_batches)
{
    const struct vl_sharing how = {
        .recompute = VL_RECOMPUTE_NONE, .experts = *experts, .bias_speed = bias_speed};
    struct vl_replicated part;
    size_t n = vl_layout_parameters(&shape, experts);
    if (vl_replicated_create(&part, &shape, ROWS, &how) != VL_OK ||
        vl_replicated_initialise(&part, 1) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    learn(record, &part, 0, ROWS, micro_batches, "alone");
    const struct vl_learner *learner = vl_model_learner(part.model);
    const struct vl_model_balance *balance = vl_model_balance(part.model);
    record->arrays[VL_STATE_WEIGHTS] = copy_of(learner->weights, n);
    record->arrays[VL_STATE_M] = copy_of(learner->m, n);
    record->arrays[VL_STATE_V] = copy_of(learner->v, n);
    record->bias = balance != NULL ? copy_of(balance->bias, L * experts->experts) : NULL;
    vl_replicated_free(&part);
}

static void free_record(struct record *record)
{
    for (int kind = 0; kind < VL_STATE_KINDS; kind++)
        free(record->arrays[kind]);
    free(record->bias);
}

/* ---- schedules ---- */

enum kind { AFAB, ONE_F_ONE_B, ZB_H1, INTERLEAVED, OWN, KINDS };
static const char *const kind_names[KINDS] = {"afab", "1f1b", "zb-h1", "interleaved", "own"};

/* An unusual order: forwards in reverse, then all input parts, then all weight parts. */
static enum vl_status own_schedule(struct vl_schedule *s)
{
    size_t m = s->micro_batches;
    for (size_t stage = 0; stage < s->stages; stage++)
        for (uint32_t i = 0; i < m; i++) {
            struct vl_task *row = s->tasks + stage * 3 * m + i;
            row[0] = (struct vl_task){VL_TASK_FORWARD, 0, (uint32_t)m - 1 - i};
            row[m] = (struct vl_task){VL_TASK_BACKWARD, 0, i};
            row[2 * m] = (struct vl_task){VL_TASK_WEIGHT, 0, i};
        }
    return VL_OK;
}

static enum vl_status make(struct vl_schedule *schedule, enum kind kind)
{
    static enum vl_status (*const made[KINDS])(struct vl_schedule *) = {
        vl_schedule_afab, vl_schedule_1f1b, vl_schedule_zb_h1, vl_schedule_interleaved,
        own_schedule};
    schedule->chunks = kind == INTERLEAVED ? CHUNKS : 1;
    schedule->micro_batches = MICRO;
    schedule->tasks =
        calloc(schedule->stages * 3 * schedule->chunks * MICRO, sizeof(struct vl_task));
    return schedule->tasks != NULL ? made[kind](schedule) : VL_ENOMEM;
}

/* The first stage has as many layers as it can, the others one each; or evenly. */
static void borders_of(size_t *borders, size_t stages, int uneven)
{
    for (size_t k = 0; k <= stages; k++)
        borders[k] = k == 0 ? 0 : uneven ? L - stages + k : k * L / stages;
}

/* ---- a mesh ---- */

struct setup {
    const struct vl_mesh *mesh;
    enum kind kind;
    struct vl_sharing how;
    char name[160];
};

/* m and v are as close as gradients are: from ZeRO stage 2 on each micro-batch is reduced
 * separately, so their sums differ even where weights have the same bits. */
static const double far_off[VL_STATE_KINDS] = {1e-6, 1e-5, 1e-5};
static const char *const kind_words[VL_STATE_KINDS] = {"weights are far off", "m is far off",
                                                       "v is far off"};

static double distance(const float *x, const float *truth, size_t n)
{
    double squares = 0.0, all = 0.0;
    for (size_t i = 0; i < n; i++) {
        squares += ((double)x[i] - (double)truth[i]) * ((double)x[i] - (double)truth[i]);
        all += (double)truth[i] * (double)truth[i];
    }
    return sqrt(squares / all);
}

/* Are all weights together those of one device? (Also a test of gathering them.) */
static void compare_weights(const struct setup *setup, struct vl_replicated *part,
                            const struct record *alone, int exact)
{
    struct vl_whole_state state;
    size_t n = vl_layout_parameters(&shape, &setup->how.experts),
           l = L * setup->how.experts.experts;
    if (vl_whole_state_gather(&state, part) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int kind = 0; kind < VL_STATE_KINDS && rank == 0; kind++) {
        const float *found = state.whole.arrays[kind], *truth = alone->arrays[kind];
        int bits = exact && (kind == VL_STATE_WEIGHTS || setup->how.zero < 2);
        require(bits ? memcmp(found, truth, n * sizeof *truth) == 0
                     : distance(found, truth, n) < far_off[kind],
                kind_words[kind], setup->name);
    }
    if (rank == 0 && l > 0)
        require(memcmp(state.whole.bias, alone->bias, l * sizeof(float)) == 0,
                "the bias is another", setup->name);
    vl_whole_state_free(&state);
}

/* Save the whole, fill parts from the file, and gather: is the whole the same again? */
static void keep_and_take_up(const struct setup *setup, struct vl_replicated *part, size_t most)
{
    struct vl_whole_state first, again;
    struct vl_replicated other;
    struct vl_checkpoint *checkpoint;
    const struct vl_training_state state = {.batch = ROWS, .horizon = 1};
    size_t n = vl_layout_parameters(&shape, &setup->how.experts),
           l = L * setup->how.experts.experts;
    const char *reason;
    if (vl_whole_state_gather(&first, part) != VL_OK ||
        (rank == 0 && vl_checkpoint_save_arrays(file, &first.whole, &state) != VL_OK))
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    if (vl_checkpoint_open(&checkpoint, file, &reason) != VL_OK ||
        vl_replicated_create(&other, &shape, most, &setup->how) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    require(vl_whole_state_load(&other, checkpoint) == VL_OK, "cannot be loaded", setup->name);
    vl_checkpoint_close(checkpoint);
    if (vl_whole_state_gather(&again, &other) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int kind = 0; kind < VL_STATE_KINDS && rank == 0; kind++)
        require(memcmp(first.whole.arrays[kind], again.whole.arrays[kind], n * sizeof(float)) == 0,
                "what is loaded is not what was kept", setup->name);
    if (rank == 0)
        require(memcmp(first.whole.bias, again.whole.bias, l * sizeof(float)) == 0,
                "the bias that is loaded is another", setup->name);
    vl_whole_state_free(&first);
    vl_whole_state_free(&again);
    vl_replicated_free(&other);
}

/* Each place of a tensor group chooses the experts for itself. All must make the same choices, and
 * so have the same load, bias and router. */
static void compare_places(const struct setup *setup, const struct vl_replicated *part)
{
    const struct vl_model_balance *balance = vl_model_balance(part->model);
    const struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_layout *layout = vl_model_layout(part->model);
    MPI_Comm tensor = setup->mesh->tensor;
    size_t e = setup->how.experts.experts, d = shape.width;
    double counts[L * MOST_EXPERTS];
    float bias[L * MOST_EXPERTS], router[MOST_EXPERTS * WIDTH];
    if (tensor == MPI_COMM_NULL || balance == NULL)
        return;
    memcpy(counts, balance->counts, balance->layers * e * sizeof *counts);
    memcpy(bias, balance->bias, balance->layers * e * sizeof *bias);
    MPI_Bcast(counts, (int)(balance->layers * e), MPI_DOUBLE, 0, tensor);
    MPI_Bcast(bias, (int)(balance->layers * e), MPI_FLOAT, 0, tensor);
    require(memcmp(counts, balance->counts, balance->layers * e * sizeof *counts) == 0,
            "places have chosen otherwise", setup->name);
    require(memcmp(bias, balance->bias, balance->layers * e * sizeof *bias) == 0,
            "places have another bias", setup->name);
    for (size_t u = 0; u < layout->dense_units && setup->how.zero < 3; u++) {
        if (layout->unit_of[u] == 0 || layout->unit_of[u] > L)
            continue;
        const float *own = vl_layout_router(learner->weights + layout->units[u], layout);
        memcpy(router, own, e * d * sizeof *router);
        MPI_Bcast(router, (int)(e * d), MPI_FLOAT, 0, tensor);
        require(memcmp(router, own, e * d * sizeof *router) == 0, "places have another router",
                setup->name);
    }
}

static void compare(const struct setup *setup, const struct record *mine,
                    const struct record *alone, int exact)
{
    for (int i = 0; i < STEPS; i++) {
        require(exact ? mine->loss[i] == alone->loss[i]
                      : fabs(mine->loss[i] - alone->loss[i]) < 1e-6 * alone->loss[i],
                "the loss is another", setup->name);
        require(fabs(mine->norm[i] - alone->norm[i]) < 1e-6 * alone->norm[i], "the norm is another",
                setup->name);
        require(fabs(mine->violation[i] - alone->violation[i]) < 1e-9, "the load is another",
                setup->name);
    }
}

static void try(struct setup *setup, const struct record *alone)
{
    const struct vl_mesh *mesh = setup->mesh;
    struct vl_replicated part;
    struct record mine = {.bias = NULL};
    size_t first, rows;
    snprintf(setup->name, sizeof setup->name,
             "dp %d pp %d tp %d, %s ep %d, %s, zero %d, recompute %d%s", mesh->dp, mesh->pp,
             mesh->tp, setup->how.experts.experts > 0 ? "experts" : "dense", mesh->ep,
             mesh->pp > 1 ? kind_names[setup->kind] : "-", setup->how.zero,
             (int)setup->how.recompute, setup->how.sequence_parallel ? ", sequence" : "");
    vl_replica_rows(&first, &rows, ROWS, mesh->replica, mesh->dp);
    size_t most = ((ROWS + (size_t)mesh->dp - 1) / (size_t)mesh->dp + MICRO - 1) / MICRO;
    int created = vl_replicated_create(&part, &shape, most, &setup->how) == VL_OK;
    require(created, "cannot be made", setup->name);
    if (!created || vl_replicated_initialise(&part, 1) != VL_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    learn(&mine, &part, first, rows, MICRO, setup->name);
    int exact = mesh->tp == 1 && mesh->dp == 1;
    compare(setup, &mine, alone, exact);
    compare_places(setup, &part);
    compare_weights(setup, &part, alone, exact);
    if (setup->how.experts.experts > 0)
        keep_and_take_up(setup, &part, most);
    vl_replicated_free(&part);
    tried++;
}

/* Each mesh with each schedule that fits; the other settings take turns, so that each is tried. */
static void try_mesh(const struct vl_mesh *mesh, const struct vl_expert_shape *experts,
                     const struct record *alone)
{
    for (int turn = 0; turn < 4; turn++)
        for (enum kind kind = AFAB; kind < KINDS; kind++) {
            size_t chunks = kind == INTERLEAVED ? CHUNKS : 1;
            size_t stages = (size_t)mesh->pp * chunks, borders[L + 1];
            if ((mesh->pp == 1 && kind != AFAB) || stages > L ||
                (kind == INTERLEAVED && MICRO % mesh->pp != 0))
                continue;
            struct vl_schedule schedule = {.stages = (size_t)mesh->pp};
            if (mesh->pp > 1 && make(&schedule, kind) != VL_OK)
                MPI_Abort(MPI_COMM_WORLD, 2);
            borders_of(borders, stages, turn % 2);
            int number = turn + (int)kind;
            struct setup setup = {.mesh = mesh,
                                  .kind = kind,
                                  .how = {.mesh = mesh,
                                          .bias_speed = bias_speed,
                                          .zero = number % 4,
                                          .overlap = turn % 2,
                                          .recompute = (enum vl_recompute)((number + mesh->tp) % 3),
                                          .sequence_parallel = mesh->tp > 1 && turn / 2 % 2,
                                          .schedule = mesh->pp > 1 ? &schedule : NULL,
                                          .borders = borders,
                                          .experts = *experts}};
            try(&setup, alone);
            free(schedule.tasks);
        }
}

/* Split experts in every mode of sharding, recomputation and sequence parallelism. */
static void try_every_mode(const struct vl_mesh *mesh, const struct record *alone)
{
    enum { STAGES = 4, MODES = 3 };
    for (int i = 0; i < STAGES * MODES * 2; i++) {
        struct setup setup = {.mesh = mesh,
                              .kind = AFAB,
                              .how = {.mesh = mesh,
                                      .bias_speed = bias_speed,
                                      .zero = i % STAGES,
                                      .overlap = 1,
                                      .recompute = (enum vl_recompute)(i / STAGES % MODES),
                                      .sequence_parallel = i / STAGES / MODES,
                                      .experts = routed}};
        try(&setup, alone);
    }
}

/* Experts on every rank or shared out, whole or split, with and without replicas of their own. */
static void try_expert_meshes(int ranks, const struct record *alone)
{
    for (int ep = 1; ep <= 4; ep *= 2)
        for (int tp = 1; tp <= 4; tp *= 2)
            for (int pp = 1; pp <= 4; pp++) {
                struct vl_mesh mesh;
                int least = ep * tp * pp;
                if (ranks % least != 0 || ranks / least > 2 ||
                    vl_mesh_create(&mesh, MPI_COMM_WORLD, ranks / pp / tp, pp, tp) != VL_OK)
                    continue;
                if (vl_mesh_share_experts(&mesh, ep) == VL_OK) {
                    try_mesh(&mesh, &routed, alone);
                    if (tp == 2 && pp == 1)
                        try_every_mode(&mesh, alone);
                }
                vl_mesh_free(&mesh);
            }
}

int main(void)
{
    int ranks, all = 0;
    struct record alone[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(file, sizeof file, "/tmp/vialata-ranks-%ld", (long)getpid());
    MPI_Bcast(file, sizeof file, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS * T; i++) {
        tokens[i] = i * 29 % V;
        targets[i] = (i * 31 + 7) % V;
    }
    learn_alone(&alone[0], &dense, MICRO);
    learn_alone(&alone[1], &routed, MICRO);
    for (int tp = 1; tp <= 4; tp *= 2)
        for (int pp = 1; pp <= L; pp++) {
            struct vl_mesh mesh;
            if (ranks % (tp * pp) != 0 || ranks / (tp * pp) > 2 ||
                vl_mesh_create(&mesh, MPI_COMM_WORLD, ranks / (tp * pp), pp, tp) != VL_OK)
                continue;
            try_mesh(&mesh, &dense, &alone[0]);
            vl_mesh_free(&mesh);
        }
    try_expert_meshes(ranks, &alone[1]);
    if (rank == 0)
        unlink(file);
    free_record(&alone[0]);
    free_record(&alone[1]);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks: %d layouts tried\n", ranks, tried);
    MPI_Finalize();
    return all != 0 || tried == 0;
}
