/*
 * Lab 02's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/02_collectives/collectives.h"

#include "base/text.h"

#define ROUNDED 1e-5 /* the bound of what is added; without a bound, bits are compared */
#define FLOOR   1e-6

/* What every case has. The other fields are named where the macro is used. */
#define CASE(prefix, name, special, phrase, maker, right, ...)                                     \
    {                                                                                              \
        .id = #name "." special, .function = prefix #name, .purpose = phrase,                      \
        .make = vl_make_##maker, .truth = vl_truth_##right, __VA_ARGS__                            \
    }
#define SERIAL(name, special, phrase, maker, right, ...)                                           \
    CASE("vl_", name, special, phrase, maker, right, .ranks = 1, __VA_ARGS__)
#define ON_RANKS(name, special, phrase, maker, right, ...)                                         \
    CASE("vl_", name, special, phrase, maker, right, .floor = FLOOR, .per_rank = 1, __VA_ARGS__)
/* What the meter counted while 'need' was called. */
#define TRAFFIC(name, special, phrase, maker, need, ...)                                           \
    CASE("", name##_traffic, special, phrase, maker, name##_traffic, .floor = 1, .per_rank = 1,    \
         .needs = need, __VA_ARGS__)

#define CHUNK(special, phrase, ...)                                                                \
    SERIAL(chunk, special, phrase, chunk, chunk, .share = 0.5, .floor = FLOOR, __VA_ARGS__)
#define SWAP(special, phrase, ...)                                                                 \
    ON_RANKS(exchange, special, phrase, exchange, exchange, __VA_ARGS__)
#define SCATTER(special, phrase, ...)                                                              \
    ON_RANKS(reduce_scatter_start, special, phrase, reduction, reduce_scatter, __VA_ARGS__)
#define GATHER(special, phrase, ...)                                                               \
    ON_RANKS(all_gather_start, special, phrase, movement, all_gather, __VA_ARGS__)
#define REDUCE(special, phrase, ...)                                                               \
    ON_RANKS(all_reduce_start, special, phrase, reduction, all_reduce, __VA_ARGS__)
#define FINISH(special, phrase, ...)                                                               \
    ON_RANKS(transfer_finish, special, phrase, movement, finish, .share = 0.5, __VA_ARGS__)
#define POLL(special, phrase, ...)                                                                 \
    ON_RANKS(transfer_poll, special, phrase, movement, poll, .needs = gathering, __VA_ARGS__)
#define TREE(special, phrase, ...)                                                                 \
    ON_RANKS(broadcast, special, phrase, movement, broadcast, __VA_ARGS__)
#define PAIRS(special, phrase, ...)                                                                \
    ON_RANKS(all_to_all, special, phrase, all_to_all, all_to_all, __VA_ARGS__)
#define LEVELS(special, phrase, ...)                                                               \
    ON_RANKS(levels_create, special, phrase, levels, levels, __VA_ARGS__)
#define LEVELS_FREE(special, phrase, ...)                                                          \
    ON_RANKS(levels_free, special, phrase, levels, levels_free, __VA_ARGS__)
#define TWO_LEVEL(special, phrase, ...)                                                            \
    ON_RANKS(all_reduce_two_level, special, phrase, two_level, all_reduce, .bound = ROUNDED,       \
             __VA_ARGS__)

#define SECONDS(name, special, phrase, ...)                                                        \
    SERIAL(name##_seconds, special, phrase, road, name##_seconds, .bound = ROUNDED,                \
           .floor = 1e-12, __VA_ARGS__)
/* A plain case and one that must be refused. */
#define SECONDS_AND_REFUSAL(name, phrase)                                                          \
    SECONDS(name, "plain", phrase, .share = 0.9),                                                  \
        SECONDS(name, "negative", REFUSED, .share = 0.1, .variant = VL_BAD_ARGUMENT)
