/*
 * Lab 02's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/02_collectives/collectives.h"

#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define EXACT         0 /* moved, or added in the promised order */
#define FLOOR         1e-6

/* Function, what is special, ranks, phrase, share, bound; then what makes it, its truth, its
 * suspects, the variant. */
#define CASE(name, special, count, phrase, part, most, maker, right, known, kind)                  \
    {                                                                                              \
        .id = #name "." special, .function = "vl_" #name, .purpose = phrase, .ranks = count,       \
        .share = part, .bound = most, .floor = FLOOR, .make = vl_make_##maker,                     \
        .truth = vl_truth_##right, .suspects = known, .variant = kind, .per_rank = 1               \
    }
/* The same where MPI_Send waits for its receive. */
#define SYNCHRONOUS(name, special, count, part, most, maker, right, known, kind)                   \
    {                                                                                              \
        .id = #name "." special, .function = "vl_" #name, .purpose = UNBUFFERED, .ranks = count,   \
        .share = part, .bound = most, .floor = FLOOR, .make = vl_make_##maker,                     \
        .truth = vl_truth_##right, .suspects = known, .variant = kind, .per_rank = 1,              \
        .synchronous = 1                                                                           \
    }

#define SWAP(special, count, phrase, part, kind)                                                   \
    CASE(exchange, special, count, phrase, part, EXACT, exchange, exchange, vl_suspects_exchange,  \
         kind)
#define TREE(special, count, phrase, part, kind)                                                   \
    CASE(broadcast, special, count, phrase, part, EXACT, movement, broadcast,                      \
         vl_suspects_broadcast, kind)
#define SUMS(name, special, count, phrase, part, most, kind)                                       \
    CASE(name##_start, special, count, phrase, part, most, reduction, name, vl_suspects_##name,    \
         kind)
#define GATHER(special, count, phrase, part, kind)                                                 \
    CASE(all_gather_start, special, count, phrase, part, EXACT, movement, all_gather,              \
         vl_suspects_all_gather, kind)
#define POLL(special, count, phrase, part, kind)                                                   \
    {                                                                                              \
        .id = "transfer_poll." special, .function = "vl_transfer_poll", .purpose = phrase,         \
        .ranks = count, .share = part, .bound = EXACT, .floor = FLOOR, .make = vl_make_movement,   \
        .needs = gathering, .truth = vl_truth_poll, .suspects = vl_suspects_poll, .variant = kind, \
        .per_rank = 1                                                                              \
    }
#define PAIRS(special, count, phrase, part, kind)                                                  \
    CASE(all_to_all, special, count, phrase, part, EXACT, all_to_all, all_to_all,                  \
         vl_suspects_all_to_all, kind)
#define LEVELS(special, count, phrase, part, kind)                                                 \
    CASE(levels_create, special, count, phrase, part, EXACT, levels, levels, vl_suspects_levels,   \
         kind)
#define TWO_LEVEL(special, count, phrase, part, kind)                                              \
    CASE(all_reduce_two_level, special, count, phrase, part, ONE_OPERATION, two_level, two_level,  \
         vl_suspects_two_level, kind)

/* Counted: the call of 'need', and what the meter saw of it. */
#define TRAFFIC(name, special, count, phrase, part, maker, need, kind)                             \
    {                                                                                              \
        .id = #name "_traffic." special, .function = #name "_traffic", .purpose = phrase,          \
        .ranks = count, .share = part, .bound = EXACT, .floor = 1, .needs = need,                  \
        .make = vl_make_##maker, .truth = vl_truth_##name##_traffic,                               \
        .suspects = vl_suspects_##name##_traffic, .variant = kind, .per_rank = 1                   \
    }

#define SECONDS(name, special, phrase, part, known, kind)                                          \
    {                                                                                              \
        .id = #name "_seconds." special, .function = "vl_" #name "_seconds", .purpose = phrase,    \
        .ranks = 1, .share = part, .bound = ONE_OPERATION, .floor = 1e-12, .make = vl_make_road,   \
        .truth = vl_truth_##name##_seconds, .suspects = known, .variant = kind                     \
    }
