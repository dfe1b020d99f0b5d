/*
 * Grading a class: what was handed in, the gradings that it takes, and the gradebook.
 *
 *   RESULTS/class.json                 that this folder is a class's, and of which labs
 *   RESULTS/gradebook.csv              class/book/gradebook.h
 *   RESULTS/class.html                 class/book/class_page.h
 *   RESULTS/pages/LAB/ID.html          the student's page, in the student's language; also of one who
 *                                      has no verdict, if something was decided
 *   RESULTS/points/LAB.json            class/book/points.h
 *   RESULTS/overrides.csv              class/book/overrides.h: read, never written
 *   RESULTS/verdicts/LAB/ID.KEY.VERSION.json   the verdict on one submission; KEY is of its files and
 *                                      of how it was graded, VERSION of this program, so what is
 *                                      there need not be graded again
 *   RESULTS/verdicts/LAB/ID.KEY.VERSION.numbers.json   the same without the timed part, which is still to come
 *   RESULTS/verdicts/LAB/ID.KEY.VERSION.txt    what the grading printed
 *   RESULTS/verdicts/LAB/ID.KEY.VERSION.before.json   the verdict that `--regrade` is about to replace
 *
 * Numbers are graded a few at a time; timed parts afterwards, one at a time, since each would disturb
 * the others. With Slurm both are job arrays (slurm.h), and a timed part has its node to itself.
 */
#ifndef VIALATA_CLI_CLASS_BATCH_H
#define VIALATA_CLI_CLASS_BATCH_H

#include "class/book/class_verdict.h"
#include "class/book/overrides.h"
#include "class/intake/intake.h"
#include "class/intake/receipt.h"
#include "class/intake/roster.h"
#include "class/similar/similar.h"
#include "cli/command.h"
#include <stdbool.h>

struct vl_batch_request {
    const struct vl_lab **labs;
    size_t lab_count;
    const char *out;    /* RESULTS */
    const char *roster; /* NULL: whoever handed something in */
    size_t at_once;     /* 0: as many as Slurm allows */
    double budget;      /* seconds for a lab; 0: the grader's own */
    bool no_speed, trust;
    bool named;          /* predictions are about shapes of each student's own, with a secret too */
    bool pseudonyms;     /* instead of names (names.h) */
    const char *seed;    /* as given; NULL: the grader's own */
    bool no_grading;     /* only the gradebook and the pages */
    const char *regrade; /* students, functions and cases, with commas between them; or NULL */
    struct vl_due due;
    struct vl_words hidden; /* cases that students do not see now (class/book/hiding.h) */
    int similar; /* percent from which two submissions are shown as alike; 0: not looked for */
    const char *secret; /* a file; then each student has a seed and shapes of their own; or NULL */
    bool slurm;         /* the gradings are a job array of Slurm */
    const char *sbatch; /* more options of it; NULL */
};

/* One lab of one submission. */
struct vl_batch_task {
    const struct vl_lab *lab;
    const struct vl_handed_in *item;
    const struct vl_student *student; /* NULL: not in a roster */
    char *path;                       /* the lab's folder or file */
    char *verdict, *numbers, *said,
        *before;                   /* files, as above; NULL if there is nothing to grade */
    char *problem;                 /* a sentence: why there is no verdict; NULL */
    bool foreign;                  /* that sentence is in the student's language, not yet in ours */
    enum vl_receipt_state receipt; /* what its receipt says of its files */
};

struct vl_batch {
    const struct vl_batch_request *request;
    struct vl_roster roster;
    struct vl_intake intake;
    struct vl_batch_task *tasks; /* of one student and lab, first the one that counts */
    size_t task_count;
    struct vl_overrides overrides;
    struct vl_similar similar;
    struct vl_words notices; /* sentences on whom to look at */
    bool guarded;            /* signals are remembered, and delivered at the end */
};

/* ---- batch_request.c ---- */

/* From the words of the command; request->labs has room for every lab. VL_EXIT_USAGE, with a
 * sentence. */
enum vl_exit vl_batch_request_read(struct vl_batch_request *request,
                                   const struct vl_arguments *arguments);