#define SEALED(special, phrase, right, ...)                                                        \
    SERIAL(predict_collectives, special, phrase, sealed_road, sealed_##right, .bound = ROUNDED,    \
           .floor = FLOOR, .sealed = 1, __VA_ARGS__)

static const char *const sending[] = {"vl_broadcast", NULL};
static const char *const scattering[] = {"vl_reduce_scatter_start", "vl_transfer_finish", NULL};
static const char *const gathering[] = {"vl_all_gather_start", "vl_transfer_finish", NULL};
static const char *const reducing[] = {"vl_all_reduce_start", "vl_transfer_finish", NULL};
static const char *const swapping[] = {"vl_all_to_all", NULL};
static const char *const climbing[] = {"vl_all_reduce_two_level", NULL};

#define ALONE      N_("one rank")
#define UNEVEN     N_("chunks of unequal size")
#define EVEN       N_("chunks of equal size")
#define FEW        N_("fewer elements than ranks")
#define NONE       N_("no elements")
#define LARGE      N_("long messages")
#define REVERSED   N_("ranks in another order")
#define IN_ORDER   N_("added in the promised order")
#define UNBUFFERED N_("nothing is buffered")
#define HOLES      N_("empty pieces")
#define BYTES      N_("elements of one byte")
#define REFUSED    N_("a bad argument is refused")
#define WORKED     N_("as it was given")
#define ONE_EACH   N_("one rank a node")
#define TWO_EACH   N_("two ranks a node")
#define FOUR_EACH  N_("four ranks a node")
#define NO_HANDLE  N_("no transfer at all")
#define WHO_SENDS  N_("who sends how often")
#define ELSEWHERE  N_("bytes from other nodes")
#define MANY_RANKS N_("several numbers of ranks")
#define MANY_NODES N_("several numbers of nodes")

