/*
 * A batch: the cases of one number of ranks while they run, in the order of the catalogue. cases.c runs
 * them, one job for each batch; case_end.c takes and judges what comes out of each.
 */
#ifndef VIALATA_GRADE_RUN_BATCH_H
#define VIALATA_GRADE_RUN_BATCH_H

#include "grade/job/case_run.h"
#include "grade/run/grading.h"

struct vl_asked {
    const struct vl_case *c;
    struct vl_bag *inputs;    /* NULL where the build has decided, or they are not made yet */
    struct vl_bag *rehearsal; /* the same of its rehearsal, if it has one */
    struct vl_finding misuse; /* what the ranks did to each other in that */
};

struct vl_batch {
    struct vl_grading *grading;
    const struct vl_sandbox *sandbox; /* where they run */
    const char *folder;               /* with the inputs */
    struct vl_asked *asked;
    size_t count;
    struct vl_case_run_item *items; /* those that are run */
    size_t item_count;
    bool tainted; /* the kernel saw more in one of them than the meters did */
    size_t told;  /* cases whose result is in the verdict */
    enum vl_status status;
    struct vl_case_run run;
    bool tried;              /* to start its job while the batch before runs: */
    struct vl_case_job *job; /* that job, or NULL */
    struct vl_batch *next;   /* the one that is started meanwhile; or NULL */
};

/* A result of this case about which nothing is known. */
struct vl_case_result vl_batch_blank(const struct vl_batch *batch, const struct vl_case *c);

/* Tell the cases before 'next' that were not run: the order stays that of the catalogue. */
void vl_batch_tell_decided(struct vl_batch *batch, size_t next);

/* The items and 'asked' of a batch, for so many cases with their rehearsals. VL_ENOMEM. Close is safe on a
 * zeroed batch. */
enum vl_status vl_batch_open(struct vl_batch *batch, size_t cases);
void vl_batch_close(struct vl_batch *batch);

/* Which case an item is, or rehearses. */
size_t vl_batch_index(const struct vl_batch *batch, size_t item);

/* The number of a case's rehearsal, of the item and of its inputs; 0 if it has none. */
unsigned vl_batch_rehearsal(const struct vl_batch *batch, size_t index);

/* Have case 'index' of 'asked' run, after its rehearsal if it has one. */
void vl_batch_add(struct vl_batch *batch, size_t index);

/* Make and write the inputs of an item (struct vl_case_run). */
enum vl_status vl_batch_make_inputs(void *batch, size_t item);

/* Take and judge what came out of an item; nothing is told. *seen is for vl_grading_tell_case, or its
 * outputs are freed by the caller. */
void vl_batch_judge_case(struct vl_batch *batch, size_t item,
                         const struct vl_case_run_report *report, struct vl_case_result *result,
                         struct vl_seen_case *seen);

/* Is this about a rehearsal that went well? Then all is done about it: what the ranks did to each other is
 * kept until its case is judged. */
bool vl_batch_ends_rehearsal(struct vl_batch *batch, size_t item,
                             const struct vl_case_run_report *report);

/* What a run of the batch reports (struct vl_case_run). */
void vl_batch_finish_case(void *batch, size_t item, const struct vl_case_run_report *report);

#endif
