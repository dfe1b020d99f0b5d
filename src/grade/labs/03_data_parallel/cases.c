/*
 * Lab 03's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/03_data_parallel/data_parallel.h"

#include "base/text.h"

#define SAME_BITS     0.0
#define ONE_OPERATION 1e-5
/* Five steps: AdamW divides a gradient by its own size, so rounding is handed on undiminished. */
#define FIVE_STEPS 1e-4
/* The loss is also sent, by any method: some bytes next to thousands. */
#define WITH_THE_LOSS 0.02
/* At least eight tenths of what can be under way. */
#define EIGHT_TENTHS 0.2
/* Three digits were asked for. */
#define THREE_DIGITS 1e-3

static const char *const flat_needs[] = {"vl_replica_reduce", NULL};
#define EVERY_BUCKET_FUNCTION                                                                      \
    "vl_buckets_begin", "vl_buckets_ready", "vl_buckets_poll", "vl_buckets_finish"
static const char *const bucket_needs[] = {EVERY_BUCKET_FUNCTION, NULL};
static const char *const step_needs[] = {"vl_replica_reduce", EVERY_BUCKET_FUNCTION,
                                         "vl_replica_step", NULL};
static const char *const every_function[] = {"vl_replica_equalise", "vl_replica_reduce",
                                             EVERY_BUCKET_FUNCTION, "vl_replica_step", NULL};

/* What all cases have in common; then what those of one function have. The rest follows by name. */
#define CASE(name, special, phrase, maker, ...)                                                    \
    {                                                                                              \
        .id = #name "." special, .purpose = phrase, .floor = 1e-6, .make = vl_make_##maker,        \
        __VA_ARGS__                                                                                \
    }
#define RANKED(name, special, phrase, maker, truth_of, ...)                                        \
    CASE(name, special, phrase, maker, .function = "vl_" #name, .truth = vl_truth_##truth_of,      \
         .per_rank = 1, __VA_ARGS__)
/* Functions whose inputs and truths go by their own names. */
#define ALIKE(name, special, phrase, ...) RANKED(name, special, phrase, name, name, __VA_ARGS__)
#define GIVEN(...)                        ALIKE(__VA_ARGS__, .share = 1, .bound = SAME_BITS)
#define EQUALISE(...)                     ALIKE(replica_equalise, __VA_ARGS__, .bound = SAME_BITS)
#define REDUCE(...)                       ALIKE(replica_reduce, __VA_ARGS__, .bound = ONE_OPERATION)
#define BUCKETS(name, special, phrase, ...)                                                        \
    RANKED(name, special, phrase, buckets, name, .bound = ONE_OPERATION, __VA_ARGS__)
#define STEP(truth_of, special, phrase, ...)                                                       \
    RANKED(replica_step, special, phrase, replica_step, truth_of, __VA_ARGS__,                     \
           .bound = ONE_OPERATION)
#define FLAT(...)       STEP(replica_step, __VA_ARGS__, .needs = flat_needs)
#define OVERLAPPED(...) STEP(replica_step, __VA_ARGS__, .needs = bucket_needs)
/* A case put together from several functions. */
#define COMPOSED(name, special, phrase, maker, truth_of, ...)                                      \
    CASE(name, special, phrase, maker, .function = #name, .truth = vl_truth_##truth_of,            \
         .per_rank = 1, __VA_ARGS__)
#define TRAIN(special, ...)                                                                        \
    COMPOSED(replicas_train, special, N_("five steps, as one device"), replicas_train,             \
             replicas_train, .share = 0.25, .bound = FIVE_STEPS, .needs = every_function,          \
             __VA_ARGS__)
#define ONE_SUM(special, ...)                                                                      \
    COMPOSED(reduce_traffic, special, N_("one all-reduce"), replica_reduce, reduce_traffic,        \
             .share = 0.25, .bound = SAME_BITS, .needs = flat_needs, __VA_ARGS__)
#define ACCUMULATED(special, ...)                                                                  \
    COMPOSED(accumulation_traffic, special, N_("one reduction a step"), replica_step,              \
             accumulation_traffic, .share = 0.5, .bound = WITH_THE_LOSS, .needs = step_needs,      \
             __VA_ARGS__)
#define UNDER_WAY(special, ...)                                                                    \
    COMPOSED(overlap, special, N_("what is under way before backward ends"), replica_step,         \
             overlap, .bound = EIGHT_TENTHS, .needs = step_needs, __VA_ARGS__)
