/*
 * Lab 02's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/02_collectives/collectives.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

#define ROUNDED 1e-5 /* the bound for sums; without a bound, bits are compared */
#define FLOOR   1e-6
/* What is added is about 1, and a sum that happens to be near 0 has the error of its terms. */
#define SUM_FLOOR 0.1

/* A VL_CASE whose variant comes before the further fields. */
#define CASE(name, asks, maker, right, special, phrase, flags, ...)                                \
    VL_CASE(#name, asks, maker, right, special, phrase, .variant = flags, __VA_ARGS__)
#define SERIAL(name, maker, right, ...)                                                            \
    CASE(name, "vl_" #name, maker, right, __VA_ARGS__, .ranks = 1)
/* On P ranks, as its id says. Sums whose order is promised must have the right bits. */
#define RANKED(name, asks, maker, right, error, P, special, phrase, flags, ...)                    \
    CASE(name, asks, maker, right, "p" #P special, phrase, flags, .ranks = P, .per_rank = 1,       \
         .part = vl_part_collectives, .bound = VL_IN_ORDER & (flags) ? 0 : (error),                \
         .synchronous = (VL_UNBUFFERED & (flags)) != 0, __VA_ARGS__)
#define MOVED(name, maker, right, ...)                                                             \
    RANKED(name, "vl_" #name, maker, right, 0, __VA_ARGS__, .floor = FLOOR)
#define ADDED(name, maker, right, ...)                                                             \
    RANKED(name, "vl_" #name, maker, right, ROUNDED, __VA_ARGS__, .floor = SUM_FLOOR)
/* What the meter counted while 'need' was called. The data is long, so that what MPI adds cannot hide
 * who sends it. */
#define TRAFFIC(name, maker, need, ...)                                                            \
    RANKED(name##_traffic, #name "_traffic", maker, name##_traffic, 0, __VA_ARGS__, .floor = 1,    \
           .needs = need)

#define CHUNK(...)       SERIAL(chunk, chunk, chunk, __VA_ARGS__, .share = 0.5, .floor = FLOOR)
#define SWAP(...)        MOVED(exchange, exchange, exchange, __VA_ARGS__)
#define SCATTER(...)     ADDED(reduce_scatter_start, reduction, reduce_scatter, __VA_ARGS__)
#define GATHER(...)      MOVED(all_gather_start, movement, all_gather, __VA_ARGS__)
#define REDUCE(...)      ADDED(all_reduce_start, reduction, all_reduce, __VA_ARGS__)
#define POLL(...)        MOVED(transfer_poll, movement, poll, __VA_ARGS__, .needs = gathering)
#define POLL_SENT(...)   MOVED(transfer_poll, movement, poll, __VA_ARGS__, .idle = 1)
#define POLL_SUM(...)    ADDED(transfer_poll, reduction, poll_sum, __VA_ARGS__, .needs = scattering)
#define TREE(...)        MOVED(broadcast, movement, broadcast, __VA_ARGS__)
#define PAIRS(...)       MOVED(all_to_all, all_to_all, all_to_all, __VA_ARGS__)
#define LEVELS(...)      MOVED(levels_create, levels, levels, __VA_ARGS__)
#define LEVELS_FREE(...) MOVED(levels_free, levels, levels_free, __VA_ARGS__)
#define TWO_LEVEL(...)                                                                             \
    ADDED(all_reduce_two_level, reduction, all_reduce, __VA_ARGS__, .uses = starting)
#define SECONDS(name, ...)                                                                         \
    SERIAL(name##_seconds, road, name##_seconds, __VA_ARGS__, .bound = ROUNDED, .floor = 1e-12)
/* A plain case and one that must be refused. */
#define SECONDS_AND_REFUSAL(name, phrase)                                                          \
    SECONDS(name, "plain", phrase, 0, .share = 0.9),                                               \
        SECONDS(name, "negative", REFUSED, VL_BAD_ARGUMENT, .share = 0.1)
#define SEALED(right, special, phrase, ...)                                                        \
    SERIAL(predict_collectives, shapes, sealed_##right, special, phrase, 0, __VA_ARGS__,           \
           .bound = ROUNDED, .floor = FLOOR, .sealed = 1)

static const char *const sending[] = {"vl_broadcast", NULL};
static const char *const scattering[] = {"vl_reduce_scatter_start", "vl_transfer_finish", NULL};
static const char *const gathering[] = {"vl_all_gather_start", "vl_transfer_finish", NULL};
static const char *const reducing[] = {"vl_all_reduce_start", "vl_transfer_finish", NULL};
static const char *const polling[] = {"vl_transfer_poll", "vl_transfer_finish", NULL};
static const char *const swapping[] = {"vl_all_to_all", NULL};
static const char *const climbing[] = {"vl_all_reduce_two_level", NULL};
/* What the blocking forms and the two levels are made of. */
static const char *const starting[] = {"vl_reduce_scatter_start", "vl_all_gather_start",
                                       "vl_all_reduce_start", NULL};

#define UNEQUAL    N_("chunks of unequal size")
#define EQUAL      N_("chunks of equal size")
#define REVERSED   N_("ranks in another order")
#define REFUSED    N_("a bad argument is refused")
#define WHO_SENDS  N_("who sends how often")
#define ELSEWHERE  N_("bytes from other nodes")
#define NO_HANDLE  N_("no transfer at all")
#define UNFILLED   N_("nodes that cannot be filled are refused")
#define MANY_RANKS N_("several numbers of ranks")

/* What is special about a case: the end of its id, in words, and its variant, to which flags may be
 * added: LARGE | VL_ROOT_LAST. */
#define GIVEN      "", N_("as it was given"), VL_SIZE_ODD
#define ALONE      "", N_("one rank"), VL_SIZE_ODD
#define UNEVEN     "_uneven", UNEQUAL, VL_SIZE_ODD
#define FEW        "_few", N_("fewer elements than ranks"), VL_SIZE_FEW
#define NONE       "_empty", N_("no elements"), VL_SIZE_NONE
#define LARGE      "_large", N_("long messages"), VL_SIZE_LARGE
#define LONG       "_large", N_("long messages"), VL_SIZE_LONG
#define TOO_LONG   "_too_long", REFUSED, VL_SIZE_TOO_LONG
#define TWO        "_two", N_("two transfers at once"), VL_CROWDED
#define TWO_LONG   "_large", N_("two long transfers at once"), VL_SIZE_LONG | VL_CROWDED
#define IN_ORDER   "_order", N_("added in the promised order"), VL_IN_ORDER
#define UNBUFFERED "_synchronous", N_("nothing is buffered"), VL_UNBUFFERED
#define IN_TURN    "_turns", N_("nobody waits in it"), VL_TURNS
#define BYTES      "_bytes", N_("elements of one byte"), VL_ONE_BYTE
#define HOLES      "_holes", N_("empty pieces"), VL_EMPTY_PIECES
#define ONE_EACH   "_alone", N_("one rank per node"), VL_PER_NODE(1)
#define TWO_EACH   "_pairs", N_("two ranks per node"), VL_PER_NODE(2)
#define FOUR_EACH  "_fours", N_("four ranks per node"), VL_PER_NODE(4)

static const struct vl_case cases[] = {
    CHUNK("uneven", UNEQUAL, VL_SIZE_ODD),
    CHUNK("bad_rank", REFUSED, VL_BAD_ARGUMENT),
    ADDED(reduce_scatter, reduction, reduce_scatter, 4, GIVEN, .share = 1, .uses = starting),
    MOVED(all_gather, movement, all_gather, 4, GIVEN, .share = 1, .uses = starting),
    ADDED(all_reduce, reduction, all_reduce, 4, GIVEN, .share = 1, .uses = reducing),
    MOVED(send_start, movement, message, 3, GIVEN, .share = 1),
    MOVED(receive_start, movement, message, 3, GIVEN, .share = 1),
    MOVED(transfer_finish, movement, message, 2, GIVEN, .share = 0.5),
    SERIAL(transfer_finish, movement, message, "null", NO_HANDLE, VL_SIZE_NONE | VL_NULL,
           .share = 0.5, .floor = FLOOR, .per_rank = 1),

    SWAP(2, "_kib", N_("1 KiB"), VL_SIZE_KIB, .share = 0.15),
    SWAP(2, "_mib", N_("1 MiB"), VL_SIZE_MIB, .share = 0.3),
    SWAP(1, "_self", N_("with itself"), VL_SIZE_LARGE, .share = 0.1),
    SWAP(1, TOO_LONG, .share = 0.05),
    SWAP(2, NONE, .share = 0.05),
    SWAP(4, "_pairs", REVERSED, VL_RANKS_REVERSED, .share = 0.15),
    SWAP(2, UNBUFFERED, .share = 0.2),

    SCATTER(1, ALONE, .share = 0.05),
    SCATTER(2, UNEVEN, .share = 0.1),
    SCATTER(2, TOO_LONG, .share = 0.05),
    SCATTER(3, IN_ORDER, .share = 0.15),
    SCATTER(4, FEW, .share = 0.1),
    SCATTER(4, NONE, .share = 0.05),
    SCATTER(5, LARGE, .share = 0.1),
    SCATTER(8, "_order", REVERSED, VL_SIZE_PRIME | VL_IN_ORDER | VL_RANKS_REVERSED, .share = 0.2),
    SCATTER(4, UNBUFFERED | VL_SIZE_EVEN, .share = 0.1),
    SCATTER(3, IN_TURN | VL_UNBUFFERED, .share = 0.1),

    GATHER(1, ALONE, .share = 0.05),
    GATHER(2, UNEVEN, .share = 0.1),
    GATHER(2, TOO_LONG, .share = 0.05),
    GATHER(3, LARGE, .share = 0.1),
    GATHER(3, IN_TURN | VL_UNBUFFERED, .share = 0.1),
    GATHER(4, "_wide", N_("elements of eight bytes"), VL_SIZE_PRIME | VL_EIGHT_BYTES,
           .share = 0.15),
    GATHER(4, NONE, .share = 0.05),
    GATHER(5, BYTES | VL_RANKS_REVERSED, .share = 0.15),
    GATHER(8, FEW | VL_TWELVE_BYTES, .share = 0.15),
    GATHER(4, UNBUFFERED | VL_SIZE_EVEN, .share = 0.1),

    REDUCE(1, ALONE, .share = 0.03),
    REDUCE(1, "_long", N_("one rank"), VL_SIZE_TOO_LONG, .share = 0.02),
    REDUCE(2, TWO | VL_SIZE_EVEN, .share = 0.1, .uses = polling),
    REDUCE(2, TWO_LONG, .share = 0.1, .uses = polling),
    REDUCE(2, TOO_LONG, .share = 0.05),
    REDUCE(3, IN_ORDER | VL_SIZE_PRIME, .share = 0.15),
    REDUCE(4, "_uneven", REVERSED, VL_RANKS_REVERSED, .share = 0.1),
    REDUCE(4, NONE, .share = 0.05),
    REDUCE(5, FEW, .share = 0.1),
    REDUCE(8, IN_ORDER, .share = 0.1),
    REDUCE(4, UNBUFFERED | VL_SIZE_EVEN, .share = 0.1),
    REDUCE(3, IN_TURN | VL_UNBUFFERED, .share = 0.1),

    POLL(1, "_null", NO_HANDLE, VL_SIZE_NONE | VL_NULL, .share = 0.1),
    POLL(3, "_alone", N_("the last rank has not begun"), VL_POLL_EARLY | VL_UNBUFFERED,
         .share = 0.3),
    POLL_SENT(2, "_sent", N_("a message that nobody receives yet"), VL_LATE | VL_SIZE_MIB,
              .share = 0.1),
    POLL(2, "_two", N_("two transfers at once"), VL_SIZE_ODD, .share = 0.2),
    POLL(4, "_two", N_("two long transfers at once"), VL_SIZE_LARGE, .share = 0.15),
    POLL_SUM(2, "_sum", N_("a sum, polled once more when it is done"), VL_SIZE_ODD, .share = 0.15),

    TREE(1, ALONE, .share = 0.05),
    TREE(2, "_last", N_("the last rank is the root"), VL_ROOT_LAST, .share = 0.1),
    TREE(2, TOO_LONG, .share = 0.05),
    TREE(3, LARGE | VL_ROOT_MIDDLE, .share = 0.15),
    TREE(3, "_bad_root", REFUSED, VL_BAD_ARGUMENT, .share = 0.05),
    TREE(4, NONE, .share = 0.05),
    TREE(5, BYTES | VL_SIZE_PRIME | VL_ROOT_LAST | VL_RANKS_REVERSED, .share = 0.2),
    TREE(8, "_middle", N_("a rank in the middle is the root"), VL_ROOT_MIDDLE | VL_LATE,
         .share = 0.2),
    TREE(4, UNBUFFERED | VL_SIZE_EVEN, .share = 0.15),

    PAIRS(1, ALONE, .share = 0.05),
    PAIRS(2, UNEVEN, .share = 0.1),
    PAIRS(2, TOO_LONG, .share = 0.05),
    PAIRS(3, LARGE, .share = 0.15),
    PAIRS(4, NONE, .share = 0.05),
    PAIRS(4, HOLES | VL_ONE_BYTE, .share = 0.15),
    PAIRS(5, "_reversed", REVERSED, VL_RANKS_REVERSED | VL_TWELVE_BYTES, .share = 0.15),
    PAIRS(8, HOLES, .share = 0.15),
    PAIRS(4, UNBUFFERED, .share = 0.15),

    LEVELS(3, "_none", REFUSED, VL_PER_NODE(0), .share = 0.1),
    LEVELS(3, "_fours", UNFILLED, VL_PER_NODE(4), .share = 0.05),
    LEVELS(4, ONE_EACH, .share = 0.1),
    LEVELS(4, TWO_EACH, .share = 0.4),
    LEVELS(5, "_ragged", UNFILLED, VL_PER_NODE(2), .share = 0.15),
    LEVELS(8, FOUR_EACH | VL_RANKS_REVERSED, .share = 0.2),
    LEVELS_FREE(1, "_null", N_("no communicators at all"), VL_PER_NODE(1) | VL_NULL, .share = 0.3),
    LEVELS_FREE(4, TWO_EACH, .share = 0.7, .idle = -1),
    TWO_LEVEL(4, ONE_EACH, .share = 0.1),
    TWO_LEVEL(4, TOO_LONG | VL_PER_NODE(2), .share = 0.05),
    TWO_LEVEL(4, "_one_node", N_("one node"), VL_PER_NODE(4) | VL_SIZE_FEW, .share = 0.15),
    TWO_LEVEL(4, NONE | VL_PER_NODE(2), .share = 0.1),
    TWO_LEVEL(4, LONG | VL_PER_NODE(2), .share = 0.1),
    TWO_LEVEL(8, TWO_EACH | VL_SIZE_PRIME, .share = 0.25),
    TWO_LEVEL(8, FOUR_EACH | VL_RANKS_REVERSED, .share = 0.25),

    TRAFFIC(broadcast, movement, sending, 4, "", WHO_SENDS, VL_ROOT_MIDDLE | VL_SIZE_LARGE,
            .share = 0.35),
    TRAFFIC(broadcast, movement, sending, 5, "", N_("everybody receives once"),
            VL_ROOT_LAST | VL_SIZE_LARGE, .share = 0.3),
    TRAFFIC(broadcast, movement, sending, 8, "", WHO_SENDS, VL_SIZE_LARGE, .share = 0.35),
    TRAFFIC(reduce_scatter, reduction, scattering, 4, "", EQUAL, VL_SIZE_LARGE_EVEN, .share = 0.5),
    TRAFFIC(reduce_scatter, reduction, scattering, 5, "", UNEQUAL, VL_SIZE_LARGE, .share = 0.5),
    TRAFFIC(all_gather, movement, gathering, 4, "", EQUAL, VL_SIZE_LARGE_EVEN | VL_EIGHT_BYTES,
            .share = 0.5),
    TRAFFIC(all_gather, movement, gathering, 5, "", UNEQUAL, VL_SIZE_LARGE, .share = 0.5),
    TRAFFIC(all_reduce, reduction, reducing, 4, "", EQUAL, VL_SIZE_LARGE_EVEN, .share = 0.5),
    TRAFFIC(all_reduce, reduction, reducing, 5, "", UNEQUAL, VL_SIZE_LARGE, .share = 0.5),
    TRAFFIC(all_to_all, all_to_all, swapping, 4, "", UNEQUAL, VL_SIZE_ODD, .share = 0.5),
    TRAFFIC(all_to_all, all_to_all, swapping, 5, HOLES, .share = 0.5),
    TRAFFIC(two_level, reduction, climbing, 8, "_pairs", ELSEWHERE, VL_PER_NODE(2), .share = 0.5,
            .uses = starting),
    TRAFFIC(two_level, reduction, climbing, 8, "_fours", ELSEWHERE, VL_PER_NODE(4) | VL_SIZE_EVEN,
            .share = 0.5, .uses = starting),

    SECONDS_AND_REFUSAL(broadcast, MANY_RANKS),
    SECONDS_AND_REFUSAL(reduce_scatter, MANY_RANKS),
    SECONDS_AND_REFUSAL(all_gather, MANY_RANKS),
    SECONDS_AND_REFUSAL(all_reduce, MANY_RANKS),
    SECONDS_AND_REFUSAL(two_level, N_("several numbers of nodes")),
    SEALED(bytes, "ring_bytes", N_("bytes sent by one rank"), .share = 0.35),
    SEALED(messages, "root_messages", N_("messages sent by the root"), .share = 0.3),
    SEALED(break_even, "break_even", N_("the size at which two ways cost the same"), .share = 0.35),
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
