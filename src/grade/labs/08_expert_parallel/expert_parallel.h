/*
 * Lab 08 inside the grader: makers of inputs, and truths.
 *
 * The router: n "tokens", "experts", "chosen", "scale"; logits (n,E), bias (E) if there is one.
 *
 * Everything that travels: "ranks", "experts", "chosen", "width". Arrays hold what the ranks have,
 * rank after rank, and a rank gets its own; these say what belongs to each:
 *
 *   own_tokens (P)   tokens of each rank          first_token (P)   where they begin
 *   room (P)         rows each has memory for
 *   choices (N k)    experts, choice by choice    x, dy, y, dx (N,D)   weights (N,k)
 *   below (N k)      in the bad case of the plan: the same, but with -1 where choices have E
 *   out, drows (R,D) by expert, rank, token; so those of each rank lie together
 *   returned (N k,D)
 *
 * and, except in cases of the plan itself: order (N k), counts (P,E), arriving (P,E), rows_of (E),
 * own_rows (P) and first_row (P), as a correct plan fills them. Experts alone: "count", rows_of,
 * "width", "ff", and arrays by the names of the contract.
 */
#ifndef VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_EXPERT_PARALLEL_H
#define VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_EXPERT_PARALLEL_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "oracle/experts.h"

/* 'variant' of a case: any of these. */
enum vl_expert_variant {
    VL_EXPERT_WIDE = 0x1,     /* more tokens, wider than a vector register */
    VL_EXPERT_REVERSED = 0x2, /* the communicator counts the ranks backwards */
    VL_EXPERT_RAGGED = 0x4,   /* P does not divide E */
    VL_EXPERT_BAD = 0x8,      /* an impossible expert, k or number of ranks */
    VL_EXPERT_CROWDED = 0x10, /* one rank has too little room */
    VL_EXPERT_SOLE = 0x20,    /* one expert gets all tokens */
    VL_EXPERT_EVERY = 0x40,   /* k = E */
    VL_EXPERT_FIRST = 0x80,   /* k = 1 */
    VL_EXPERT_BIAS = 0x100,
    VL_EXPERT_SCALED = 0x200,
    VL_EXPERT_TIES = 0x400,
    VL_EXPERT_FAR = 0x800,   /* affinities near the smallest float that is normal */
    VL_EXPERT_ZERO = 0x1000, /* and affinities that are zero */
    VL_EXPERT_NAN = 0x2000,
    VL_EXPERT_NONE = 0x4000,       /* no tokens, no rows */
    VL_EXPERT_IDLE = 0x8000,       /* experts without rows */
    VL_EXPERT_OPEN = 0x10000,      /* all groups are open */
    VL_EXPERT_NO_ROOM = 0x20000,   /* if crowded: that rank has none */
    VL_EXPERT_ONE_GROUP = 0x40000, /* one is open, and gives more than two experts */
    VL_EXPERT_HIGH = 0x80000,      /* logits of 100 and more, and infinite ones */
    VL_EXPERT_MANY = 0x100000,     /* more experts, or groups, than a 64-bit number has bits */
    VL_EXPERT_PAIRS = 0x200000,    /* groups of two experts */
    VL_EXPERT_FEW = 0x400000,      /* no more choices than open groups */
    VL_EXPERT_OUTSIDE = 0x800000 /* with groups: arguments that do not exist, one after the other */
};

enum { VL_EXPERT_RANKS = 8 }; /* no case has more */
struct vl_expert_case {
    int ranks;
    size_t experts, own, chosen, width; /* own: E/P */
    size_t tokens, rows;                /* of all ranks; rows = N k */
    const int32_t *own_tokens, *choices;
    /* Where those of each rank begin; entry P is the total. Rows belong to their expert's rank. */
    size_t first_token[VL_EXPERT_RANKS + 1], first_row[VL_EXPERT_RANKS + 1];
};

struct vl_expert_case vl_expert_case_read(const struct vl_bag *inputs);
/* The rank that has the choice's token. */
int vl_expert_rank_of(const struct vl_expert_case *c, size_t choice);
/* What a correct plan writes for a rank: (N k of the rank), (E), (P,E/P), (E/P); zeroed before. */
void vl_expert_plan(int64_t *order, int64_t *counts, int64_t *arriving, int64_t *rows_of,
                    const struct vl_expert_case *c, int rank);
/* Answers "name@rank": this rank's part of a whole array, by tokens, by choices, by rows. */
enum vl_expert_layout { VL_BY_TOKEN, VL_BY_CHOICE, VL_BY_ROW };
void vl_expert_answer(struct vl_scope *scope, const struct vl_expert_case *c, const char *name,
                      const double *whole, size_t cols, enum vl_expert_layout layout);

struct vl_oracle_routing vl_expert_routing(const struct vl_bag *inputs);

vl_make_function vl_make_router, vl_make_router_back;
/* "groups", "limit"; "home", and choices whose last one does not exist: beyond, below */
vl_make_function vl_make_router_limited, vl_make_node_rows;
vl_make_function vl_make_expert_choices; /* for the plan */
vl_make_function vl_make_expert_travel;  /* for what travels: plan and all arrays */
vl_make_function vl_make_expert_rows;    /* for the experts alone */
vl_make_function vl_make_expert_layer, vl_make_expert_cost;

vl_part_function vl_part_expert_parallel;

vl_truth_function vl_truth_router_limited, vl_truth_router_node_rows;
vl_truth_function vl_truth_router_forward, vl_truth_router_backward, vl_truth_dispatch_plan,
    vl_truth_dispatch_forward, vl_truth_dispatch_backward, vl_truth_combine_forward,
    vl_truth_combine_backward, vl_truth_experts_forward, vl_truth_experts_backward_input,
    vl_truth_experts_backward_weight, vl_truth_expert_layer, vl_truth_plan_traffic,
    vl_truth_dispatch_traffic, vl_truth_combine_traffic, vl_truth_expert_sent_bytes,
    vl_truth_predict_expert_sent_bytes, vl_truth_predict_expert_parameters,
    vl_truth_predict_expert_active_parameters;

#endif
