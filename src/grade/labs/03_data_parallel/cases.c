/*
 * Lab 03's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/03_data_parallel/data_parallel.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define SAME_BITS     0.0
#define ONE_OPERATION 1e-5
/* Five steps: AdamW divides a gradient by its own size, so rounding is handed on undiminished. */
#define FIVE_STEPS 1e-4
/* Beside the gradients the loss travels, in whatever way: some bytes among thousands. */
#define WITH_THE_LOSS 0.02
/* At least eight tenths of what can be under way. */
#define EIGHT_TENTHS 0.2
/* Three digits were asked for. */
#define THREE_DIGITS 1e-3
#define FLOOR        1e-6

static const char *const flat_needs[] = {"vl_replica_reduce", NULL};
static const char *const bucket_needs[] = {"vl_buckets_begin", "vl_buckets_ready",
                                           "vl_buckets_poll", "vl_buckets_finish", NULL};
static const char *const step_needs[] = {"vl_replica_reduce",
                                         "vl_buckets_begin",
                                         "vl_buckets_ready",
                                         "vl_buckets_poll",
                                         "vl_buckets_finish",
                                         "vl_replica_step",
                                         NULL};
static const char *const every_function[] = {
    "vl_replica_equalise", "vl_replica_reduce", "vl_buckets_begin", "vl_buckets_ready",
    "vl_buckets_poll",     "vl_buckets_finish", "vl_replica_step",  NULL};

#define CASE(name, call, special, purpose, ranks, share, bound, needs, maker, truth, suspects,     \
             variant, per_rank, synchronous)                                                       \
    {                                                                                              \
        name "." special, call, purpose, ranks, share, bound, FLOOR, needs, vl_make_##maker,       \
            vl_truth_##truth, suspects, variant, per_rank, synchronous                             \
    }