#define LARGER_BUCKETS(special, ...)                                                               \
    COMPOSED(bucket_traffic, special, N_("fewer messages in larger buckets"), buckets,             \
             bucket_traffic, .share = 0.5, .bound = SAME_BITS, .needs = bucket_needs, __VA_ARGS__)
/* The three sealed numbers: one function, three truths. */
#define SEALED(special, phrase, truth_of, ...)                                                     \
    CASE(predict_data_parallel, special, phrase, predict_data_parallel,                            \
         .function = "vl_predict_data_parallel", .truth = vl_truth_##truth_of, .ranks = 1,         \
         .sealed = 1, __VA_ARGS__)

#define ODD       N_("awkward sizes")
#define ALONE     N_("one replica")
#define SHORT     N_("fewer elements than replicas")
#define EMPTY     N_("no elements")
#define BACKWARDS N_("ranks in reverse order")
#define UNITS     N_("every unit a bucket")
#define FULL      N_("a bucket that is exactly full")
#define TINY      N_("units with fewer elements than replicas")
#define IDLE      N_("replicas without rows")

static const struct vl_case cases[] = {
    GIVEN(replica_rows, "p1_odd", ODD, .ranks = 1),
    GIVEN(replica_sum, "p5_bits", N_("the same bits everywhere"), .ranks = 5),
    GIVEN(chunked_norm, "p1_odd", ODD, .ranks = 1),

    EQUALISE("p1", ALONE, .ranks = 1, .share = 0.1),
    EQUALISE("p2_odd", ODD, .ranks = 2, .share = 0.2),
    EQUALISE("p3_reversed", BACKWARDS, .ranks = 3, .share = 0.2, .variant = VL_R_REVERSED),
    EQUALISE("p4_empty", EMPTY, .ranks = 4, .share = 0.1, .variant = VL_R_EMPTY),
    EQUALISE("p5_short", SHORT, .ranks = 5, .share = 0.2, .variant = VL_R_SHORT, .synchronous = 1),
    EQUALISE("p8_odd", ODD, .ranks = 8, .share = 0.2),

    REDUCE("p1", ALONE, .ranks = 1, .share = 0.1),
    REDUCE("p2_odd", ODD, .ranks = 2, .share = 0.2, .synchronous = 1),
    REDUCE("p3_odd", ODD, .ranks = 3, .share = 0.2),
    REDUCE("p4_empty", EMPTY, .ranks = 4, .share = 0.1, .variant = VL_R_EMPTY),
    REDUCE("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.2, .variant = VL_R_REVERSED),
    REDUCE("p8_short", SHORT, .ranks = 8, .share = 0.2, .variant = VL_R_SHORT),

    BUCKETS(buckets_begin, "p1_odd", ODD, .ranks = 1, .share = 0.5, .variant = VL_R_BUCKETS),
    BUCKETS(buckets_begin, "p3_units", UNITS, .ranks = 3, .share = 0.5),

    BUCKETS(buckets_ready, "p1_units", ALONE, .ranks = 1, .share = 0.1),
    BUCKETS(buckets_ready, "p2_full", FULL, .ranks = 2, .share = 0.2, .variant = VL_R_BUCKETS),
    BUCKETS(buckets_ready, "p3_short", TINY, .ranks = 3, .share = 0.1, .variant = VL_R_SHORT),
    BUCKETS(buckets_ready, "p4_units", UNITS, .ranks = 4, .share = 0.2),
    RANKED(buckets_ready, "p4_disorder", N_("units out of order are refused"), buckets,
           buckets_disorder, .ranks = 4, .share = 0.1, .bound = ONE_OPERATION,
           .variant = VL_R_DISORDER),
    BUCKETS(buckets_ready, "p5_one", N_("one bucket for all"), .ranks = 5, .share = 0.1,
            .variant = VL_R_ONE),
    BUCKETS(buckets_ready, "p8_full", FULL, .ranks = 8, .share = 0.2, .variant = VL_R_BUCKETS),

    BUCKETS(buckets_poll, "p2_units", ODD, .ranks = 2, .share = 0.3),
    BUCKETS(buckets_poll, "p3_reversed", BACKWARDS, .ranks = 3, .share = 0.3,
            .variant = VL_R_REVERSED),
    BUCKETS(buckets_poll, "p8_units", ODD, .ranks = 8, .share = 0.4),

    BUCKETS(buckets_finish, "p1_units", ALONE, .ranks = 1, .share = 0.1),
    BUCKETS(buckets_finish, "p2_units", ODD, .ranks = 2, .share = 0.2),
    BUCKETS(buckets_finish, "p3_short", TINY, .ranks = 3, .share = 0.2, .variant = VL_R_SHORT),
    BUCKETS(buckets_finish, "p4_full", N_("some units a bucket"), .ranks = 4, .share = 0.2,
            .variant = VL_R_BUCKETS),
    BUCKETS(buckets_finish, "p8_units", ODD, .ranks = 8, .share = 0.3),

    FLAT("p1", ALONE, .ranks = 1, .share = 0.05, .variant = VL_R_ACCUMULATE),
    FLAT("p1_error", N_("an error is passed on"), .ranks = 1, .share = 0.1, .variant = VL_R_FAILS),
    FLAT("p2_flat", N_("after backward"), .ranks = 2, .share = 0.1, .variant = VL_R_ACCUMULATE),
    OVERLAPPED("p2_overlap", N_("while backward works"), .ranks = 2, .share = 0.1,
               .variant = VL_R_OVERLAP),
    FLAT("p3_clipped", N_("with clipping"), .ranks = 3, .share = 0.15, .variant = VL_R_CLIPPED),
    OVERLAPPED("p3_uneven", N_("replicas with more and with fewer micro-batches"), .ranks = 3,
               .share = 0.1, .variant = VL_R_OVERLAP | VL_R_UNEVEN | VL_R_BUCKETS | VL_R_CLIPPED),
    FLAT("p4_flat_idle", IDLE, .ranks = 4, .share = 0.05, .variant = VL_R_IDLE),
    OVERLAPPED("p5_idle", IDLE, .ranks = 5, .share = 0.15,
               .variant = VL_R_OVERLAP | VL_R_IDLE | VL_R_BUCKETS),
    STEP(replica_bits, "p5_bits", N_("the same bits everywhere"), .ranks = 5, .share = 0.1,
         .needs = bucket_needs, .variant = VL_R_OVERLAP | VL_R_UNEVEN | VL_R_CLIPPED),
    OVERLAPPED("p8_accumulated", N_("several micro-batches a replica"), .ranks = 8, .share = 0.1,
               .variant = VL_R_OVERLAP | VL_R_ACCUMULATE | VL_R_REVERSED),

    TRAIN("p2", .ranks = 2),
    TRAIN("p3", .ranks = 3),
    TRAIN("p5", .ranks = 5),
    TRAIN("p8", .ranks = 8),

    ONE_SUM("p2", .ranks = 2),
    ONE_SUM("p3", .ranks = 3),
    ONE_SUM("p5", .ranks = 5),
    ONE_SUM("p8", .ranks = 8),

    ACCUMULATED("p2_flat", .ranks = 2, .variant = VL_R_ACCUMULATE | VL_R_LARGE),
    ACCUMULATED("p4_overlap", .ranks = 4, .variant = VL_R_ACCUMULATE | VL_R_LARGE | VL_R_OVERLAP),

    UNDER_WAY("p2_units", .ranks = 2, .share = 0.3, .variant = VL_R_OVERLAP | VL_R_ACCUMULATE),
    UNDER_WAY("p3_buckets", .ranks = 3, .share = 0.3, .variant = VL_R_OVERLAP | VL_R_BUCKETS),
    UNDER_WAY("p4_units", .ranks = 4, .share = 0.2, .variant = VL_R_OVERLAP),
    COMPOSED(overlap, "p2_flat", N_("nothing travels before backward ends"), replica_step, flat,
             .ranks = 2, .share = 0.2, .bound = SAME_BITS, .needs = step_needs,
             .variant = VL_R_ACCUMULATE),

    LARGER_BUCKETS("p2", .ranks = 2),
    LARGER_BUCKETS("p4", .ranks = 4),

    SEALED("sent_bytes", N_("bytes a step"), predict_sent, .share = 0.375, .bound = ONE_OPERATION),
    SEALED("accumulated", N_("bytes a step with micro-batches"), predict_accumulated, .share = 0.25,
           .bound = ONE_OPERATION),
    SEALED("hidden_share", N_("what can be hidden"), predict_hidden, .share = 0.375,
           .bound = THREE_DIGITS),
};

#define TIMED(name, phrase, ...)                                                                   \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = phrase, .ranks = 2, __VA_ARGS__  \
    }
static const struct vl_timing timings[] = {
    TIMED(replica_reduce, N_("speed"), .bound = 1e-4, .needs = flat_needs),
    /* The real step of a real model on two replicas, with overlap. */
    TIMED(replica_step, N_("tokens per second of the whole step"), .bound = 1e-3,
          .needs = step_needs),
};

VL_TIMED_LAB_CASES(data_parallel);