void vl_batch_request_free(struct vl_batch_request *request);

/* ---- batch_tasks.c ---- */

/* Make the list of gradings from what was taken in. VL_ENOMEM, VL_EIO. */
enum vl_status vl_batch_tasks(struct vl_batch *batch);
void vl_batch_free(struct vl_batch *batch);

/* ---- hidden_copy.c ---- */

/* Have a copy graded instead, in RESULTS/.unpacked, whose path does not name the student. VL_ENOMEM,
 * VL_EIO (errno). What cannot be copied is the task's problem. */
enum vl_status vl_batch_hide(const struct vl_batch *batch, struct vl_batch_task *task);

/* ---- batch_run.c ---- */

/* Read a verdict that was reached. VL_EFORMAT also if the file only says why there is none; VL_EIO
 * (errno), VL_ENOMEM. */
enum vl_status vl_batch_read_verdict(struct vl_verdict *verdict, const char *path);

/* Do what is still to be done. *signal gets the signal that cut it short, or 0. */
enum vl_status vl_batch_run(struct vl_batch *batch, int *signal);

/* ---- batch_book.c ---- */

/* Write the gradebook and the pages from the verdicts that are there. Once for a batch: the overrides
 * remember what they replaced. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_book(struct vl_batch *batch);

/* ---- batch_notices.c ---- */

/* Did the student hand something in without being in the roster that is there? */
bool vl_batch_is_stranger(const struct vl_batch *batch, const char *student);

/* Make batch->notices, once the verdicts are there: who is not in the roster, and whose verdicts are
 * of what is no longer handed in. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_notices(struct vl_batch *batch);

/* ---- batch_page.c ---- */

/* Write a student's page, in the language in which the submission was graded: its sentences are. That
 * language is in force afterwards. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_page(const struct vl_batch *batch, const struct vl_class_verdict *one,
                             const char *share);

/* Add sentences: what was decided about a student (about what 'shown' has, unless it is NULL), and how
 * late they were, or that the platform has marked them as late. */
void vl_batch_note_decisions(struct vl_words *notes, const struct vl_batch *batch,
                             const char *student, const struct vl_lab *lab,
                             const struct vl_verdict *shown);
void vl_batch_note_lateness(struct vl_words *notes, const struct vl_lateness *lateness,
                            bool marked);

/* ---- batch_decided.c ---- */

/* Write pages of students about whom something was decided and who have no verdict, in their languages
 * or else in 'course'; those that nothing is left to be said on are removed. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_pages_decided(const struct vl_batch *batch,
                                      const struct vl_class_verdict *verdicts, size_t count,
                                      const char *course, const char *share);

/* ---- batch_points.c ---- */

/* The student's verdict in the lab; NULL if there is none. */
const struct vl_class_verdict *vl_batch_verdict_of(const struct vl_class_verdict *verdicts,
                                                   size_t count, const char *student,
                                                   const struct vl_lab *lab);

/* Put into the verdicts what was decided by hand and what being late costs. VL_ENOMEM. */
enum vl_status vl_batch_decide(struct vl_batch *batch, struct vl_class_verdict *verdicts,
                               size_t count);

/* Write what everybody has now. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_points(const struct vl_batch *batch,
                               const struct vl_class_verdict *verdicts, size_t count);

/* ---- batch_similar.c ---- */

/* Look for submissions that are alike, if that is asked for. *signal gets the signal that cut it short,
 * or 0: then batch->guarded is set, and the caller ends what sandbox/interrupt.h has begun.
 * VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_similar(struct vl_batch *batch, int *signal);

/* ---- batch_regrade.c ---- */

/*
 * Put aside the verdicts that are asked for again, so that they are due. Verdicts of another version
 * of this program on the same files count from now on, so that nothing else is graded.
 * VL_EXIT_USAGE, with a sentence, for a word that means nobody and nothing.
 */
enum vl_exit vl_batch_regrade(const struct vl_batch *batch);

/* Tell what has changed in the verdicts that were graded again, and forget the old ones. VL_ENOMEM. */
enum vl_status vl_batch_tell_regraded(const struct vl_batch *batch);

#endif
