/*
 * Lab 02 inside the grader: makers of inputs, and truths.
 *
 * Row r of an array belongs to rank r, which gets no other. There are P ranks ("ranks") and n
 * elements ("n") of "element_bytes" each; "tag", "root" and "peer" are those of the contracts.
 * Data to be added is "data" (P, n) float32. Data that is only moved is "data" U8 (P, n *
 * element_bytes); its bytes are below VL_BYTE_VALUES, so that a byte that was never written
 * differs from all of them. Outputs show bytes as numbers, (n, element_bytes).
 */
#ifndef VIALATA_GRADE_LABS_02_COLLECTIVES_COLLECTIVES_H
#define VIALATA_GRADE_LABS_02_COLLECTIVES_COLLECTIVES_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "oracle/collectives.h"

/* What is special about a case, its 'variant': one size, and any of the flags. */
enum vl_collectives_variant {
    VL_SIZE_ODD,        /* n not divisible by P */
    VL_SIZE_EVEN,       /* n divisible by P */
    VL_SIZE_PRIME,      /* n prime */
    VL_SIZE_FEW,        /* 0 < n < P */
    VL_SIZE_NONE,       /* n = 0 */
    VL_SIZE_LARGE,      /* messages too long for any buffer of MPI, and n not divisible by P */
    VL_SIZE_KIB,        /* 1 KiB */
    VL_SIZE_MIB,        /* 1 MiB */
    VL_SIZE_LARGE_EVEN, /* messages as long, and n divisible by P */
    VL_SIZE_LONG,       /* chunks of more than 1 MiB, and no multiple of it */
    VL_SIZE_TOO_LONG,   /* a chunk above INT_MAX bytes; memory is there for one element only */
    VL_SIZES = 0xf,

    VL_BAD_ARGUMENT = 0x10,   /* outside the contract */
    VL_RANKS_REVERSED = 0x20, /* the communicator numbers the ranks in reverse */
    VL_ROOT_LAST = 0x40,      /* root P - 1; otherwise 0 */
    VL_ROOT_MIDDLE = 0x80,    /* root P / 2 */
    VL_ONE_BYTE = 0x100,      /* elements of one byte; otherwise four */
    VL_EIGHT_BYTES = 0x200,
    VL_EMPTY_PIECES = 0x400, /* some pieces of an all-to-all are empty */
    VL_IN_ORDER = 0x800,     /* the order of the additions counts */
    VL_POLL_EARLY = 0x1000,  /* the other rank has not begun yet */
    VL_NULL = 0x2000,        /* no transfer, no communicators */
    VL_UNBUFFERED = 0x4000,  /* every send waits for its receive */
    VL_TURNS = 0x8000, /* each rank starts when the one before it has started. An exchange: one
                              * pair after the other, with further messages under way */
    VL_TWELVE_BYTES = 0x10000,
    VL_CROWDED = 0x20000, /* a second transfer is under way */
    VL_LATE = 0x40000, /* two broadcasts; one rank begins the first when others are in the second */
    VL_ONE_PER_NODE = 0x100000
};
/* The number of ranks per node, as a flag; and the same number, out of a variant. */
#define VL_PER_NODE(ranks)   ((ranks)*VL_ONE_PER_NODE)
#define VL_RANKS_OF(variant) ((variant) / VL_ONE_PER_NODE)

#define VL_BYTE_VALUES 0xee /* bytes of inputs are below; this value means "not written" */
#define VL_QUESTIONS   8    /* in one case about seconds */

/* reduction: reduce-scatter, all-reduce; movement: broadcast, all-gather, one message, poll; road:
 * seconds; sealed_road: the numbers in the lab's text */
vl_make_function vl_make_chunk, vl_make_exchange, vl_make_reduction, vl_make_movement,
    vl_make_all_to_all, vl_make_levels, vl_make_road;
vl_part_function vl_part_collectives;
vl_truth_function vl_truth_chunk, vl_truth_exchange, vl_truth_message, vl_truth_broadcast,
    vl_truth_reduce_scatter, vl_truth_all_gather, vl_truth_all_reduce, vl_truth_poll,
    vl_truth_poll_sum, vl_truth_all_to_all, vl_truth_levels, vl_truth_levels_free;
vl_truth_function vl_truth_broadcast_traffic, vl_truth_reduce_scatter_traffic,
    vl_truth_all_gather_traffic, vl_truth_all_reduce_traffic, vl_truth_all_to_all_traffic,
    vl_truth_two_level_traffic;
vl_truth_function vl_truth_broadcast_seconds, vl_truth_reduce_scatter_seconds,
    vl_truth_all_gather_seconds, vl_truth_all_reduce_seconds, vl_truth_two_level_seconds,
    vl_truth_sealed_bytes, vl_truth_sealed_messages, vl_truth_sealed_break_even;

/* The inputs of a case, read once; 0 where the case has no such input. */
struct vl_collective {
    const struct vl_bag *inputs;
    size_t n, element_bytes;
    int ranks, root, per_node;
};
struct vl_collective vl_collective_of(const struct vl_bag *inputs);
/* Elements that rank 'from' sends to rank 'to' in an all-to-all. */
size_t vl_piece_count(const struct vl_collective *c, int from, int to);

/* A truth worked out rank by rank: VL_EACH_RANK(name) { put what 'rank' must have into s } */
typedef void vl_rank_fn(struct vl_scope *s, const struct vl_collective *c, int rank);
void vl_each_rank(struct vl_scope *s, vl_rank_fn *fill);
#define VL_EACH_RANK(name)                                                                         \
    static void name##_of(struct vl_scope *s, const struct vl_collective *c, int rank);            \
    VL_SCOPED_TRUTH(name)                                                                          \
    {                                                                                              \
        vl_each_rank(s, name##_of);                                                                \
    }                                                                                              \
    static void name##_of(struct vl_scope *s, const struct vl_collective *c, int rank)

#endif