#define GIVEN(name, special, purpose, ranks)                                                       \
    CASE(#name, "vl_" #name, special, purpose, ranks, 1, SAME_BITS, NULL, name, name, NULL, 0, 1, 0)
#define EQUALISE(special, purpose, ranks, share, variant, synchronous)                             \
    CASE("replica_equalise", "vl_replica_equalise", special, purpose, ranks, share, SAME_BITS,     \
         NULL, replica_equalise, replica_equalise, vl_suspects_replica_equalise, variant, 1,       \
         synchronous)
#define REDUCE(special, purpose, ranks, share, variant, synchronous)                               \
    CASE("replica_reduce", "vl_replica_reduce", special, purpose, ranks, share, ONE_OPERATION,     \
         NULL, replica_reduce, replica_reduce, vl_suspects_replica_reduce, variant, 1,             \
         synchronous)
#define BUCKETS(name, special, purpose, ranks, share, variant)                                     \
    CASE(#name, "vl_" #name, special, purpose, ranks, share, ONE_OPERATION, NULL, buckets, name,   \
         vl_suspects_##name, variant, 1, 0)
#define STEP(special, purpose, ranks, share, variant)                                              \
    CASE("replica_step", "vl_replica_step", special, purpose, ranks, share, ONE_OPERATION,         \
         (variant)&VL_R_OVERLAP ? bucket_needs : flat_needs, replica_step, replica_step,           \
         vl_suspects_replica_step, variant, 1, 0)
#define COUNTED(name, special, purpose, ranks, share, bound, maker, truth, variant)                \
    CASE(#name, #name, special, purpose, ranks, share, bound, name##_needs, maker, truth,          \
         vl_suspects_##truth, variant, 1, 0)
/* The three sealed numbers: one function, three truths. */
#define SEALED(special, purpose, share, bound, truth)                                              \
    CASE("predict_data_parallel", "vl_predict_data_parallel", special, purpose, 1, share, bound,   \
         NULL, predict_data_parallel, truth, vl_suspects_##truth, 0, 0, 0)

#define reduce_traffic_needs       flat_needs
#define accumulation_traffic_needs step_needs
#define overlap_needs              step_needs
#define bucket_traffic_needs       bucket_needs

#define ODD       N_("awkward sizes")
#define ALONE     N_("one replica")
#define SHORT     N_("fewer elements than replicas")
#define EMPTY     N_("no elements")
#define BACKWARDS N_("ranks in reverse order")
#define UNITS     N_("every unit a bucket")
#define FULL      N_("a bucket that is exactly full")
#define ONE       N_("one bucket for all")
#define REFUSED   N_("units out of order are refused")
#define FLAT      N_("after backward")
#define OVERLAP   N_("while backward works")
#define IDLE      N_("replicas without rows")

static const struct vl_case cases[] = {
    GIVEN(replica_rows, "p1_odd", ODD, 1),
    GIVEN(replica_sum, "p5_bits", N_("the same bits everywhere"), 5),
    GIVEN(chunked_norm, "p1_odd", ODD, 1),

    EQUALISE("p1", ALONE, 1, 0.1, 0, 0),
    EQUALISE("p2_odd", ODD, 2, 0.2, 0, 0),
    EQUALISE("p3_reversed", BACKWARDS, 3, 0.2, VL_R_REVERSED, 0),
    EQUALISE("p4_empty", EMPTY, 4, 0.1, VL_R_EMPTY, 0),
    EQUALISE("p5_short", SHORT, 5, 0.2, VL_R_SHORT, 1),
    EQUALISE("p8_odd", ODD, 8, 0.2, 0, 0),

    REDUCE("p1", ALONE, 1, 0.1, 0, 0),
    REDUCE("p2_odd", ODD, 2, 0.2, 0, 1),
    REDUCE("p3_odd", ODD, 3, 0.2, 0, 0),
    REDUCE("p4_empty", EMPTY, 4, 0.1, VL_R_EMPTY, 0),
    REDUCE("p5_reversed", BACKWARDS, 5, 0.2, VL_R_REVERSED, 0),
    REDUCE("p8_short", SHORT, 8, 0.2, VL_R_SHORT, 0),

    BUCKETS(buckets_begin, "p1_odd", ODD, 1, 0.5, VL_R_BUCKETS),
    BUCKETS(buckets_begin, "p3_units", UNITS, 3, 0.5, 0),

    BUCKETS(buckets_ready, "p1_units", ALONE, 1, 0.1, 0),
    BUCKETS(buckets_ready, "p2_full", FULL, 2, 0.2, VL_R_BUCKETS),
    BUCKETS(buckets_ready, "p3_short", N_("units with fewer elements than replicas"), 3, 0.1,
            VL_R_SHORT),
    BUCKETS(buckets_ready, "p4_units", UNITS, 4, 0.2, 0),
    CASE("buckets_ready", "vl_buckets_ready", "p4_disorder", REFUSED, 4, 0.1, ONE_OPERATION, NULL,
         buckets, buckets_disorder, vl_suspects_buckets_disorder, VL_R_DISORDER, 1, 0),
    BUCKETS(buckets_ready, "p5_one", ONE, 5, 0.1, VL_R_ONE),
    BUCKETS(buckets_ready, "p8_full", FULL, 8, 0.2, VL_R_BUCKETS),

    BUCKETS(buckets_poll, "p2_units", ODD, 2, 0.3, 0),
    BUCKETS(buckets_poll, "p3_reversed", BACKWARDS, 3, 0.3, VL_R_REVERSED),
    BUCKETS(buckets_poll, "p8_units", ODD, 8, 0.4, 0),

    BUCKETS(buckets_finish, "p1_units", ALONE, 1, 0.1, 0),
    BUCKETS(buckets_finish, "p2_units", ODD, 2, 0.2, 0),
    BUCKETS(buckets_finish, "p3_short", N_("units with fewer elements than replicas"), 3, 0.2,
            VL_R_SHORT),
    BUCKETS(buckets_finish, "p4_full", N_("some units a bucket"), 4, 0.2, VL_R_BUCKETS),
    BUCKETS(buckets_finish, "p8_units", ODD, 8, 0.3, 0),

    STEP("p1", ALONE, 1, 0.05, VL_R_ACCUMULATE),
    STEP("p1_error", N_("an error is passed on"), 1, 0.1, VL_R_FAILS),
    STEP("p2_flat", FLAT, 2, 0.1, VL_R_ACCUMULATE),
    STEP("p2_overlap", OVERLAP, 2, 0.1, VL_R_OVERLAP),
    STEP("p3_clipped", N_("with clipping"), 3, 0.15, VL_R_CLIPPED),
    STEP("p3_uneven", N_("replicas with more and with fewer micro-batches"), 3, 0.1,
         VL_R_OVERLAP | VL_R_UNEVEN | VL_R_BUCKETS | VL_R_CLIPPED),
    STEP("p4_flat_idle", IDLE, 4, 0.05, VL_R_IDLE),
    STEP("p5_idle", IDLE, 5, 0.15, VL_R_OVERLAP | VL_R_IDLE | VL_R_BUCKETS),
    CASE("replica_step", "vl_replica_step", "p5_bits", N_("the same bits everywhere"), 5, 0.1,
         ONE_OPERATION, bucket_needs, replica_step, replica_bits, vl_suspects_replica_bits,
         VL_R_OVERLAP | VL_R_UNEVEN | VL_R_CLIPPED, 1, 0),
    STEP("p8_accumulated", N_("several micro-batches a replica"), 8, 0.1,
         VL_R_OVERLAP | VL_R_ACCUMULATE | VL_R_REVERSED),

#define TRAIN(special, ranks, share)                                                               \
    CASE("replicas_train", "replicas_train", special, N_("five steps, as one device"), ranks,      \
         share, FIVE_STEPS, every_function, replicas_train, replicas_train, NULL, 0, 1, 0)
    TRAIN("p2", 2, 0.25),
    TRAIN("p3", 3, 0.25),
    TRAIN("p5", 5, 0.25),
    TRAIN("p8", 8, 0.25),

#define ONE_SUM(special, ranks)                                                                    \
    COUNTED(reduce_traffic, special, N_("one all-reduce"), ranks, 0.25, SAME_BITS, replica_reduce, \
            reduce_traffic, 0)
    ONE_SUM("p2", 2),
    ONE_SUM("p3", 3),
    ONE_SUM("p5", 5),
    ONE_SUM("p8", 8),

    COUNTED(accumulation_traffic, "p2_flat", N_("one reduction a step"), 2, 0.5, WITH_THE_LOSS,
            replica_step, accumulation_traffic, VL_R_ACCUMULATE | VL_R_LARGE),
    COUNTED(accumulation_traffic, "p4_overlap", N_("one reduction a step"), 4, 0.5, WITH_THE_LOSS,
            replica_step, accumulation_traffic, VL_R_ACCUMULATE | VL_R_LARGE | VL_R_OVERLAP),

    COUNTED(overlap, "p2_units", N_("what is under way before backward ends"), 2, 0.3, EIGHT_TENTHS,
            replica_step, overlap, VL_R_OVERLAP | VL_R_ACCUMULATE),
    COUNTED(overlap, "p3_buckets", N_("what is under way before backward ends"), 3, 0.3,
            EIGHT_TENTHS, replica_step, overlap, VL_R_OVERLAP | VL_R_BUCKETS),
    COUNTED(overlap, "p4_units", N_("what is under way before backward ends"), 4, 0.2, EIGHT_TENTHS,
            replica_step, overlap, VL_R_OVERLAP),
    COUNTED(overlap, "p2_flat", N_("nothing travels before backward ends"), 2, 0.2, SAME_BITS,
            replica_step, flat, VL_R_ACCUMULATE),

    COUNTED(bucket_traffic, "p2", N_("fewer messages in larger buckets"), 2, 0.5, SAME_BITS,
            buckets, bucket_traffic, 0),
    COUNTED(bucket_traffic, "p4", N_("fewer messages in larger buckets"), 4, 0.5, SAME_BITS,
            buckets, bucket_traffic, 0),

    SEALED("sent_bytes", N_("bytes a step"), 0.375, ONE_OPERATION, predict_sent),
    SEALED("accumulated", N_("bytes a step with micro-batches"), 0.25, ONE_OPERATION,
           predict_accumulated),
    SEALED("hidden_share", N_("what can be hidden"), 0.375, THREE_DIGITS, predict_hidden),
};

static const struct vl_timing timings[] = {
    {"replica_reduce.speed", "vl_replica_reduce", N_("speed"), 1e-4,
     (const char *const[]){"vl_replica_reduce", NULL}, 2},
    /* The real step of a real model on two replicas, with overlap. */
    {"replica_step.speed", "vl_replica_step", N_("tokens per second of the whole step"), 1e-3,
     step_needs, 2},
};

const struct vl_lab_cases vl_cases_data_parallel = {3, cases, COUNT(cases), timings,
                                                    COUNT(timings)};