#define SEALED(special, phrase, part, name)                                                        \
    {                                                                                              \
        .id = "predict_collectives." special, .function = "vl_predict_collectives",                \
        .purpose = phrase, .ranks = 1, .share = part, .bound = ONE_OPERATION, .floor = FLOOR,      \
        .make = vl_make_sealed_road, .truth = vl_truth_sealed_##name,                              \
        .suspects = vl_suspects_sealed_##name                                                      \
    }

static const char *const sending[] = {"vl_broadcast", NULL};
static const char *const scattering[] = {"vl_reduce_scatter_start", "vl_transfer_finish", NULL};
static const char *const gathering[] = {"vl_all_gather_start", "vl_transfer_finish", NULL};
static const char *const reducing[] = {"vl_all_reduce_start", "vl_transfer_finish", NULL};
static const char *const swapping[] = {"vl_all_to_all", NULL};
static const char *const climbing[] = {"vl_all_reduce_two_level", NULL};

#define ALONE      N_("one rank")
#define UNEVEN     N_("chunks of unequal size")
#define EVEN       N_("chunks of equal size")
#define PRIME      N_("a prime number of elements")
#define FEW        N_("fewer elements than ranks")
#define NONE       N_("no elements")
#define LARGE      N_("long messages")
#define REVERSED   N_("ranks in another order")
#define IN_ORDER   N_("added in the promised order")
#define UNBUFFERED N_("nothing is buffered")
#define HOLES      N_("empty pieces")
#define BYTES      N_("elements of one byte")
#define EIGHT      N_("elements of eight bytes")
#define REFUSED    N_("a bad argument is refused")
#define WORKED     N_("as it was given")
#define NODES(n)   ((n)*VL_ROAD_NODE)

#define LAST   VL_ROAD_ROOT_LAST
#define MIDDLE VL_ROAD_ROOT_MIDDLE
#define BITS   VL_ROAD_BITS
#define BACK   VL_ROAD_REVERSED

