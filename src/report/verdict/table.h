/*
 * A verdict as a person reads it: case by case while grading goes on, with a summary at the end.
 *
 *   vl_rmsnorm_forward
 *     v rmsnorm_forward.even          3/3   even sizes
 *     x rmsnorm_forward.odd           0/3   awkward sizes
 *         what is wrong, the program's own words, and the one line that replays the case
 *     o vl_swiglu_forward       not started
 *
 *   Numbers       (a bar per function)      Score, throughput, and the next thing to do
 *
 * A brief one leaves out the cases that are right; the sums count them.
 */
#ifndef VIALATA_REPORT_VERDICT_TABLE_H
#define VIALATA_REPORT_VERDICT_TABLE_H

#include "grade/catalogue/verdict.h"
#include "report/draw/terminal.h"

#include <stdbool.h>
#include <stdint.h>

#define VL_TABLE_FUNCTIONS 64

struct vl_table {
    struct vl_terminal terminal;
    bool brief;         /* set after vl_table_open: only what is not right is told */
    size_t right;       /* cases so far that are */
    int headed;         /* the heading has been put */
    size_t told;        /* cases told so far */
    char function[128]; /* whose cases are being told */
    int titled;         /* its name has been put above its cases */
    int rested;         /* it has been reported as not started */
    int after_rest;     /* the function before it got only that line */
    int ranks;          /* of the cases being told */
    uint64_t said;      /* fingerprint of what was said of the function's case before; 0: nothing */
    unsigned char rests[VL_TABLE_FUNCTIONS]; /* by place in the catalogue: shown as not started */
};

void vl_table_open(struct vl_table *table, FILE *stream);

/* On a terminal, say that the build is under way, until there is something to tell. */
void vl_table_wait(const struct vl_table *table);

/* The progress callback of vl_grade_request; 'context' is a struct vl_table. */
void vl_table_progress(void *context, const struct vl_verdict *so_far,
                       const struct vl_case_result *result);

/* What the compiler said; nothing if it had nothing to say. */
void vl_table_put_compiler(const struct vl_terminal *terminal, const struct vl_verdict *verdict);

/* Tell what was not told yet, then the sums, the score and what to do next. */
void vl_table_close(struct vl_table *table, const struct vl_verdict *verdict);

#endif
