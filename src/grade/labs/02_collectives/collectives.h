/*
 * Lab 02 inside the grader: makers of inputs, truths and suspects.
 *
 * One bag of inputs for all ranks: row r of an array is rank r's. P ranks ("ranks"), n elements
 * ("n") of "element_bytes"; "tag", "root", "peer" as in the contracts. Float arrays: "data" (P, n).
 * What is only moved travels as bytes: "data" U8 (P, n * element_bytes), the values below
 * VL_ROAD_VALUES, so that a byte never written can be told from all others. Outputs show bytes as
 * numbers, (n, element_bytes).
 */
#ifndef VIALATA_GRADE_LABS_02_COLLECTIVES_COLLECTIVES_H
#define VIALATA_GRADE_LABS_02_COLLECTIVES_COLLECTIVES_H

#include "grade/catalogue/case.h"
#include "oracle/collectives.h"

/* What is special about a case; 'variant' of struct vl_case: a size and any of the flags. */
enum vl_road_variant {
    VL_ROAD_ODD,   /* n not divisible by P */
    VL_ROAD_EVEN,  /* n divisible */
    VL_ROAD_PRIME, /* n prime */
    VL_ROAD_FEW,   /* 0 < n < P */
    VL_ROAD_NONE,  /* n = 0 */
    VL_ROAD_LARGE, /* messages that no buffer of MPI takes, and not divisible */
    VL_ROAD_KIB,   /* 1 KiB */
    VL_ROAD_MIB,   /* 1 MiB */
    VL_ROAD_SIZES = 0xf,

    VL_ROAD_BAD = 0x10,         /* an argument outside the contract */
    VL_ROAD_REVERSED = 0x20,    /* the communicator runs the other way round */
    VL_ROAD_ROOT_LAST = 0x40,   /* root P - 1; else 0 */
    VL_ROAD_ROOT_MIDDLE = 0x80, /* root P / 2 */
    VL_ROAD_NARROW = 0x100,     /* elements of one byte; else four */
    VL_ROAD_WIDE = 0x200,       /* eight */
    VL_ROAD_HOLES = 0x400,      /* all-to-all: empty pieces */
    VL_ROAD_BITS = 0x800,       /* the order of the additions counts */
    VL_ROAD_ALONE = 0x1000,     /* poll: the other rank has not begun */
    VL_ROAD_NULL = 0x2000,      /* no transfer, no communicators */
    VL_ROAD_NODE = 0x10000      /* times ranks_per_node */
};

#define VL_ROAD_VALUES  0xee /* bytes of inputs are below; this one stands for "not written" */
#define VL_ROAD_LENGTHS 8    /* most rank counts in one case of a cost */

VL_MAKE(chunk);
VL_MAKE(exchange);
VL_MAKE(reduction); /* reduce-scatter, all-reduce */
VL_MAKE(movement);  /* broadcast, all-gather, one message, poll */
VL_MAKE(all_to_all);
VL_MAKE(levels);
VL_MAKE(two_level);
VL_MAKE(road);        /* costs */
VL_MAKE(sealed_road); /* the case that the lab's text gives */

VL_TRUTH(chunk);
VL_TRUTH(exchange);
VL_TRUTH(message);
VL_TRUTH(finish);
VL_TRUTH(broadcast);
VL_TRUTH(reduce_scatter);
VL_TRUTH(all_gather);
VL_TRUTH(all_reduce);
VL_TRUTH(poll);
VL_TRUTH(all_to_all);
VL_TRUTH(levels);
VL_TRUTH(levels_free);
VL_TRUTH(two_level);

VL_TRUTH(broadcast_traffic);
VL_TRUTH(reduce_scatter_traffic);
VL_TRUTH(all_gather_traffic);
VL_TRUTH(all_reduce_traffic);
VL_TRUTH(all_to_all_traffic);
VL_TRUTH(two_level_traffic);

VL_TRUTH(broadcast_seconds);
VL_TRUTH(reduce_scatter_seconds);
VL_TRUTH(all_gather_seconds);
VL_TRUTH(all_reduce_seconds);
VL_TRUTH(two_level_seconds);
VL_TRUTH(sealed_bytes);
VL_TRUTH(sealed_messages);
VL_TRUTH(sealed_break_even);

extern const struct vl_suspect vl_suspects_chunk[];
extern const struct vl_suspect vl_suspects_exchange[];
extern const struct vl_suspect vl_suspects_broadcast[];
extern const struct vl_suspect vl_suspects_reduce_scatter[];
extern const struct vl_suspect vl_suspects_all_gather[];
extern const struct vl_suspect vl_suspects_all_reduce[];
extern const struct vl_suspect vl_suspects_poll[];
extern const struct vl_suspect vl_suspects_all_to_all[];
extern const struct vl_suspect vl_suspects_levels[];
extern const struct vl_suspect vl_suspects_two_level[];
extern const struct vl_suspect vl_suspects_broadcast_traffic[];
extern const struct vl_suspect vl_suspects_reduce_scatter_traffic[];
extern const struct vl_suspect vl_suspects_all_gather_traffic[];
extern const struct vl_suspect vl_suspects_all_reduce_traffic[];
extern const struct vl_suspect vl_suspects_all_to_all_traffic[];
extern const struct vl_suspect vl_suspects_two_level_traffic[];
extern const struct vl_suspect vl_suspects_tree_seconds[];
extern const struct vl_suspect vl_suspects_ring_seconds[];
extern const struct vl_suspect vl_suspects_all_reduce_seconds[];
extern const struct vl_suspect vl_suspects_two_level_seconds[];
extern const struct vl_suspect vl_suspects_sealed_bytes[];
extern const struct vl_suspect vl_suspects_sealed_messages[];
extern const struct vl_suspect vl_suspects_sealed_break_even[];

/* ---- shared by truths and suspects ---- */

int vl_road_int(const struct vl_bag *inputs, const char *name);
/* An array of one rank in an answer, (rows, cols) float64; NULL without memory. */
double *vl_road_out(struct vl_bag *answer, const char *name, int rank, size_t rows, size_t cols);
/* A whole number of one rank. 0 if it failed. */
int vl_road_count(struct vl_bag *answer, const char *name, int rank, uint64_t value);
/* Row 'rank' of U8 inputs. */
const unsigned char *vl_road_row(const struct vl_bag *inputs, const char *name, int rank);
/* Elements of all-to-all that go from one rank to another, and those in front of them in 'sent'
 * and in 'received'. */
size_t vl_road_piece(const struct vl_bag *inputs, int from, int to);
size_t vl_road_sent_before(const struct vl_bag *inputs, int from, int to);
size_t vl_road_received_before(const struct vl_bag *inputs, int from, int to);

/* Item i of a cost case's lists. */
struct vl_road_question {
    struct vl_oracle_road inside, across;
    int ranks, nodes;
    double bytes;
};
size_t vl_road_questions(const struct vl_bag *inputs);
struct vl_road_question vl_road_question(const struct vl_bag *inputs, size_t i);

extern const struct vl_lab_cases vl_cases_collectives;

#endif
