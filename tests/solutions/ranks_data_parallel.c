/*
 * The reference of lab 03 on as many ranks as mpirun gives. Started by check_data_parallel.py.
 * Every rank checks, and all exit with the same status.
 */
#include "base/random.h"
#include "runner/unit_toy.h"
#include "vialata/data_parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 5, COUNT = 97, ROWS = 7 };
static const size_t units[UNITS + 1] = {0, 40, 43, 43, 90, COUNT}; /* unit 2 is empty */

static int rank, ranks, failures;

static void holds(int fine, const char *what)
{
    int all = 0;
    MPI_Allreduce(&fine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (!all) {
        failures++;
        if (rank == 0)
            printf("%d ranks: does not hold: %s\n", ranks, what);
    }
}

/* Does every rank have these bytes? */
static int same_bits(const void *data, size_t bytes)
{
    unsigned char *first = malloc(bytes + 1);
    memcpy(first, data, bytes);
    MPI_Bcast(first, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    int same = memcmp(first, data, bytes) == 0;
    free(first);
    return same;
}

/* What rank r has at i: every rank can compute it. */
static float value_of(int r, size_t i)
{
    return vl_random_normal(3, (uint64_t)r, i);
}

static int is_sum(const float *data, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        double sum = 0.0, size = 0.0;
        for (int r = 0; r < ranks; r++) {
            sum += (double)value_of(r, i);
            size += fabs((double)value_of(r, i));
        }
        if (!(fabs((double)data[i] - sum) <= 1e-6 * size))
            return 0;
    }
    return 1;
}

/* ---- who calls the collectives, seen by the linker's --wrap ---- */

static size_t flat_calls, starts, starts_in_backward, start_elements[64];
static int start_tags[64], inside_backward;

enum vl_status __real_vl_all_reduce(MPI_Comm comm, float *data, size_t n);
enum vl_status __wrap_vl_all_reduce(MPI_Comm comm, float *data, size_t n);
enum vl_status __wrap_vl_all_reduce(MPI_Comm comm, float *data, size_t n)
{
    flat_calls++;
    return __real_vl_all_reduce(comm, data, n);
}

enum vl_status __real_vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                          size_t n, int tag);
enum vl_status __wrap_vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                          size_t n, int tag);
enum vl_status __wrap_vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                          size_t n, int tag)
{
    start_elements[starts % 64] = n;
    start_tags[starts % 64] = tag;
    starts++;
    starts_in_backward += inside_backward != 0;
    return __real_vl_all_reduce_start(transfer, comm, data, n, tag);
}

static void forget_calls(void)
{
    flat_calls = starts = starts_in_backward = 0;
}

/* ---- pieces ---- */

static void rows_cover_the_batch_without_gaps(void)
{
    int fine = 1;
    for (size_t rows = 0; rows < 20; rows++) {
        size_t next = 0;
        for (int r = 0; r < ranks; r++) {
            size_t first = 99, count = 99;
            fine &= vl_replica_rows(&first, &count, rows, r, ranks) == VL_OK && first == next;
            next += count;
        }
        fine &= next == rows;
    }
    size_t first, count;
    fine &= vl_replica_rows(&first, &count, 4, ranks, ranks) == VL_EINVAL;
    fine &= vl_replica_rows(&first, &count, 4, -1, ranks) == VL_EINVAL;
    holds(fine, "rows cover the batch without gaps");
}

static void equalise_copies_rank_0_bit_by_bit(void)
{
    int fine = 1;
    for (size_t n = 0; n <= COUNT; n += n < 4 ? 1 : 31) {
        float weights[COUNT + 1];
        for (size_t i = 0; i <= COUNT; i++)
            weights[i] = value_of(rank, i);
        fine &= vl_replica_equalise(MPI_COMM_WORLD, weights, n) == VL_OK;
        for (size_t i = 0; i <= COUNT; i++) {
            float wanted = value_of(i < n ? 0 : rank, i);
            fine &= memcmp(&weights[i], &wanted, sizeof wanted) == 0;
        }
    }
    fine &= vl_replica_equalise(MPI_COMM_WORLD, NULL, 1) == VL_EINVAL;
    holds(fine, "equalise copies rank 0 bit by bit");
}

