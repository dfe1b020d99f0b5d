/*
 * Lab 03's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/03_data_parallel/data_parallel.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

#define ONE_OPERATION 1e-5 /* without a bound, bits are compared */
#define WITH_THE_LOSS 0.02 /* the loss is also sent, by any method: some bytes next to thousands */
#define EIGHT_TENTHS  0.2  /* at least eight tenths of what can be under way must be */
#define THREE_DIGITS  1e-3 /* the lab's text asks for three digits */
/* AdamW divides a gradient by its own size, so the rounding error of a small one counts in full. */
#define FIVE_STEPS 1e-4

static const char *const flat_needs[] = {"vl_replica_reduce", NULL};
#define EVERY_BUCKET_FUNCTION                                                                      \
    "vl_buckets_begin", "vl_buckets_ready", "vl_buckets_poll", "vl_buckets_finish"
static const char *const bucket_needs[] = {EVERY_BUCKET_FUNCTION, NULL};
static const char *const step_needs[] = {"vl_replica_reduce", EVERY_BUCKET_FUNCTION,
                                         "vl_replica_step", NULL};
static const char *const every_function[] = {"vl_replica_equalise", "vl_replica_reduce",
                                             EVERY_BUCKET_FUNCTION, "vl_replica_step", NULL};

/* A VL_CASE whose variant comes before the further fields. */
#define CASE(name, asks, maker, right, special, phrase, flags, ...)                                \
    VL_CASE(#name, asks, maker, right, special, phrase, .floor = 1e-6, .variant = flags,           \
            __VA_ARGS__)
/* On P ranks, as its id says. */
#define RANKED(name, asks, maker, right, P, special, ...)                                          \
    CASE(name, asks, maker, right, "p" #P special, __VA_ARGS__, .ranks = P, .per_rank = 1,         \
         .part = vl_part_data_parallel)