static const struct vl_case cases[] = {
    CHUNK("uneven", UNEVEN, .variant = VL_SIZE_ODD),
    CHUNK("bad_rank", REFUSED, .variant = VL_BAD_ARGUMENT),
    ON_RANKS(reduce_scatter, "p4", WORKED, reduction, reduce_scatter, .ranks = 4, .share = 1,
             .bound = ROUNDED),
    ON_RANKS(all_gather, "p4", WORKED, movement, all_gather, .ranks = 4, .share = 1),
    ON_RANKS(all_reduce, "p4", WORKED, reduction, all_reduce, .ranks = 4, .share = 1,
             .bound = ROUNDED),
    ON_RANKS(send_start, "p3", WORKED, movement, message, .ranks = 3, .share = 1),
    ON_RANKS(receive_start, "p3", WORKED, movement, message, .ranks = 3, .share = 1),
    FINISH("p2", WORKED, .ranks = 2),
    FINISH("null", NO_HANDLE, .ranks = 1, .variant = VL_SIZE_NONE | VL_NULL),

    SWAP("p2_kib", N_("1 KiB"), .ranks = 2, .share = 0.2, .variant = VL_SIZE_KIB),
    SWAP("p2_mib", N_("1 MiB"), .ranks = 2, .share = 0.3, .variant = VL_SIZE_MIB),
    SWAP("p1_self", N_("with itself"), .ranks = 1, .share = 0.1, .variant = VL_SIZE_LARGE),
    SWAP("p2_empty", NONE, .ranks = 2, .share = 0.1, .variant = VL_SIZE_NONE),
    SWAP("p4_pairs", REVERSED, .ranks = 4, .share = 0.1, .variant = VL_RANKS_REVERSED),
    SWAP("p2_synchronous", UNBUFFERED, .ranks = 2, .share = 0.2, .synchronous = 1),

    SCATTER("p1", ALONE, .ranks = 1, .share = 0.05, .bound = ROUNDED),
    SCATTER("p2_uneven", UNEVEN, .ranks = 2, .share = 0.15, .bound = ROUNDED),
    SCATTER("p3_order", IN_ORDER, .ranks = 3, .share = 0.15, .variant = VL_SIZE_ODD | VL_IN_ORDER),
    SCATTER("p4_few", FEW, .ranks = 4, .share = 0.1, .bound = ROUNDED, .variant = VL_SIZE_FEW),
    SCATTER("p4_empty", NONE, .ranks = 4, .share = 0.05, .bound = ROUNDED, .variant = VL_SIZE_NONE),
    SCATTER("p5_large", LARGE, .ranks = 5, .share = 0.15, .bound = ROUNDED,
            .variant = VL_SIZE_LARGE),
    SCATTER("p8_order", REVERSED, .ranks = 8, .share = 0.2,
            .variant = VL_SIZE_PRIME | VL_IN_ORDER | VL_RANKS_REVERSED),
    SCATTER("p4_synchronous", UNBUFFERED, .ranks = 4, .share = 0.15, .bound = ROUNDED,
            .variant = VL_SIZE_EVEN, .synchronous = 1),

    GATHER("p1", ALONE, .ranks = 1, .share = 0.05, .variant = VL_SIZE_ODD),
    GATHER("p2_uneven", UNEVEN, .ranks = 2, .share = 0.15, .variant = VL_SIZE_ODD),
    GATHER("p3_large", LARGE, .ranks = 3, .share = 0.15, .variant = VL_SIZE_LARGE),
    GATHER("p4_wide", N_("elements of eight bytes"), .ranks = 4, .share = 0.15,
           .variant = VL_SIZE_PRIME | VL_EIGHT_BYTES),
    GATHER("p4_empty", NONE, .ranks = 4, .share = 0.05, .variant = VL_SIZE_NONE),
    GATHER("p5_bytes", BYTES, .ranks = 5, .share = 0.15,
           .variant = VL_SIZE_ODD | VL_ONE_BYTE | VL_RANKS_REVERSED),
    GATHER("p8_few", FEW, .ranks = 8, .share = 0.15, .variant = VL_SIZE_FEW),
    GATHER("p4_synchronous", UNBUFFERED, .ranks = 4, .share = 0.15, .variant = VL_SIZE_EVEN,
           .synchronous = 1),

    REDUCE("p1", ALONE, .ranks = 1, .share = 0.05, .bound = ROUNDED),
    REDUCE("p2_large", LARGE, .ranks = 2, .share = 0.15, .bound = ROUNDED,
           .variant = VL_SIZE_LARGE),
    REDUCE("p3_order", IN_ORDER, .ranks = 3, .share = 0.15, .variant = VL_SIZE_PRIME | VL_IN_ORDER),
    REDUCE("p4_uneven", REVERSED, .ranks = 4, .share = 0.15, .bound = ROUNDED,
           .variant = VL_RANKS_REVERSED),
    REDUCE("p4_empty", NONE, .ranks = 4, .share = 0.05, .bound = ROUNDED, .variant = VL_SIZE_NONE),
    REDUCE("p5_few", FEW, .ranks = 5, .share = 0.15, .bound = ROUNDED, .variant = VL_SIZE_FEW),
    REDUCE("p8_order", IN_ORDER, .ranks = 8, .share = 0.15, .variant = VL_SIZE_ODD | VL_IN_ORDER),
    REDUCE("p4_synchronous", UNBUFFERED, .ranks = 4, .share = 0.15, .bound = ROUNDED,
           .variant = VL_SIZE_EVEN, .synchronous = 1),

    POLL("p1_null", NO_HANDLE, .ranks = 1, .share = 0.1, .variant = VL_SIZE_NONE | VL_NULL),
    POLL("p2_alone", N_("the other rank has not begun"), .ranks = 2, .share = 0.4,
         .variant = VL_SIZE_ODD | VL_POLL_EARLY),
    POLL("p2_two", N_("two transfers at once"), .ranks = 2, .share = 0.25),
    POLL("p4_two", N_("two long transfers at once"), .ranks = 4, .share = 0.25,
         .variant = VL_SIZE_LARGE),

    TREE("p1", ALONE, .ranks = 1, .share = 0.05, .variant = VL_SIZE_ODD),
    TREE("p2_last", N_("the last rank is the root"), .ranks = 2, .share = 0.15,
         .variant = VL_SIZE_ODD | VL_ROOT_LAST),
    TREE("p3_large", LARGE, .ranks = 3, .share = 0.15, .variant = VL_SIZE_LARGE | VL_ROOT_MIDDLE),
    TREE("p3_bad_root", REFUSED, .ranks = 3, .share = 0.05, .variant = VL_BAD_ARGUMENT),
    TREE("p4_empty", NONE, .ranks = 4, .share = 0.05, .variant = VL_SIZE_NONE),
    TREE("p5_bytes", BYTES, .ranks = 5, .share = 0.2,
         .variant = VL_SIZE_PRIME | VL_ONE_BYTE | VL_ROOT_LAST | VL_RANKS_REVERSED),
    TREE("p8_middle", N_("a rank in the middle is the root"), .ranks = 8, .share = 0.2,
         .variant = VL_SIZE_ODD | VL_ROOT_MIDDLE),
    TREE("p4_synchronous", UNBUFFERED, .ranks = 4, .share = 0.15, .variant = VL_SIZE_EVEN,
         .synchronous = 1),

    PAIRS("p1", ALONE, .ranks = 1, .share = 0.05, .variant = VL_SIZE_ODD),
    PAIRS("p2_uneven", UNEVEN, .ranks = 2, .share = 0.15, .variant = VL_SIZE_ODD),
    PAIRS("p3_large", LARGE, .ranks = 3, .share = 0.15, .variant = VL_SIZE_LARGE),
    PAIRS("p4_empty", NONE, .ranks = 4, .share = 0.05, .variant = VL_SIZE_NONE),
    PAIRS("p4_holes", HOLES, .ranks = 4, .share = 0.15, .variant = VL_EMPTY_PIECES | VL_ONE_BYTE),
    PAIRS("p5_reversed", REVERSED, .ranks = 5, .share = 0.15, .variant = VL_RANKS_REVERSED),
    PAIRS("p8_holes", HOLES, .ranks = 8, .share = 0.15, .variant = VL_EMPTY_PIECES),
    PAIRS("p4_synchronous", UNBUFFERED, .ranks = 4, .share = 0.15, .synchronous = 1),

    LEVELS("p3_none", REFUSED, .ranks = 3, .share = 0.1, .variant = VL_PER_NODE(0)),
    LEVELS("p4_alone", ONE_EACH, .ranks = 4, .share = 0.1, .variant = VL_PER_NODE(1)),
    LEVELS("p4_pairs", TWO_EACH, .ranks = 4, .share = 0.4, .variant = VL_PER_NODE(2)),
    LEVELS("p5_ragged", N_("nodes that cannot be filled are refused"), .ranks = 5, .share = 0.2,
           .variant = VL_PER_NODE(2)),
    LEVELS("p8_fours", FOUR_EACH, .ranks = 8, .share = 0.2,
           .variant = VL_PER_NODE(4) | VL_RANKS_REVERSED),
    LEVELS_FREE("p1_null", N_("no communicators at all"), .ranks = 1, .share = 0.3,
                .variant = VL_PER_NODE(1) | VL_NULL),
    LEVELS_FREE("p4_pairs", TWO_EACH, .ranks = 4, .share = 0.7, .variant = VL_PER_NODE(2)),
    TWO_LEVEL("p4_alone", ONE_EACH, .ranks = 4, .share = 0.15, .variant = VL_PER_NODE(1)),
    TWO_LEVEL("p4_one_node", N_("one node"), .ranks = 4, .share = 0.15,
              .variant = VL_PER_NODE(4) | VL_SIZE_FEW),
    TWO_LEVEL("p4_empty", NONE, .ranks = 4, .share = 0.1, .variant = VL_PER_NODE(2) | VL_SIZE_NONE),
    TWO_LEVEL("p8_pairs", TWO_EACH, .ranks = 8, .share = 0.3,
              .variant = VL_PER_NODE(2) | VL_SIZE_PRIME),
    TWO_LEVEL("p8_fours", FOUR_EACH, .ranks = 8, .share = 0.3,
              .variant = VL_PER_NODE(4) | VL_SIZE_ODD | VL_RANKS_REVERSED),

    TRAFFIC(broadcast, "p4", WHO_SENDS, movement, sending, .ranks = 4, .share = 0.35,
            .variant = VL_SIZE_ODD | VL_ROOT_MIDDLE),
    TRAFFIC(broadcast, "p5", N_("everybody receives once"), movement, sending, .ranks = 5,
            .share = 0.3, .variant = VL_SIZE_ODD | VL_ROOT_LAST),
    TRAFFIC(broadcast, "p8", WHO_SENDS, movement, sending, .ranks = 8, .share = 0.35),
    TRAFFIC(reduce_scatter, "p4", EVEN, reduction, scattering, .ranks = 4, .share = 0.5,
            .variant = VL_SIZE_EVEN),
    TRAFFIC(reduce_scatter, "p5", UNEVEN, reduction, scattering, .ranks = 5, .share = 0.5),
    TRAFFIC(all_gather, "p4", EVEN, movement, gathering, .ranks = 4, .share = 0.5,
            .variant = VL_SIZE_EVEN | VL_EIGHT_BYTES),
    TRAFFIC(all_gather, "p5", UNEVEN, movement, gathering, .ranks = 5, .share = 0.5),
    TRAFFIC(all_reduce, "p4", EVEN, reduction, reducing, .ranks = 4, .share = 0.5,
            .variant = VL_SIZE_EVEN),
    TRAFFIC(all_reduce, "p5", UNEVEN, reduction, reducing, .ranks = 5, .share = 0.5),
    TRAFFIC(all_to_all, "p4", UNEVEN, all_to_all, swapping, .ranks = 4, .share = 0.5),
    TRAFFIC(all_to_all, "p5_holes", HOLES, all_to_all, swapping, .ranks = 5, .share = 0.5,
            .variant = VL_EMPTY_PIECES),
    TRAFFIC(two_level, "p8_pairs", ELSEWHERE, two_level, climbing, .ranks = 8, .share = 0.5,
            .variant = VL_PER_NODE(2) | VL_SIZE_ODD),
    TRAFFIC(two_level, "p8_fours", ELSEWHERE, two_level, climbing, .ranks = 8, .share = 0.5,
            .variant = VL_PER_NODE(4) | VL_SIZE_EVEN),

    SECONDS_AND_REFUSAL(broadcast, MANY_RANKS),
    SECONDS_AND_REFUSAL(reduce_scatter, MANY_RANKS),
    SECONDS_AND_REFUSAL(all_gather, MANY_RANKS),
    SECONDS_AND_REFUSAL(all_reduce, MANY_RANKS),
    SECONDS_AND_REFUSAL(two_level, MANY_NODES),
    SEALED("ring_bytes", N_("bytes sent by one rank"), bytes, .share = 0.35),
    SEALED("root_messages", N_("messages sent by the root"), messages, .share = 0.3),
    SEALED("break_even", N_("the size at which two ways cost the same"), break_even, .share = 0.35),
};

#define TIMING(name)                                                                               \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = N_("speed"), .bound = 1e-5,      \
        .needs = (const char *const[]){"vl_" #name, NULL}, .ranks = 2                              \
    }

static const struct vl_timing timings[] = {
    TIMING(broadcast),        TIMING(reduce_scatter_start), TIMING(all_gather_start),
    TIMING(all_reduce_start), TIMING(all_to_all),
};

VL_TIMED_LAB_CASES(collectives);
