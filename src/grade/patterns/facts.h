/*
 * The facts about one case of a function, as far as patterns over its cases need them.
 *
 *   numbers   the whole numbers among its inputs, by name: shapes, stages, steps
 *   arrays    of a case with wrong numbers: which of its results are right, and on which ranks
 */
#ifndef VIALATA_GRADE_PATTERNS_FACTS_H
#define VIALATA_GRADE_PATTERNS_FACTS_H

#include "grade/catalogue/case.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VL_FACT_NUMBERS 24 /* the most that are kept of a case; further ones are left out */
#define VL_FACT_ARRAYS  64
#define VL_FACT_SIZES   56

struct vl_fact_number {
    char name[VL_RANKED_NAME];
    int64_t value;
};

/* A size that a formula may be made of; not only whole ones. */
struct vl_fact_size {
    char name[VL_RANKED_NAME];
    double value;
};

struct vl_fact_array {
    char name[VL_RANKED_NAME]; /* without a rank */
    uint32_t right, wrong;     /* the ranks on which it is; an array without ranks has bit 0 */
    size_t elements;           /* on all ranks together, and ranks that have it; */
    size_t parts;
    size_t wrong_elements, first_wrong, columns; /* of the part that was added last */
    double sum, right_sum; /* its numbers added up, and what they should come to ... */
    double squares,
        right_squares; /* ... and their squares: then they are the right numbers, elsewhere */
    bool is_figure;    /* whole numbers or float64: a count, seconds, a share */
};

struct vl_facts {
    int ranks; /* that the case is about, whether or not it runs on so many */
    bool passed;
    bool metered; /* its figures were counted while it ran: the submission did not work them out */
    struct vl_fact_number numbers[VL_FACT_NUMBERS];
    size_t number_count;
    struct vl_fact_size sizes[VL_FACT_SIZES]; /* of a question in a table: real ones, too */
    size_t size_count;
    struct vl_fact_array arrays[VL_FACT_ARRAYS];
    size_t array_count; /* 0 where nothing is known about the results */
    bool has_more;      /* arrays than are kept */
    double factor;      /* that makes every wrong array from the right one; 0: there is none */
    /* The first result that is wrong, if it is one figure (on each rank: then the sums of all ranks are
     * meant); else "". Others may follow from it. */
    char wrong_figure[VL_RANKED_NAME];
    double figure, right_figure;
    /* Of the figures among the results, by what they should be: the largest right one, and the smallest
     * wrong one that is more than a rounding error. The latter is infinite where there is none. */
    double largest_right, smallest_wrong;
};

/* A new value of *facts, from a case's inputs; 'passed' and 'metered' are for the caller to set. */
void vl_facts_of_inputs(struct vl_facts *facts, const struct vl_case *c,
                        const struct vl_bag *inputs);

/* Add what the results show, once the inputs are there. Every array of 'expected' is among 'outputs',
 * with as many elements; without outputs (NULL) the results are right. */
void vl_facts_of_outputs(struct vl_facts *facts, const struct vl_case *c,
                         const struct vl_bag *expected, const struct vl_bag *outputs);

/*
 * A case that is a table of questions, one in each element: the figures among its results have equally many
 * elements, at least two. What a question has is in columns of as many numbers among the inputs, or the
 * case tells it (vl_case.sizes). Each becomes facts of its own, as if it were a case. Returns how many; 0
 * if the case is no such table, or there are more than 'most'.
 */
size_t vl_facts_of_table(struct vl_facts *facts, size_t most, const struct vl_case *c,
                         const struct vl_bag *inputs, const struct vl_bag *expected,
                         const struct vl_bag *outputs);

/* A number of the inputs; false if there is none of that name. */
bool vl_facts_number(const struct vl_facts *facts, const char *name, int64_t *value);
/* The same, or a size. */
bool vl_facts_size(const struct vl_facts *facts, const char *name, double *value);

#endif