/* Functions whose makers and truths have the functions' own names. */
#define ALIKE(name, ...) RANKED(name, "vl_" #name, name, name, __VA_ARGS__)
#define GIVEN(...)       ALIKE(__VA_ARGS__, .share = 1)
#define EQUALISE(...)    ALIKE(replica_equalise, __VA_ARGS__)
#define REDUCE(...)      ALIKE(replica_reduce, __VA_ARGS__, .bound = ONE_OPERATION)
#define BUCKETS(name, right, ...)                                                                  \
    RANKED(name, "vl_" #name, buckets, right, __VA_ARGS__, .bound = ONE_OPERATION)
#define BEGIN(...)  BUCKETS(buckets_begin, buckets_begin, __VA_ARGS__)
#define READY(...)  BUCKETS(buckets_ready, buckets_ready, __VA_ARGS__)
#define POLL(...)   BUCKETS(buckets_poll, buckets_poll, __VA_ARGS__)
#define FINISH(...) BUCKETS(buckets_finish, buckets_finish, __VA_ARGS__)
#define STEP(right, ...)                                                                           \
    RANKED(replica_step, "vl_replica_step", replica_step, right, __VA_ARGS__,                      \
           .bound = ONE_OPERATION)
#define FLAT(...)       STEP(replica_step, __VA_ARGS__, .needs = flat_needs)
#define OVERLAPPED(...) STEP(replica_step, __VA_ARGS__, .needs = bucket_needs)
/* A case put together from several functions. */
#define COMPOSED(name, ...) RANKED(name, #name, __VA_ARGS__)
#define TRAIN(P)                                                                                   \
    COMPOSED(replicas_train, replicas_train, replicas_train, P, "",                                \
             N_("five steps, as one device"), 0, .share = 0.25, .bound = FIVE_STEPS,               \
             .needs = every_function)
#define ONE_SUM(P)                                                                                 \
    COMPOSED(reduce_traffic, replica_reduce, reduce_traffic, P, "", N_("one all-reduce"), 0,       \
             .share = 0.25, .needs = flat_needs)
#define ON_2_3_5_8(CASE_OF) CASE_OF(2), CASE_OF(3), CASE_OF(5), CASE_OF(8)
#define ACCUMULATED(P, special, flags)                                                             \
    COMPOSED(accumulation_traffic, replica_step, accumulation_traffic, P, special,                 \
             N_("one reduction a step"), VL_R_ACCUMULATE | VL_R_LARGE | (flags), .share = 0.5,     \
             .bound = WITH_THE_LOSS, .needs = step_needs)
#define UNDER_WAY(P, special, flags, ...)                                                          \
    COMPOSED(overlap, replica_step, overlap, P, special,                                           \
             N_("what is under way before backward ends"), VL_R_OVERLAP | VL_R_LARGE | (flags),    \
             __VA_ARGS__, .bound = EIGHT_TENTHS, .needs = step_needs)
#define LARGER_BUCKETS(P)                                                                          \
    COMPOSED(bucket_traffic, buckets, bucket_traffic, P, "",                                       \
             N_("fewer messages in larger buckets"), 0, .share = 0.5, .needs = bucket_needs)
/* The three sealed numbers: one function, three truths. */
#define SEALED(right, special, phrase, ...)                                                        \
    CASE(predict_data_parallel, "vl_predict_data_parallel", shapes, predict_##right, special,      \
         phrase, 0, .ranks = 1, .sealed = 1, __VA_ARGS__)

#define ALONE     N_("one replica")
#define AWKWARD   N_("awkward sizes")
#define SAME      N_("the same bits everywhere")
#define PASSED_ON N_("an error is passed on")

/* What is special about a case: the end of its id, in words, and its variant, to which flags may be
 * added: IDLE | VL_R_BUCKETS. */
#define ODD       "_odd", AWKWARD, 0
#define SHORT     "_short", N_("fewer elements than replicas"), VL_R_SHORT
#define EMPTY     "_empty", N_("no elements"), VL_R_EMPTY
#define BACKWARDS "_reversed", N_("ranks in reverse order"), VL_R_REVERSED
#define UNITS     "_units", N_("one unit per bucket"), 0
#define FULL      "_full", N_("a bucket that is exactly full"), VL_R_BUCKETS
#define TINY      "_short", N_("units with fewer elements than replicas"), VL_R_SHORT
#define IDLE      N_("replicas without rows"), VL_R_IDLE

static const struct vl_case cases[] = {
    GIVEN(replica_rows, 1, ODD),
    GIVEN(replica_sum, 5, "_bits", SAME, 0),
    GIVEN(chunked_norm, 1, ODD),

    EQUALISE(1, "", ALONE, 0, .share = 0.1, .idle = 1),
    EQUALISE(2, ODD, .share = 0.2),
    EQUALISE(3, BACKWARDS, .share = 0.2),
    EQUALISE(4, EMPTY, .share = 0.1),
    EQUALISE(5, SHORT, .share = 0.2, .synchronous = 1),
    EQUALISE(8, ODD, .share = 0.2),

    REDUCE(1, "", ALONE, 0, .share = 0.1, .idle = 1),
    REDUCE(2, ODD, .share = 0.2, .synchronous = 1),
    REDUCE(3, ODD, .share = 0.2),
    REDUCE(4, EMPTY, .share = 0.1),
    REDUCE(5, BACKWARDS, .share = 0.2),
    REDUCE(8, SHORT, .share = 0.2),

    BEGIN(1, ODD | VL_R_BUCKETS, .share = 0.5),
    BEGIN(3, UNITS, .share = 0.5),

    READY(1, "_units", ALONE, 0, .share = 0.1),
    READY(2, FULL, .share = 0.2),
    READY(3, TINY | VL_R_ALONE, .share = 0.1),
    READY(4, UNITS, .share = 0.2),
    BUCKETS(buckets_ready, buckets_disorder, 4, "_disorder", N_("units out of order are refused"),
            VL_R_DISORDER, .share = 0.1),
    READY(5, "_one", N_("one bucket for all"), VL_R_ONE, .share = 0.1),
    READY(3, "_bulky", N_("a unit that is larger than a bucket"), VL_R_BUCKETS | VL_R_BULKY,
          .share = 0.1),
    READY(8, FULL, .share = 0.1),

    POLL(2, "_units", AWKWARD, 0, .share = 0.2),
    POLL(3, "_ended", N_("a bucket that is finished already"), VL_R_ENDED, .share = 0.2),
    POLL(3, "_reversed", N_("ranks in reverse order"), VL_R_REVERSED, .share = 0.2),
    POLL(2, "_done", N_("a bucket that is finished already"), VL_R_DONE, .share = 0.1),
    POLL(8, "_units", AWKWARD, 0, .share = 0.3),

    FINISH(1, "_units", ALONE, 0, .share = 0.1),
    FINISH(2, "_units", AWKWARD, VL_R_ENDED, .share = 0.2),
    FINISH(3, TINY, .share = 0.2),
    FINISH(4, "_full", N_("several units per bucket"), VL_R_BUCKETS, .share = 0.2),
    FINISH(3, "_unready", N_("a unit was never ready"), VL_R_UNREADY, .share = 0.1),
    FINISH(8, "_units", AWKWARD, 0, .share = 0.2),

    FLAT(1, "", ALONE, VL_R_ACCUMULATE | VL_R_BELOW, .share = 0.05),
    FLAT(1, "_error", PASSED_ON, VL_R_FAILS, .share = 0.04),
    FLAT(1, "_backward_error", PASSED_ON, VL_R_BACK, .share = 0.02),
    OVERLAPPED(1, "_overlap_error", PASSED_ON, VL_R_OVERLAP | VL_R_BACK, .share = 0.02),
    FLAT(1, "_step_zero", PASSED_ON, VL_R_NO_STEP, .share = 0.02),
    FLAT(2, "_flat", N_("after backward"), VL_R_ACCUMULATE | VL_R_MIXED, .share = 0.1),
    OVERLAPPED(2, "_overlap", N_("while backward works"), VL_R_OVERLAP, .share = 0.1),
    FLAT(3, "_clipped", N_("with clipping"), VL_R_CLIPPED, .share = 0.15),
    OVERLAPPED(3, "_uneven", N_("replicas with more and with fewer micro-batches"),
               VL_R_OVERLAP | VL_R_UNEVEN | VL_R_BUCKETS | VL_R_CLIPPED, .share = 0.1),
    FLAT(4, "_flat_idle", IDLE, .share = 0.05),
    OVERLAPPED(5, "_idle", IDLE | VL_R_OVERLAP | VL_R_BUCKETS, .share = 0.15),
    STEP(replica_bits, 5, "_bits", SAME, VL_R_OVERLAP | VL_R_UNEVEN | VL_R_CLIPPED, .share = 0.05,
         .needs = bucket_needs),
    RANKED(replica_step, "vl_replica_step", replica_step, replica_norm, 5, "_norm",
           N_("the chunked norm, to the last bit"), VL_R_OVERLAP | VL_R_LARGE | VL_R_SCALES,
           .share = 0.05, .needs = bucket_needs),
    OVERLAPPED(8, "_accumulated", N_("several micro-batches per replica"),
               VL_R_OVERLAP | VL_R_ACCUMULATE | VL_R_REVERSED, .share = 0.1),

    ON_2_3_5_8(TRAIN),
    ON_2_3_5_8(ONE_SUM),
    ACCUMULATED(2, "_flat", 0),
    ACCUMULATED(4, "_overlap", VL_R_OVERLAP),
    UNDER_WAY(2, "_units", VL_R_ACCUMULATE, .share = 0.3),
    UNDER_WAY(3, "_buckets", VL_R_BUCKETS, .share = 0.3),
    UNDER_WAY(4, "_units", 0, .share = 0.2),
    COMPOSED(overlap, replica_step, flat, 2, "_flat", N_("nothing travels before backward ends"),
             VL_R_ACCUMULATE, .share = 0.2, .needs = step_needs),
    LARGER_BUCKETS(2),
    LARGER_BUCKETS(4),

    SEALED(sent, "sent_bytes", N_("bytes per step"), .share = 0.375, .bound = ONE_OPERATION),
    SEALED(accumulated, "accumulated", N_("bytes per step with micro-batches"), .share = 0.25,
           .bound = ONE_OPERATION),
    SEALED(hidden, "hidden_share", N_("what can be hidden"), .share = 0.375, .bound = THREE_DIGITS),
};

#define TIMED(name, phrase, ...)                                                                   \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = phrase, .ranks = 2, __VA_ARGS__  \
    }
static const struct vl_timing timings[] = {
    TIMED(replica_reduce, N_("speed"), .bound = 1e-4, .needs = flat_needs),
    /* The real step of a real model on two replicas, with overlap. */
    TIMED(replica_step, N_("tokens per second of the whole step"), .bound = 1e-3,
          .needs = step_needs, .steps = true),
};

VL_TIMED_LAB_CASES(data_parallel);
