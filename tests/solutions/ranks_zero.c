/*
 * Lab 04's reference compared with lab 03's, on as many ranks as mpirun gives: the same losses,
 * norms, weights and moments to the last bit; memory as planned; bytes as in the closed form.
 * Started by check_zero.py.
 *
 * The model is a toy that keeps to the order of vialata/unit_hooks.h and touches nothing but what
 * the hooks hand out. Guards after the end of every array are
 * checked.
 */
#include "ranks.h"
#include "vialata/zero.h"

/* A unit smaller than most P, an empty one, the largest not at an end; a tensor across no unit. */
static const size_t six[] = {0, 7, 8, 8, 167, 169, 270}, one[] = {0, 270};
static const size_t *units = six;
static size_t unit_count = 6;
enum { UNITS = 6, COUNT = 270, STEPS = 4, GUARD = 8 };
static const struct vl_tensor tensors[] = {
    {"a", 0, 1, 7, 1},   {"b", 7, 1, 1, 0},    {"d1", 50, 13, 9, 1},   {"d0", 8, 6, 7, 0},
    {"e", 167, 2, 1, 1}, {"f0", 169, 1, 1, 0}, {"f1", 170, 10, 10, 1},
};
enum { TENSORS = sizeof tensors / sizeof *tensors };
static const struct vl_adamw settings = {0.05f, 0.9f, 0.95f, 1e-8f, 0.1f};

static int rank, ranks;

#define HOLDS(truth, ...)                                                                          \
    do {                                                                                           \
        if (!(truth) && ++failures < 10) {                                                         \
            fprintf(stderr, "rank %d of %d: ", rank, ranks);                                       \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
        }                                                                                          \
    } while (0)

/* ---- a toy whose gradients depend on its weights, its rank and its micro-batch ---- */

struct toy {
    struct vl_learner learner;
    int borrowed, silent; /* units in use now; a rank without rows */
    size_t announced;
};

static float drawn(size_t i, size_t k)
{
    unsigned long long x = (i * 7919 + k * 104729 + (size_t)rank * 1299709 + 12345) * 2654435761u;
    x ^= x >> 17;
    return (float)(x % 20011) / 10005.5f - 1.0f;
}

static enum vl_status enter(struct toy *toy, size_t unit, const float **weights)
{
    const struct vl_unit_hooks *hooks = toy->learner.hooks;
    int polls = unit_count > 1; /* the model of one unit leaves all to whoever waits */
    if (polls && hooks != NULL && hooks->poll != NULL && hooks->poll(hooks->context) != VL_OK)
        return VL_EINTERNAL;
    *weights = toy->learner.weights + units[unit];
    if (hooks == NULL || hooks->borrow == NULL)
        return VL_OK;
    toy->borrowed++;
    return hooks->borrow(hooks->context, unit, weights);
}

/* As the engine does it: once a unit is borrowed, the one that comes next is announced. */
static enum vl_status announce(struct toy *toy, size_t unit)
{
    const struct vl_unit_hooks *hooks = toy->learner.hooks;
    if (hooks == NULL || hooks->prefetch == NULL)
        return VL_OK;
    HOLDS(toy->borrowed == 1, "unit %zu is announced while %d units are in use", unit,
          toy->borrowed);
    toy->announced++;
    return hooks->prefetch(hooks->context, unit);
}

static enum vl_status leave(struct toy *toy, size_t unit)
{
    const struct vl_unit_hooks *hooks = toy->learner.hooks;
    if (hooks == NULL || hooks->give_back == NULL)
        return VL_OK;
    toy->borrowed--;
    return hooks->give_back(hooks->context, unit);
}

static enum vl_status forward(void *model, size_t k, double *loss)
{
    struct toy *toy = model;
    *loss = 0.0;
    for (size_t unit = 0; unit < unit_count; unit++) {
        const float *weights;
        enum vl_status status = enter(toy, unit, &weights);
        if (status == VL_OK && unit + 1 < unit_count)
            status = announce(toy, unit + 1);
        if (status != VL_OK)
            return status;
        for (size_t i = 0; i < units[unit + 1] - units[unit] && !toy->silent; i++)
            *loss += (double)(weights[i] * drawn(units[unit] + i, k));
        if ((status = leave(toy, unit)) != VL_OK)
            return status;
    }
    return VL_OK;
}