static const struct vl_case cases[] = {
    {.id = "chunk.uneven",
     .function = "vl_chunk",
     .purpose = UNEVEN,
     .ranks = 1,
     .share = 0.5,
     .floor = FLOOR,
     .make = vl_make_chunk,
     .truth = vl_truth_chunk,
     .suspects = vl_suspects_chunk},
    {.id = "chunk.bad_rank",
     .function = "vl_chunk",
     .purpose = REFUSED,
     .ranks = 1,
     .share = 0.5,
     .floor = FLOOR,
     .make = vl_make_chunk,
     .truth = vl_truth_chunk,
     .suspects = vl_suspects_chunk,
     .variant = VL_ROAD_BAD},
    CASE(reduce_scatter, "p4", 4, WORKED, 1, ONE_OPERATION, reduction, reduce_scatter, NULL,
         VL_ROAD_ODD),
    CASE(all_gather, "p4", 4, WORKED, 1, EXACT, movement, all_gather, NULL, VL_ROAD_ODD),
    CASE(all_reduce, "p4", 4, WORKED, 1, ONE_OPERATION, reduction, all_reduce, NULL, VL_ROAD_ODD),
    CASE(send_start, "p3", 3, WORKED, 1, EXACT, movement, message, NULL, VL_ROAD_ODD),
    CASE(receive_start, "p3", 3, WORKED, 1, EXACT, movement, message, NULL, VL_ROAD_ODD),
    CASE(transfer_finish, "p2", 2, WORKED, 0.5, EXACT, movement, finish, NULL, VL_ROAD_ODD),
    CASE(transfer_finish, "null", 1, N_("no transfer at all"), 0.5, EXACT, movement, finish, NULL,
         VL_ROAD_NONE | VL_ROAD_NULL),

    SWAP("p2_kib", 2, N_("1 KiB"), 0.2, VL_ROAD_KIB),
    SWAP("p2_mib", 2, N_("1 MiB"), 0.3, VL_ROAD_MIB),
    SWAP("p1_self", 1, N_("with itself"), 0.1, VL_ROAD_LARGE),
    SWAP("p2_empty", 2, NONE, 0.1, VL_ROAD_NONE),
    SWAP("p4_pairs", 4, REVERSED, 0.1, VL_ROAD_ODD | BACK),
    SYNCHRONOUS(exchange, "p2_synchronous", 2, 0.2, EXACT, exchange, exchange, vl_suspects_exchange,
                VL_ROAD_ODD),

    SUMS(reduce_scatter, "p1", 1, ALONE, 0.05, ONE_OPERATION, VL_ROAD_ODD),
    SUMS(reduce_scatter, "p2_uneven", 2, UNEVEN, 0.15, ONE_OPERATION, VL_ROAD_ODD),
    SUMS(reduce_scatter, "p3_order", 3, IN_ORDER, 0.15, EXACT, VL_ROAD_ODD | BITS),
    SUMS(reduce_scatter, "p4_few", 4, FEW, 0.1, ONE_OPERATION, VL_ROAD_FEW),
    SUMS(reduce_scatter, "p4_empty", 4, NONE, 0.05, ONE_OPERATION, VL_ROAD_NONE),
    SUMS(reduce_scatter, "p5_large", 5, LARGE, 0.15, ONE_OPERATION, VL_ROAD_LARGE),
    SUMS(reduce_scatter, "p8_order", 8, REVERSED, 0.2, EXACT, VL_ROAD_PRIME | BITS | BACK),
    SYNCHRONOUS(reduce_scatter_start, "p4_synchronous", 4, 0.15, ONE_OPERATION, reduction,
                reduce_scatter, vl_suspects_reduce_scatter, VL_ROAD_EVEN),

    GATHER("p1", 1, ALONE, 0.05, VL_ROAD_ODD),
    GATHER("p2_uneven", 2, UNEVEN, 0.15, VL_ROAD_ODD),
    GATHER("p3_large", 3, LARGE, 0.15, VL_ROAD_LARGE),
    GATHER("p4_wide", 4, EIGHT, 0.15, VL_ROAD_PRIME | VL_ROAD_WIDE),
    GATHER("p4_empty", 4, NONE, 0.05, VL_ROAD_NONE),
    GATHER("p5_bytes", 5, BYTES, 0.15, VL_ROAD_ODD | VL_ROAD_NARROW | BACK),
    GATHER("p8_few", 8, FEW, 0.15, VL_ROAD_FEW),
    SYNCHRONOUS(all_gather_start, "p4_synchronous", 4, 0.15, EXACT, movement, all_gather,
                vl_suspects_all_gather, VL_ROAD_EVEN),

    SUMS(all_reduce, "p1", 1, ALONE, 0.05, ONE_OPERATION, VL_ROAD_ODD),
    SUMS(all_reduce, "p2_large", 2, LARGE, 0.15, ONE_OPERATION, VL_ROAD_LARGE),
    SUMS(all_reduce, "p3_order", 3, IN_ORDER, 0.15, EXACT, VL_ROAD_PRIME | BITS),
    SUMS(all_reduce, "p4_uneven", 4, REVERSED, 0.15, ONE_OPERATION, VL_ROAD_ODD | BACK),
    SUMS(all_reduce, "p4_empty", 4, NONE, 0.05, ONE_OPERATION, VL_ROAD_NONE),
    SUMS(all_reduce, "p5_few", 5, FEW, 0.15, ONE_OPERATION, VL_ROAD_FEW),
    SUMS(all_reduce, "p8_order", 8, IN_ORDER, 0.15, EXACT, VL_ROAD_ODD | BITS),
    SYNCHRONOUS(all_reduce_start, "p4_synchronous", 4, 0.15, ONE_OPERATION, reduction, all_reduce,
                vl_suspects_all_reduce, VL_ROAD_EVEN),

    POLL("p1_null", 1, N_("no transfer at all"), 0.1, VL_ROAD_NONE | VL_ROAD_NULL),
    POLL("p2_alone", 2, N_("the other rank has not begun"), 0.4, VL_ROAD_ODD | VL_ROAD_ALONE),
    POLL("p2_two", 2, N_("two transfers at once"), 0.25, VL_ROAD_ODD),
    POLL("p4_two", 4, N_("two long transfers at once"), 0.25, VL_ROAD_LARGE),

    TREE("p1", 1, ALONE, 0.05, VL_ROAD_ODD),
    TREE("p2_last", 2, N_("the last rank is the root"), 0.15, VL_ROAD_ODD | LAST),
    TREE("p3_large", 3, LARGE, 0.15, VL_ROAD_LARGE | MIDDLE),
    TREE("p3_bad_root", 3, REFUSED, 0.05, VL_ROAD_ODD | VL_ROAD_BAD),
    TREE("p4_empty", 4, NONE, 0.05, VL_ROAD_NONE),
    TREE("p5_bytes", 5, BYTES, 0.2, VL_ROAD_PRIME | VL_ROAD_NARROW | LAST | BACK),
    TREE("p8_middle", 8, N_("a rank in the middle is the root"), 0.2, VL_ROAD_ODD | MIDDLE),
    SYNCHRONOUS(broadcast, "p4_synchronous", 4, 0.15, EXACT, movement, broadcast,
                vl_suspects_broadcast, VL_ROAD_EVEN),

    PAIRS("p1", 1, ALONE, 0.05, VL_ROAD_ODD),
    PAIRS("p2_uneven", 2, UNEVEN, 0.15, VL_ROAD_ODD),
    PAIRS("p3_large", 3, LARGE, 0.15, VL_ROAD_LARGE),
    PAIRS("p4_empty", 4, NONE, 0.05, VL_ROAD_NONE),
    PAIRS("p4_holes", 4, HOLES, 0.15, VL_ROAD_ODD | VL_ROAD_HOLES | VL_ROAD_NARROW),
    PAIRS("p5_reversed", 5, REVERSED, 0.15, VL_ROAD_ODD | BACK),
    PAIRS("p8_holes", 8, HOLES, 0.15, VL_ROAD_ODD | VL_ROAD_HOLES),
    SYNCHRONOUS(all_to_all, "p4_synchronous", 4, 0.15, EXACT, all_to_all, all_to_all,
                vl_suspects_all_to_all, VL_ROAD_ODD),

    LEVELS("p3_none", 3, REFUSED, 0.1, NODES(0)),
    LEVELS("p4_alone", 4, N_("one rank a node"), 0.1, NODES(1)),
    LEVELS("p4_pairs", 4, N_("two ranks a node"), 0.4, NODES(2)),
    LEVELS("p5_ragged", 5, N_("nodes that cannot be filled are refused"), 0.2, NODES(2)),
    LEVELS("p8_fours", 8, N_("four ranks a node"), 0.2, NODES(4) | BACK),
    CASE(levels_free, "p1_null", 1, N_("no communicators at all"), 0.3, EXACT, levels, levels_free,
         NULL, NODES(1) | VL_ROAD_NULL),
    CASE(levels_free, "p4_pairs", 4, N_("two ranks a node"), 0.7, EXACT, levels, levels_free, NULL,
         NODES(2)),
    TWO_LEVEL("p4_alone", 4, N_("one rank a node"), 0.15, NODES(1) | VL_ROAD_ODD),
    TWO_LEVEL("p4_one_node", 4, N_("one node"), 0.15, NODES(4) | VL_ROAD_FEW),
    TWO_LEVEL("p4_empty", 4, NONE, 0.1, NODES(2) | VL_ROAD_NONE),
    TWO_LEVEL("p8_pairs", 8, N_("two ranks a node"), 0.3, NODES(2) | VL_ROAD_PRIME),
    TWO_LEVEL("p8_fours", 8, N_("four ranks a node"), 0.3, NODES(4) | VL_ROAD_ODD | BACK),

    TRAFFIC(broadcast, "p4", 4, N_("who sends how often"), 0.35, movement, sending,
            VL_ROAD_ODD | MIDDLE),
    TRAFFIC(broadcast, "p5", 5, N_("everybody receives once"), 0.3, movement, sending,
            VL_ROAD_ODD | LAST),
    TRAFFIC(broadcast, "p8", 8, N_("who sends how often"), 0.35, movement, sending, VL_ROAD_ODD),
    TRAFFIC(reduce_scatter, "p4", 4, EVEN, 0.5, reduction, scattering, VL_ROAD_EVEN),
    TRAFFIC(reduce_scatter, "p5", 5, UNEVEN, 0.5, reduction, scattering, VL_ROAD_ODD),
    TRAFFIC(all_gather, "p4", 4, EVEN, 0.5, movement, gathering, VL_ROAD_EVEN | VL_ROAD_WIDE),
    TRAFFIC(all_gather, "p5", 5, UNEVEN, 0.5, movement, gathering, VL_ROAD_ODD),
    TRAFFIC(all_reduce, "p4", 4, EVEN, 0.5, reduction, reducing, VL_ROAD_EVEN),
    TRAFFIC(all_reduce, "p5", 5, UNEVEN, 0.5, reduction, reducing, VL_ROAD_ODD),
    TRAFFIC(all_to_all, "p4", 4, UNEVEN, 0.5, all_to_all, swapping, VL_ROAD_ODD),
    TRAFFIC(all_to_all, "p5_holes", 5, HOLES, 0.5, all_to_all, swapping,
            VL_ROAD_ODD | VL_ROAD_HOLES),
    TRAFFIC(two_level, "p8_pairs", 8, N_("bytes from other nodes"), 0.5, two_level, climbing,
            NODES(2) | VL_ROAD_ODD),
    TRAFFIC(two_level, "p8_fours", 8, N_("bytes from other nodes"), 0.5, two_level, climbing,
            NODES(4) | VL_ROAD_EVEN),

    SECONDS(broadcast, "plain", N_("several numbers of ranks"), 0.9, vl_suspects_tree_seconds, 0),
    SECONDS(broadcast, "negative", REFUSED, 0.1, vl_suspects_tree_seconds, VL_ROAD_BAD),
    SECONDS(reduce_scatter, "plain", N_("several numbers of ranks"), 0.9, vl_suspects_ring_seconds,
            0),
    SECONDS(reduce_scatter, "negative", REFUSED, 0.1, vl_suspects_ring_seconds, VL_ROAD_BAD),
    SECONDS(all_gather, "plain", N_("several numbers of ranks"), 0.9, vl_suspects_ring_seconds, 0),
    SECONDS(all_gather, "negative", REFUSED, 0.1, vl_suspects_ring_seconds, VL_ROAD_BAD),
    SECONDS(all_reduce, "plain", N_("several numbers of ranks"), 0.9,
            vl_suspects_all_reduce_seconds, 0),
    SECONDS(all_reduce, "negative", REFUSED, 0.1, vl_suspects_all_reduce_seconds, VL_ROAD_BAD),
    SECONDS(two_level, "plain", N_("several numbers of nodes"), 0.9, vl_suspects_two_level_seconds,
            0),
    SECONDS(two_level, "negative", REFUSED, 0.1, vl_suspects_two_level_seconds, VL_ROAD_BAD),
    SEALED("ring_bytes", N_("bytes sent by one rank"), 0.35, bytes),
    SEALED("root_messages", N_("messages sent by the root"), 0.3, messages),
    SEALED("break_even", N_("the size at which two ways cost the same"), 0.35, break_even),
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

const struct vl_lab_cases vl_cases_collectives = {2, cases, COUNT(cases), timings, COUNT(timings)};
