/*
 * Pace: how fast a submission is, as a ratio to the reference on this machine, at this moment.
 *
 * Two live jobs sleep in read(). For every pair both prepare the same fresh inputs; then they take
 * turns, A B B A, and the parent's clock runs from the order to the answer:
 *
 *     pair k     reference  |==turn==|                        |==turn==|
 *                submission            |==turn==||==turn==|
 *     ratio    = shortest turn of the reference / shortest turn of the submission
 *
 * Neighbours on the machine can only lengthen a turn. Pairs go on until three turns of each side
 * lie within VL_PACE_STEADY of its shortest, or patience ends. After each pair results of both
 * are compared: which ones, the runner cannot know beforehand.
 */
#ifndef VIALATA_GRADE_PACE_H
#define VIALATA_GRADE_PACE_H

#include "grade/case.h"
#include "grade/process.h"
#include "grade/runner/board.h"
#include "grade/sandbox.h"

#define VL_PACE_FULL   0.70 /* of the reference's speed: all points */
#define VL_PACE_NONE   0.10 /* no points; in between linear in the logarithm */
#define VL_PACE_STEADY 0.03 /* spread at which a ratio is believed */

enum vl_pace_end {
    VL_PACE_MEASURED,
    VL_PACE_WRONG,    /* another result than the reference's */
    VL_PACE_REFUSED,  /* the function returned a status other than VL_OK */
    VL_PACE_CRASHED,  /* or left */
    VL_PACE_HUNG,     /* a turn took longer than anything reasonable */
    VL_PACE_CONFUSED, /* answers that nobody asked for */
    VL_PACE_NO_REFERENCE
};

struct vl_pace_result {
    enum vl_pace_end end;
    double ratio;  /* submission's speed over the reference's, by their shortest turns */
    double spread; /* how far the third-shortest turn lies above the shortest, relative */
    int pairs;
    int stable;
    double seconds;
};

/* One of the two jobs. */
struct vl_pace_side {
    const struct vl_sandbox *sandbox;
    const char *program;
    struct vl_process process;
    int running;
    int board;
    int go[VL_BOARD_RANKS];   /* orders to each rank */
    int said[VL_BOARD_RANKS]; /* its answers */
};

struct vl_pace {
    struct vl_pace_side reference;
    struct vl_pace_side submission;
    const char *scratch;
    int ranks;
    double spent; /* seconds, over all timings: patience depends on it */
};

/* Nothing is started yet. The names must live as long as the pace. */
void vl_pace_open(struct vl_pace *pace, const char *scratch, int ranks,
                  const struct vl_sandbox *reference_sandbox, const char *reference,
                  const struct vl_sandbox *submission_sandbox, const char *submission);

/* Measure one timing. VL_ELACK, VL_EIO, VL_ENOMEM are about this machine. */
enum vl_status vl_pace_measure(struct vl_pace_result *result, struct vl_pace *pace,
                               const struct vl_timing *timing, uint64_t seed);

/* The share of the points that a ratio earns, 0 to 1. */
double vl_pace_share(double ratio);

/* End both jobs; nothing of them is left. */
void vl_pace_close(struct vl_pace *pace);

#endif
