/*
 * Throughput: how fast a submission is, relative to the reference on this machine at this moment.
 *
 * Two live jobs sleep in read(). For every pair both prepare the same fresh inputs; then they take
 * turns, A B B A, each rank on a core of its own, and the parent's clock runs from the order to the
 * answer:
 *
 *     pair k     reference  |==turn==|                        |==turn==|
 *                submission            |==turn==||==turn==|
 *     ratio    = shortest turn of the reference / shortest turn of the submission
 *
 * Other programs can only lengthen a turn. Pairs go on until three turns of each side lie within
 * VL_THROUGHPUT_STEADY of its shortest, or are near enough to it for all points, or the time is up.
 *
 * After its turns each side seals the outputs of all its works (wire/seal.h). Only then is one work
 * drawn, whose outputs must fit the seal and the reference's. A pair counts if the kernel saw the
 * submission work in its own turns only, and with one thread per rank (ledger.h).
 */
#ifndef VIALATA_GRADE_JOB_THROUGHPUT_H
#define VIALATA_GRADE_JOB_THROUGHPUT_H

#include "grade/catalogue/case.h"
#include "ranks/throughput_side.h"

#define VL_THROUGHPUT_FULL   0.70 /* of the reference's speed: all points */
#define VL_THROUGHPUT_MOST   3.0  /* nothing is that much faster: no points until somebody looks */
#define VL_THROUGHPUT_NONE   0.10 /* no points; in between linear in the logarithm */
#define VL_THROUGHPUT_STEADY 0.03 /* spread at which a ratio is believed */
#define VL_THROUGHPUT_WILD   0.50 /* spread at which a ratio that costs points says nothing */

struct vl_throughput_result {
    enum vl_throughput_end end;
    double ratio;  /* submission's speed over the reference's, by their shortest turns */
    double spread; /* how far the third-shortest turn lies above the shortest, relative */
    int pairs;
    int stable;
    double seconds;
};

enum vl_throughput_who { VL_THROUGHPUT_REFERENCE, VL_THROUGHPUT_SUBMISSION };

struct vl_throughput {
    struct vl_throughput_side side[2]; /* by enum vl_throughput_who */
    int ranks;
    double spent; /* seconds, over all timings: each gets less time once much is spent */
};

/* Nothing is started yet. The names must live as long as the throughput. */
void vl_throughput_open(struct vl_throughput *throughput, int ranks,
                        const struct vl_sandbox *reference_sandbox, const char *reference,
                        const struct vl_sandbox *submission_sandbox, const char *submission);

/* Would this ratio cost points although the times differ too much to say so? Of a turn so long that there
 * were few, the spread is not known: then the ratio is believed. */
bool vl_throughput_is_wild(const struct vl_throughput_result *result);

/* Measure one timing; once more with new jobs if that was wild. VL_ELACK, VL_EIO, VL_ENOMEM are about this machine. */
enum vl_status vl_throughput_measure(struct vl_throughput_result *result,
                                     struct vl_throughput *throughput,
                                     const struct vl_timing *timing, uint64_t seed);

/* The share of the points that a ratio earns, 0 to 1. */
double vl_throughput_share(double ratio);

/* End both jobs; nothing of them is left. */
void vl_throughput_close(struct vl_throughput *throughput);

#endif
