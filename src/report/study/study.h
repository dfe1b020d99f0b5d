/*
 * A study of balancing: one small model with experts, trained in several ways, each from several
 * seeds, and what follows from it.
 *
 *   ways      no balancing | auxiliary loss, one alpha each | bias
 *   curves    of every run, step by step: loss, MaxVio, size and cosine of the interference
 *   late      the mean of the last quarter of a run's steps
 *   spread    of a number: mean, least and most over the seeds of a way
 *
 * A difference between two ways that is smaller than between two seeds of one way is called chance:
 * the numbers decide which sentence is used. Serial; nothing here trains.
 */
#ifndef VIALATA_REPORT_STUDY_STUDY_H
#define VIALATA_REPORT_STUDY_STUDY_H

#include "report/draw/terminal.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stddef.h>

#define VL_STUDY_ALPHAS 8
#define VL_STUDY_WAYS   (VL_STUDY_ALPHAS + 2)
#define VL_STUDY_SEEDS  20
#define VL_STUDY_PARTS  8 /* of the text: languages */
#define VL_STUDY_STAGES 2 /* of the pipeline whose memory is measured */

enum vl_study_curve { VL_STUDY_LOSS, VL_STUDY_VIOLATION, VL_STUDY_SIZE, VL_STUDY_COSINE };
#define VL_STUDY_CURVES 4

struct vl_study_run {
    double *curves[VL_STUDY_CURVES]; /* (steps) each; NAN: not measured */
    size_t seen;                     /* steps so far */
    double evaluated;                /* loss over the whole text, afterwards; NAN: not yet */
};

struct vl_study_way {
    const char *balance;       /* as `--balance` has it: "none", "aux" or "bias" */
    double alpha;              /* of "aux" */
    struct vl_study_run *runs; /* (seeds), beginning with seed 1 */
    double *loads;             /* (parts,layers,experts) of seed 1: shares of the choices made
                                * in a layer on one language; NAN: not measured */
    json_t *options;           /* what `train` got for seed 1, a list of words; may be NULL */
};

/* Bytes on each stage, once with an auxiliary loss over the whole batch, once with the bias. */
struct vl_study_memory {
    double kept;        /* what forward leaves behind for backward */
    double activations; /* all activations */
};
enum vl_study_pipeline { VL_STUDY_LOSS_AFAB, VL_STUDY_BIAS_1F1B };
#define VL_STUDY_PIPELINES 2

struct vl_study {
    size_t steps, seeds, way_count, part_count, layers, experts;
    struct vl_study_way ways[VL_STUDY_WAYS]; /* none, the alphas as given, bias */
    const char *parts[VL_STUDY_PARTS];       /* "en" ..., the caller's */
    struct vl_study_memory memory[VL_STUDY_PIPELINES][VL_STUDY_STAGES];
    int has_memory;
    size_t micro_batches; /* of that pipeline */
    json_t *run;          /* what the first run said of itself; may be NULL */
    const char *command;  /* how the study was asked for; the caller's */
    char date[16];        /* "2025-11-21" */
};

/* alphas (count): 1 .. VL_STUDY_ALPHAS. VL_EINVAL, VL_ENOMEM. */
enum vl_status vl_study_create(struct vl_study **study, const double *alphas, size_t count,
                               size_t steps, size_t seeds);
/* Allocate the loads, once the numbers of layers, experts and parts are set. VL_ENOMEM. */
enum vl_status vl_study_make_loads(struct vl_study *study);
/* NULL is fine. */
void vl_study_free(struct vl_study *study);

/* ---- what was measured ---- */

struct vl_study_spread {
    double mean, least, most;
};

/* Where the last quarter begins: a step, counted from 0. */
size_t vl_study_late_begin(const struct vl_study *study);
double vl_study_late(const struct vl_study *study, const struct vl_study_run *run,
                     enum vl_study_curve curve);
struct vl_study_spread vl_study_late_spread(const struct vl_study *study, size_t way,
                                            enum vl_study_curve curve);
struct vl_study_spread vl_study_evaluated(const struct vl_study *study, size_t way);

/* The bias against the best alpha, which is chosen afterwards, in favour of the loss. */
enum vl_study_verdict {
    VL_STUDY_UNKNOWN,
    VL_STUDY_ALIKE,
    VL_STUDY_BIAS_BETTER,
    VL_STUDY_AUX_BETTER
};

struct vl_study_findings {
    double ratio[VL_STUDY_SEEDS]; /* MaxVio with the bias over that without balancing, late */
    struct vl_study_spread ratios;
    size_t best, largest;          /* ways: the alpha with the least evaluated loss; the largest */
    double difference;             /* evaluated loss, mean: the best alpha's minus the bias's */
    double chance;                 /* most minus least over the seeds, mean of these two ways */
    enum vl_study_verdict verdict; /* VL_STUDY_UNKNOWN: a single seed */
    int large_hurts;               /* each run of the largest is worse than each of the best */
    double hurt;                   /* by how much, mean */
    int bias_is_zero; /* size and cosine of the bias were 0 in every step of every run */
};

void vl_study_find(struct vl_study_findings *findings, const struct vl_study *study);

/* ---- shown ---- */

/* "bias", "auxiliary loss, alpha = 0.01": in the user's language, into 'text'. */
#define VL_STUDY_NAME 160
void vl_study_way_name(char text[VL_STUDY_NAME], const struct vl_study_way *way);

/* Sentence i about the numbers; the caller frees it. NULL: there are no more, or no memory. */
char *vl_study_sentence(const struct vl_study *study, const struct vl_study_findings *findings,
                        size_t i);

/* A row per way, then the sentences. */
void vl_study_table(const struct vl_study *study, const struct vl_terminal *terminal);

/* One HTML file (page.h). VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_study_page(const struct vl_study *study, const char *path);

/* All numbers; the caller's, NULL without memory. */
json_t *vl_study_json(const struct vl_study *study);

#endif