static void sum_adds_in_rank_order(void)
{
    /* 1/3 added to 1e16 is lost; two thirds, added first and then to 1e16, are not. */
    const double values[4] = {1.0 / 3.0, 2.0 / 3.0, 1.0, 1e16};
    double value = values[rank % 4], wanted = 0.0;
    for (int r = 0; r < ranks; r++)
        wanted += values[r % 4];
    int fine = vl_replica_sum(MPI_COMM_WORLD, &value) == VL_OK;
    fine &= memcmp(&value, &wanted, sizeof value) == 0;
    fine &= vl_replica_sum(MPI_COMM_WORLD, NULL) == VL_EINVAL;
    holds(fine, "the sum is added in rank order, in float64");
}

static void reduce_sums_and_does_not_divide(void)
{
    int fine = 1;
    for (size_t n = 0; n <= COUNT; n += n < 4 ? 1 : 31) {
        float data[COUNT];
        for (size_t i = 0; i < COUNT; i++)
            data[i] = value_of(rank, i);
        fine &= vl_replica_reduce(MPI_COMM_WORLD, data, n) == VL_OK && is_sum(data, 0, n);
        fine &= same_bits(data, n * sizeof *data);
    }
    fine &= vl_replica_reduce(MPI_COMM_WORLD, NULL, 1) == VL_EINVAL;
    holds(fine, "reduce sums and does not divide");
}

/* As lab 04 will: each rank its own chunk of each unit. */
static double norm_of_shards(const float *data)
{
    double squares = 0.0;
    for (size_t unit = 0; unit < UNITS; unit++) {
        double own = 0.0, parts[64];
        size_t first, count;
        vl_chunk(&first, &count, units[unit + 1] - units[unit], rank, ranks);
        for (size_t i = 0; i < count; i++) {
            double g = (double)data[units[unit] + first + i];
            own += g * g;
        }
        MPI_Allgather(&own, 1, MPI_DOUBLE, parts, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int r = 0; r < ranks; r++)
            squares += parts[r];
    }
    return sqrt(squares);
}

/* The square root hides most differences in the last bit: hence many draws, and elements of many
 * sizes. */
static void chunked_norm_has_the_bits_of_shards(void)
{
    float data[COUNT];
    double norm = -1.0;
    int fine = 1;
    for (int draw = 0; draw < 50; draw++) {
        double wide = 0.0;
        for (size_t i = 0; i < COUNT; i++) {
            data[i] = ldexpf(value_of(draw, i), -(int)(i % 13));
            wide += (double)data[i] * (double)data[i];
        }
        double wanted = norm_of_shards(data);
        fine &= vl_chunked_norm(&norm, data, units, UNITS, ranks) == VL_OK;
        fine &= memcmp(&norm, &wanted, sizeof norm) == 0;
        fine &= fabs(norm - sqrt(wide)) < 1e-12 * norm;
    }
    fine &= vl_chunked_norm(&norm, data, units, UNITS, 0) == VL_EINVAL;
    fine &= vl_chunked_norm(&norm, NULL, units, UNITS, ranks) == VL_EINVAL;
    holds(fine, "the chunked norm has the bits of shards");
}

/* ---- buckets ---- */

