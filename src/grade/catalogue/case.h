/*
 * A case: one question put to one function of a submission.
 *
 *   make    inputs from a seed (a bag)              in the trusted parent
 *   part    what one of several ranks has of them   in the parent
 *   call    the submission's function on them       in the runner (runner/call.h), by 'function'
 *   truth   what must come out, float64             in the parent, from the oracle
 *   judge   compare; if wrong, say WHAT is wrong    in the parent: known mistakes, general signs
 *
 * On several ranks (per_rank) the outputs of all of them are judged together: the array "y" of rank
 * 2 is called "y@2", in the truth and in the outputs. All ranks must be right.
 *
 * An expected array named "y" is compared with the output array "y".
 */
#ifndef VIALATA_GRADE_CATALOGUE_CASE_H
#define VIALATA_GRADE_CATALOGUE_CASE_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include "wire/bag.h"
#include <stdbool.h>
#include <stdint.h>

struct vl_part;

/* The k-th size of a case's question number i; false if there is no such k. */
struct vl_size {
    const char *name; /* as the student's header has it */
    double value;
    bool is_choice; /* a stage, a mode: nothing is multiplied by it */
};
typedef bool vl_sizes_function(struct vl_size *size, const struct vl_bag *inputs, size_t question,
                               size_t k);

struct vl_case {
    const char *id;       /* "rmsnorm_forward.odd": function without vl_, a dot, what is special */
    const char *function; /* "vl_rmsnorm_forward" */
    const char *purpose;  /* N_(): one phrase for the table: "awkward sizes" */
    int ranks;
    double share;             /* of the function's points; the shares of a function add up to 1 */
    double bound;             /* largest relative error allowed, per tensor */
    double floor;             /* smallest norm the error is divided by */
    const char *const *needs; /* functions that must not be missing or unwritten (composed cases) */
    const char *const *uses;  /* further ones that it calls: if they fail, it says so */
    enum vl_status (*make)(struct vl_bag *inputs, const struct vl_case *self, uint64_t seed);
    enum vl_status (*truth)(struct vl_bag *expected, const struct vl_bag *inputs);
    void (*part)(const struct vl_part *part); /* what one rank has (part.h); NULL: all have all */
    vl_sizes_function *sizes; /* of a question that is a structure; NULL: sizes have names */
    int variant;              /* for make: which of the shapes this case means */
    int per_rank;             /* names carry ranks: "y@0", also on one rank */
    /* MPI_Send waits for its receive, so that buffering hides nothing. 2: so does whoever waits for an
     * MPI_Isend, however short it is. */
    int synchronous;
    int idle;      /* 1 or -1: doing nothing is right or wrong, where the truth does not show it */
    int choices;   /* whole numbers of the answer are choices, with no distance between them */
    int sealed;    /* a prediction about the lab's shapes: zero means that it is not sealed yet */
    int rehearses; /* for make: the same sizes, but other numbers (rehearsal.h); 0 in all tables */
};

/* A function that is timed: see runner/call.h for what one turn does. */
struct vl_timing {
    const char *id;           /* "attention_forward.speed" */
    const char *function;     /* which call of the runner, and whose speed_points */
    const char *purpose;      /* N_() */
    double bound;             /* submission and reference may differ by this much (relative) */
    const char *const *needs; /* numerics of these must have passed */
    int ranks;                /* 0 or 1: one; never more than the machine has cores */
    bool steps;               /* preparing a work takes a step of it, too */
};

struct vl_lab_cases {
    const struct vl_case *cases;
    size_t case_count;
    const struct vl_timing *timings;
    size_t timing_count;
};

/* How a lab declares its makers of inputs, its parts and its truths, and defines one. */
typedef enum vl_status vl_make_function(struct vl_bag *inputs, const struct vl_case *self,
                                        uint64_t seed);
typedef enum vl_status vl_truth_function(struct vl_bag *expected, const struct vl_bag *inputs);
typedef void vl_part_function(const struct vl_part *part);
#define VL_MAKE(name)                                                                              \
    enum vl_status vl_make_##name(struct vl_bag *inputs, const struct vl_case *self, uint64_t seed)
#define VL_TRUTH(name)                                                                             \
    enum vl_status vl_truth_##name(struct vl_bag *expected, const struct vl_bag *inputs)

/* A row of a lab's 'cases': its id up to the dot, its function, the maker of its inputs, its truth;
 * then what is special, why it is asked, and further fields by name. */
#define VL_CASE(name, asks, maker, answer, special, why, ...)                                      \
    {                                                                                              \
        .id = name "." special, .function = asks, .purpose = why, .make = vl_make_##maker,         \
        .truth = vl_truth_##answer, __VA_ARGS__                                                    \
    }

/* What cases.c of a lab ends with: its table 'cases'; and 'timings', where something is timed. */
#define VL_LAB_CASES(slug)                                                                         \
    const struct vl_lab_cases vl_cases_##slug = {cases, sizeof cases / sizeof *cases, NULL, 0}
#define VL_TIMED_LAB_CASES(slug)                                                                   \
    const struct vl_lab_cases vl_cases_##slug = {cases, sizeof cases / sizeof *cases, timings,     \
                                                 sizeof timings / sizeof *timings}

/* What a truth may say of a rank where traffic is graded, but not all its messages, or bytes, are judged:
 * how many are needed. No output is compared with it; the audit (ranks/audit.h) believes no more. Of the
 * first two the sum counts; the third is for this rank alone. */
#define VL_MOST_MESSAGES "most_messages"
#define VL_MOST_BYTES    "most_bytes"
#define VL_MOST_SENT     "most_sent"

/* "y@2" into text; returns text. */
#define VL_RANKED_NAME 80
const char *vl_ranked(char text[VL_RANKED_NAME], const char *name, int rank);
/* The same as an expression; it lives as long as the block around it. */
#define VL_RANKED(name, rank) vl_ranked((char[VL_RANKED_NAME]){""}, name, rank)

/* The name of an array without its rank; returns that rank, or -1. And "y", or "y (rank 2)" for the
 * array "y@2", for people; returns text. */
#define VL_SHOWN_NAME (VL_RANKED_NAME + 40)
int vl_split_name(char bare[VL_RANKED_NAME], const char *name);
const char *vl_shown_name(char text[VL_SHOWN_NAME], const char *name);

/* What a lab is graded by. The table is in the order of vl_labs. */
extern const struct vl_lab_cases *const vl_all_cases[];
const struct vl_lab_cases *vl_lab_cases(const struct vl_lab *lab);

/* The lab that has the function of a case; NULL for a function that no lab has. */
const struct vl_lab *vl_case_lab(const struct vl_case *c);

/* Does it ask for what several functions do together, under a name of its own, such as "ten_steps"? */
bool vl_case_is_composed(const struct vl_case *c);

#endif