static enum vl_status backward(void *model, size_t k)
{
    struct toy *toy = model;
    for (size_t unit = unit_count; unit-- > 0;) {
        const struct vl_unit_hooks *hooks = toy->learner.hooks;
        const float *weights;
        enum vl_status status = enter(toy, unit, &weights);
        float *gradients = toy->learner.gradients + units[unit];
        if (status == VL_OK && unit > 0)
            status = announce(toy, unit - 1);
        if (status == VL_OK && hooks != NULL && hooks->gradients != NULL)
            status = hooks->gradients(hooks->context, unit, &gradients);
        if (status != VL_OK)
            return status;
        for (size_t i = 0; i < units[unit + 1] - units[unit] && !toy->silent; i++)
            gradients[i] += drawn(units[unit] + i, k) + 0.3f * weights[i];
        if (hooks != NULL && hooks->ready != NULL)
            status = hooks->ready(hooks->context, unit);
        if (status == VL_OK)
            status = leave(toy, unit);
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

static struct toy toy_of(float *weights, float *gradients, float *m, float *v)
{
    return (struct toy){
        .learner = {.weights = weights,
                    .gradients = gradients,
                    .m = m,
                    .v = v,
                    .count = COUNT,
                    .tensors = tensors,
                    .tensor_count = TENSORS,
                    .units = units,
                    .unit_count = unit_count,
                    .forward = forward,
                    .backward = backward},
        .silent = ranks > 2 && rank == ranks - 2,
    };
}

/* ---- arrays of just the planned length ---- */

static float *guarded(size_t n, float value)
{
    float *at = malloc((n + GUARD) * sizeof *at);
    for (size_t i = 0; i < n + GUARD; i++)
        at[i] = i < n ? value : 77.25f;
    return at;
}

static void guard_holds(const float *at, size_t n, const char *name)
{
    for (size_t i = n; i < n + GUARD; i++)
        HOLDS(at[i] == 77.25f, "%s: written past its end", name);
}

static struct vl_piece piece_of(size_t unit)
{
    struct vl_piece piece = {0, 0, 0};
    vl_shard_piece(&piece, units, unit_count, unit, rank, ranks);
    return piece;
}

/* ---- lab 03's run ---- */

struct truth {
    double loss[STEPS], norm[STEPS];
    float weights[STEPS][COUNT], m[COUNT], v[COUNT];
};

static void plain_run(struct truth *truth, size_t micro_batches)
{
    static float weights[COUNT], gradients[COUNT];
    struct vl_transfer *flight[UNITS];
    memset(truth, 0, sizeof *truth);
    for (size_t i = 0; i < COUNT; i++)
        weights[i] = sinf((float)i);
    struct toy toy = toy_of(weights, gradients, truth->m, truth->v);
    toy.learner.model = &toy;
    const struct vl_replicas replicas = {MPI_COMM_WORLD, 1, 0, flight};
    for (size_t s = 0; s < STEPS; s++) {
        struct vl_step_result result;
        enum vl_status status = vl_replica_step(&replicas, &toy.learner, micro_batches, &settings,
                                                3.0f, s + 1, &result);
        HOLDS(status == VL_OK, "lab 03's step %zu: %d", s, status);
        truth->loss[s] = result.loss;
        truth->norm[s] = result.gradient_norm;
        memcpy(truth->weights[s], weights, sizeof weights);
    }
}

/* ---- lab 04's run ---- */

static void compare(const struct vl_zero *zero, const struct truth *truth, size_t s, double bound)
{
    for (size_t unit = 0; unit < unit_count; unit++) {
        struct vl_piece piece = piece_of(unit);
        size_t first = zero->stage == 3 ? piece.first : units[unit];
        size_t place = zero->stage == 3 ? piece.place : units[unit];
        size_t count = zero->stage == 3 ? piece.count : units[unit + 1] - units[unit];
        for (size_t i = 0; i < count; i++) {
            float own = zero->weights[place + i], theirs = truth->weights[s][first + i];
            HOLDS(fabs((double)own - (double)theirs) <= bound,
                  "stage %d, step %zu, unit %zu, weight %zu: %.9g, lab 03 %.9g", zero->stage, s,
                  unit, first + i, (double)own, (double)theirs);
        }
        for (size_t i = 0; i < piece.count && s + 1 == STEPS; i++) {
            double m = (double)zero->m[piece.place + i], v = (double)zero->v[piece.place + i];
            HOLDS(fabs(m - (double)truth->m[piece.first + i]) <= bound &&
                      fabs(v - (double)truth->v[piece.first + i]) <= bound,
                  "stage %d, unit %zu: m or v of %zu differs", zero->stage, unit, piece.first + i);
        }
    }
}

/* What one step sends, over all ranks: closed form, then the norm's and the loss's doubles. */
static void bytes_hold(int stage, size_t micro_batches)
{
    uint64_t all = 0;
    MPI_Allreduce(&sent_bytes, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    double elements = 0.0;
    vl_zero_sent_elements(&elements, stage, COUNT, ranks);
    if (stage > 1) /* all but stage 2's gathering of weights comes once a micro-batch */
        elements = (elements - (stage == 2 ? COUNT * (ranks - 1.0) / ranks : 0.0)) *
                       (double)micro_batches +
                   (stage == 2 ? COUNT * (ranks - 1.0) / ranks : 0.0);
    double told = ranks * (elements * 4.0 + (ranks - 1) * (double)(unit_count + 1) * 8.0);
    HOLDS(fabs((double)all - told) < 0.5, "stage %d, %zu micro-batches: %.0f bytes, on paper %.1f",
          stage, micro_batches, (double)all, told);
}

static void sharded_run(const struct truth *truth, int stage, size_t micro_batches)
{
    int exact = micro_batches == 1 || stage == 1;
    double bound = exact ? 0.0 : 1e-4;
    struct vl_zero_plan plan;
    HOLDS(vl_zero_plan(&plan, stage, units, unit_count, rank, ranks) == VL_OK, "no plan");
    struct vl_transfer *flight[UNITS] = {NULL};
    struct vl_zero zero = {
        .comm = MPI_COMM_WORLD,
        .rank = rank,
        .ranks = ranks,
        .stage = stage,
        .units = units,
        .unit_count = unit_count,
        .tensors = tensors,
        .tensor_count = TENSORS,
        .weights = guarded(plan.weights, 0.0f),
        .gradients = guarded(plan.gradients, NAN),
        .m = guarded(plan.moments, 0.0f),
        .v = guarded(plan.moments, 0.0f),
        .lent_weights = guarded(plan.lent_weights, NAN),
        .lent_gradients = guarded(plan.lent_gradients, NAN),
        .flight = flight,
    };
    for (size_t unit = 0; unit < unit_count; unit++) {
        struct vl_piece piece = piece_of(unit);
        for (size_t i = units[unit]; i < units[unit + 1] && stage < 3; i++)
            zero.weights[i] = sinf((float)i);
        for (size_t i = 0; i < piece.count && stage == 3; i++)
            zero.weights[piece.place + i] = sinf((float)(piece.first + i));
    }
    struct toy toy = toy_of(zero.weights, zero.gradients, zero.m, zero.v);
    const struct vl_unit_hooks nobody = {0};
    toy.learner.model = &toy;
    toy.learner.hooks = &nobody;

    for (size_t s = 0; s < STEPS; s++) {
        struct vl_step_result result;
        sent_bytes = 0;
        enum vl_status status =
            vl_zero_step(&zero, &toy.learner, micro_batches, &settings, 3.0f, s + 1, &result);
        HOLDS(status == VL_OK, "stage %d, step %zu: status %d", stage, s, status);
        if (status != VL_OK)
            MPI_Abort(MPI_COMM_WORLD, 1);
        bytes_hold(stage, micro_batches);
        HOLDS(fabs(result.loss - truth->loss[s]) <= bound,
              "stage %d, step %zu: loss %.17g, lab 03 "
              "%.17g",
              stage, s, result.loss, truth->loss[s]);
        HOLDS(fabs(result.gradient_norm - truth->norm[s]) <= bound,
              "stage %d, step %zu: norm "
              "%.17g, lab 03 %.17g",
              stage, s, result.gradient_norm, truth->norm[s]);
        compare(&zero, truth, s, bound);
        HOLDS(zero.ahead == 0 && zero.coming == NULL, "stage %d: a unit is still ahead", stage);
        HOLDS(toy.announced == (stage < 3 ? 0 : (s + 1) * micro_batches * 2 * (unit_count - 1)),
              "stage %d, step %zu: %zu units announced", stage, s, toy.announced);
        HOLDS(toy.learner.hooks == &nobody, "stage %d: the hooks were left hanging", stage);
        for (size_t unit = 0; unit < unit_count; unit++)
            HOLDS(flight[unit] == NULL, "stage %d: unit %zu still flies", stage, unit);
        HOLDS(!zero.lent[0] && !zero.lent[1] && !zero.adding[0] && !zero.adding[1] && !toy.borrowed,
              "stage %d: a buffer is still taken", stage);
    }
    guard_holds(zero.weights, plan.weights, "weights");
    guard_holds(zero.gradients, plan.gradients, "gradients");
    guard_holds(zero.m, plan.moments, "m");
    guard_holds(zero.v, plan.moments, "v");
    guard_holds(zero.lent_weights, plan.lent_weights, "lent weights");
    guard_holds(zero.lent_gradients, plan.lent_gradients, "lent gradients");
    free(zero.weights), free(zero.gradients), free(zero.m), free(zero.v);
    free(zero.lent_weights), free(zero.lent_gradients);
}

/* ---- what has to be refused, and what P = 1 or a plan must say ---- */

static void refusals_hold(void)
{
    struct vl_zero_plan plan;
    for (int stage = -1; stage < 6; stage++)
        HOLDS((vl_zero_plan(&plan, stage, units, unit_count, rank, ranks) == VL_OK) ==
                  (stage >= 1 && stage <= 3),
              "a plan for stage %d", stage);
    HOLDS(vl_zero_plan(&plan, 1, units, 0, rank, ranks) == VL_EINVAL, "a plan of no unit");
    HOLDS(vl_zero_plan(&plan, 1, units, unit_count, ranks, ranks) == VL_EINVAL,
          "a rank that does not exist");

    vl_zero_plan(&plan, 3, units, unit_count, rank, ranks);
    HOLDS(plan.lent_weights == 318 && plan.lent_gradients == 318,
          "two buffers of the largest unit");
    unsigned long long shard = plan.weights, all = 0;
    MPI_Allreduce(&shard, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    HOLDS(all == COUNT, "all shards together have %llu elements", all);

    struct vl_transfer *flight[UNITS] = {NULL};
    float *shard_of = guarded(plan.weights, 1.0f), *buffers = guarded(plan.lent_weights, 0.0f);
    struct vl_zero zero = {.comm = MPI_COMM_WORLD,
                           .rank = rank,
                           .ranks = ranks,
                           .stage = 3,
                           .units = units,
                           .unit_count = unit_count,
                           .weights = shard_of,
                           .lent_weights = buffers,
                           .flight = flight};
    const float *a, *b, *c;
    HOLDS(vl_zero_give_back(&zero, 0) == VL_EINVAL, "given back, never lent");
    HOLDS(vl_zero_borrow(&zero, 3, &a) == VL_OK && vl_zero_borrow(&zero, 5, &b) == VL_OK && a != b,
          "two units at once");
    HOLDS(vl_zero_borrow(&zero, 0, &c) == VL_EINVAL, "three units at once");
    HOLDS(vl_zero_give_back(&zero, 3) == VL_OK && vl_zero_borrow(&zero, 0, &c) == VL_OK && c == a,
          "a buffer that was given back");
    for (size_t i = 0; i < 101; i++)
        HOLDS(b[i] == 1.0f, "the other buffer was touched");
    HOLDS(vl_zero_ready(&zero, 2) == VL_EINVAL, "ready without gradients");
    HOLDS(vl_zero_prefetch(&zero, 1) == VL_EINVAL && zero.ahead == 0 && zero.coming == NULL,
          "fetched without a buffer");
    HOLDS(vl_zero_give_back(&zero, 5) == VL_OK && vl_zero_prefetch(&zero, 4) == VL_OK,
          "fetched into the other buffer");
    HOLDS(vl_zero_give_back(&zero, 0) == VL_OK && vl_zero_prefetch(&zero, 2) == VL_EINVAL,
          "two units ahead");
    HOLDS(vl_zero_give_back(&zero, 4) == VL_EINVAL, "given back while it was on its way");
    HOLDS(vl_zero_borrow(&zero, 4, &c) == VL_OK && c == b && zero.ahead == 0,
          "borrowed from another place than it was fetched to");
    HOLDS(vl_zero_give_back(&zero, 4) == VL_OK, "given back after it was ahead");
    free(shard_of), free(buffers);
}

static void paper_holds(void)
{
    double bytes, sent;
    struct vl_zero_prediction sealed;
    vl_predict_zero(&sealed);
    const uint64_t state[] = {sealed.state_bytes_1, sealed.state_bytes_2, sealed.state_bytes_3};
    for (int stage = 1; stage <= 3; stage++) {
        vl_zero_state_bytes(&bytes, stage, 869504.0, 4);
        HOLDS(bytes == (double)state[stage - 1], "stage %d: %.1f bytes", stage, bytes);
    }
    vl_zero_sent_elements(&sent, 3, 869504.0, 4);
    HOLDS(4.0 * sent == (double)sealed.sent_bytes_3, "stage 3: %.1f elements", sent);
    HOLDS(vl_zero_state_bytes(&bytes, 0, 10.0, 3) == VL_OK && bytes == 160.0, "stage 0");
    HOLDS(vl_zero_state_bytes(&bytes, 4, 10.0, 3) == VL_EINVAL, "stage 4");
    HOLDS(vl_zero_sent_elements(&sent, -1, 10.0, 3) == VL_EINVAL, "stage -1");
    HOLDS(vl_zero_sent_elements(&sent, 1, 10.0, 0) == VL_EINVAL, "no ranks");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    static struct truth truth;
    refusals_hold();
    paper_holds();
    for (size_t micro_batches = 1; micro_batches <= 3; micro_batches += 2) {
        plain_run(&truth, micro_batches);
        for (int stage = 1; stage <= 3; stage++)
            sharded_run(&truth, stage, micro_batches);
    }
    units = one; /* the whole model at once: a unit follows itself */
    unit_count = 1;
    plain_run(&truth, 3);
    for (int stage = 1; stage <= 3; stage++)
        sharded_run(&truth, stage, 3);
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf("%d ranks: stages 1, 2, 3 as lab 03\n", ranks);
    MPI_Finalize();
    return all > 0;
}