static void buckets_of(size_t bucket_bytes, const size_t *wanted, size_t bucket_count,
                       const char *what)
{
    struct vl_buckets buckets;
    struct vl_transfer *flight[UNITS];
    float data[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        data[i] = value_of(rank, i);
    forget_calls();
    int fine = vl_buckets_begin(&buckets, MPI_COMM_WORLD, data, units, UNITS, bucket_bytes,
                                flight) == VL_OK;
    for (size_t unit = UNITS; unit-- > 0;) {
        fine &= vl_buckets_ready(&buckets, unit + 1) == VL_EINVAL; /* again, or too high */
        fine &= unit == 0 || vl_buckets_ready(&buckets, unit - 1) == VL_EINVAL;
        fine &= vl_buckets_ready(&buckets, unit) == VL_OK;
        fine &= vl_buckets_poll(&buckets) == VL_OK;
    }
    fine &= vl_buckets_ready(&buckets, 0) == VL_EINVAL;
    fine &= vl_buckets_finish(&buckets) == VL_OK;
    fine &= starts == bucket_count && buckets.started == bucket_count;
    for (size_t k = 0; k < bucket_count && k < starts; k++)
        fine &= start_elements[k] == wanted[k] && start_tags[k] == (int)k && flight[k] == NULL;
    fine &= vl_buckets_finish(&buckets) == VL_OK; /* nothing is left to free */
    fine &= is_sum(data, 0, COUNT) && same_bits(data, sizeof data);
    holds(fine, what);
}

static void buckets_close_when_they_hold_enough(void)
{
    buckets_of(0, (const size_t[]){7, 47, 0, 3, 40}, 5, "with 0, every unit is a bucket");
    buckets_of(28, (const size_t[]){7, 47, 43}, 3, "a bucket closes at exactly its size");
    buckets_of(29, (const size_t[]){54, 43}, 2, "a bucket closes above its size");
    buckets_of(1u << 20, (const size_t[]){COUNT}, 1, "unit 0 closes the last bucket");
}

static void a_unit_never_ready_is_told(void)
{
    struct vl_buckets buckets;
    struct vl_transfer *flight[UNITS];
    float data[COUNT] = {0};
    int fine = vl_buckets_begin(&buckets, MPI_COMM_WORLD, data, units, UNITS, 0, flight) == VL_OK;
    fine &= vl_buckets_ready(&buckets, UNITS - 1) == VL_OK;
    fine &= vl_buckets_finish(&buckets) == VL_EINVAL && flight[0] == NULL;
    fine &= vl_buckets_begin(NULL, MPI_COMM_WORLD, data, units, UNITS, 0, flight) == VL_EINVAL;
    fine &= vl_buckets_begin(&buckets, MPI_COMM_WORLD, data, units, UNITS, 0, NULL) == VL_EINVAL;
    fine &= vl_buckets_begin(&buckets, MPI_COMM_WORLD, NULL, units, UNITS, 0, flight) == VL_EINVAL;
    holds(fine, "a unit never ready is told");
}

/* ---- the step ---- */

static const struct vl_tensor tensors[3] = {
    {"a", 0, 5, 8, 1}, {"b", 40, 1, 3, 0}, {"c", 43, 6, 9, 1}};

struct trainee {
    struct vl_learner learner;
    struct vl_unit_toy toy;
    float weights[COUNT], gradients[COUNT], m[COUNT], v[COUNT], residual[COUNT];
    float a[ROWS * COUNT], t[ROWS * COUNT];
};

static enum vl_status watched_backward(void *model, size_t micro_batch)
{
    inside_backward = 1;
    enum vl_status status = vl_unit_toy_backward(model, micro_batch);
    inside_backward = 0;
    return status;
}

/* A learner that has 'rows' rows from 'first' on, each a micro-batch. */
static void begin_trainee(struct trainee *one, size_t first, size_t rows)
{
    memset(one, 0, sizeof *one);
    for (size_t i = 0; i < COUNT; i++)
        one->weights[i] = value_of(7, i);
    for (size_t i = 0; i < rows * COUNT; i++) {
        one->a[i] = ldexpf(1.0f, (int)vl_random_below(3, 5, 1, first * COUNT + i)) / ROWS;
        one->t[i] = vl_random_normal(5, 2, first * COUNT + i);
    }
    one->toy = (struct vl_unit_toy){
        .learner = &one->learner, .a = one->a, .t = one->t, .residual = one->residual};
    one->learner = (struct vl_learner){.weights = one->weights,
                                       .gradients = one->gradients,
                                       .m = one->m,
                                       .v = one->v,
                                       .count = COUNT,
                                       .tensors = tensors,
                                       .tensor_count = 3,
                                       .units = units,
                                       .unit_count = UNITS,
                                       .forward = vl_unit_toy_forward,
                                       .backward = watched_backward,
                                       .model = &one->toy};
}

static int close_to(const float *x, const float *wanted, size_t n)
{
    double error = 0.0, size = 0.0;
    for (size_t i = 0; i < n; i++) {
        error += pow((double)x[i] - (double)wanted[i], 2);
        size += pow((double)wanted[i], 2);
    }
    return sqrt(error) <= 1e-5 * sqrt(size);
}

/* Five steps of the replicas, and of one device that has all rows. */
static void steps_are_those_of_one_device(int overlap, size_t bucket_bytes, size_t rows,
                                          const char *what)
{
    static struct trainee own, whole;
    const struct vl_adamw settings = {.lr = 0.01f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_transfer *flight[UNITS];
    const struct vl_replicas replicas = {MPI_COMM_WORLD, overlap, bucket_bytes, flight};
    const struct vl_unit_hooks none = {0};
    size_t first, count;
    vl_replica_rows(&first, &count, rows, rank, ranks);
    begin_trainee(&own, first, count);
    begin_trainee(&whole, 0, rows);
    own.learner.hooks = &none;
    int fine = 1;
    for (uint64_t step = 1; step <= 5; step++) {
        struct vl_step_result mine = {-1, -1}, wanted = {0, 0};
        forget_calls();
        fine &=
            vl_replica_step(&replicas, &own.learner, count, &settings, 0.5f, step, &mine) == VL_OK;
        fine &= own.learner.hooks == &none;
        fine &= overlap ? flat_calls == 0 : flat_calls == 1;
        if (overlap && bucket_bytes == 0)
            fine &= starts == UNITS && starts_in_backward == (count > 0 ? UNITS : 0);
        vl_training_step(&whole.learner, rows, &settings, 0.5f, step, &wanted);
        fine &= fabs(mine.loss - wanted.loss) <= 1e-5 * wanted.loss;
        fine &= fabs(mine.gradient_norm - wanted.gradient_norm) <= 1e-5 * wanted.gradient_norm;
        fine &= same_bits(&mine, sizeof mine);
        fine &= same_bits(own.weights, sizeof own.weights);
        fine &= same_bits(own.m, sizeof own.m) && same_bits(own.v, sizeof own.v);
        fine &= close_to(own.weights, whole.weights, COUNT);
        fine &= close_to(own.m, whole.m, COUNT) && close_to(own.v, whole.v, COUNT);
    }
    fine &= !overlap || own.toy.readies == (count > 0 ? 5 * UNITS : 0);
    fine &= count == 0 || overlap == (own.toy.polls > 0);
    holds(fine, what);
}

/* All ranks fail alike, or the others would wait. */
static void a_failing_forward_changes_nothing(void)
{
    static struct trainee own, before;
    const struct vl_adamw settings = {.lr = 0.01f, 0.9f, 0.95f, 1e-8f, 0.1f};
    struct vl_transfer *flight[UNITS];
    const struct vl_replicas replicas = {MPI_COMM_WORLD, 1, 0, flight};
    struct vl_step_result result = {-1, -1};
    begin_trainee(&own, 0, 2);
    begin_trainee(&before, 0, 2);
    own.toy.fails_at = 2;
    int fine =
        vl_replica_step(&replicas, &own.learner, 2, &settings, 0.5f, 1, &result) == VL_ENOMEM;
    fine &= own.learner.hooks == NULL && result.loss < 0;
    fine &= memcmp(own.weights, before.weights, sizeof own.weights) == 0;
    fine &= memcmp(own.m, before.m, sizeof own.m) == 0;
    fine &= vl_replica_step(&replicas, &own.learner, 2, &settings, 0.5f, 0, &result) == VL_EINVAL;
    fine &= vl_replica_step(NULL, &own.learner, 2, &settings, 0.5f, 1, &result) == VL_EINVAL;
    holds(fine, "a failing forward changes nothing");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rows_cover_the_batch_without_gaps();
    equalise_copies_rank_0_bit_by_bit();
    sum_adds_in_rank_order();
    reduce_sums_and_does_not_divide();
    chunked_norm_has_the_bits_of_shards();
    buckets_close_when_they_hold_enough();
    a_unit_never_ready_is_told();
    steps_are_those_of_one_device(0, 0, ROWS, "flat steps are those of one device");
    steps_are_those_of_one_device(1, 0, ROWS, "steps with a bucket a unit are those of one device");
    steps_are_those_of_one_device(1, 150, ROWS,
                                  "steps with larger buckets are those of one device");
    steps_are_those_of_one_device(1, 0, 3, "replicas without rows take part, with buckets");
    steps_are_those_of_one_device(0, 0, 1, "replicas without rows take part, the flat way");
    a_failing_forward_changes_nothing();
    MPI_Finalize();
    return failures > 0;
}
