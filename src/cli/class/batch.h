/*
 * Grading a class: what was handed in, the gradings that it takes, and the gradebook.
 *
 *   RESULTS/class.json                 that this folder is a class's, and of which labs
 *   RESULTS/gradebook.csv              class/gradebook.h
 *   RESULTS/class.html                 class/class_page.h
 *   RESULTS/pages/LAB/ID.html          the student's page, in the student's language
 *   RESULTS/verdicts/LAB/ID.KEY.json   the verdict on one submission; KEY is of its files and of how
 *                                      it was graded, so what is there need not be graded again
 *   RESULTS/verdicts/LAB/ID.KEY.numbers.json   the same without the timed part, which is still to come
 *   RESULTS/verdicts/LAB/ID.KEY.txt    what the grading printed
 *
 * Numbers are graded a few at a time; timed parts afterwards, one at a time, since each would disturb
 * the others.
 */
#ifndef VIALATA_CLI_CLASS_BATCH_H
#define VIALATA_CLI_CLASS_BATCH_H

#include "class/intake.h"
#include "class/receipt.h"
#include "class/roster.h"
#include "cli/command.h"
#include <stdbool.h>

struct vl_batch_request {
    const struct vl_lab **labs;
    size_t lab_count;
    const char *out;    /* RESULTS */
    const char *roster; /* NULL: whoever handed something in */
    size_t at_once;
    double budget; /* seconds for a lab; 0: the grader's own */
    bool no_speed, trust;
    bool pseudonyms;    /* instead of names (names.h) */
    const char *seed;   /* as given; NULL: the grader's own */
    const char *secret; /* a file; then each student has a seed and shapes of their own; or NULL */
};

/* One lab of one submission. */
struct vl_batch_task {
    const struct vl_lab *lab;
    const struct vl_handed_in *item;
    const struct vl_student *student; /* NULL: not in a roster */
    char *path;                       /* the lab's folder or file */
    char *verdict, *numbers, *said;   /* files, as above; NULL if there is nothing to grade */
    char *problem;                    /* a sentence: why there is no verdict; NULL */
    enum vl_receipt_state receipt;    /* what its receipt says of its files */
};

struct vl_batch {
    const struct vl_batch_request *request;
    struct vl_roster roster;
    struct vl_intake intake;
    struct vl_batch_task *tasks; /* of one student and lab, first the one that counts */
    size_t task_count;
};

/* ---- batch_tasks.c ---- */

/* Make the list of gradings from what was taken in. VL_ENOMEM, VL_EIO. */
enum vl_status vl_batch_tasks(struct vl_batch *batch);
void vl_batch_free(struct vl_batch *batch);

/* ---- hidden_copy.c ---- */

/* Have a copy graded instead, in RESULTS/.unpacked, whose path does not name the student. VL_ENOMEM,
 * VL_EIO (errno). What cannot be copied is the task's problem. */
enum vl_status vl_batch_hide(const struct vl_batch *batch, struct vl_batch_task *task);

/* ---- batch_run.c ---- */

/* Do what is still to be done. *signal gets the signal that cut it short, or 0. */
enum vl_status vl_batch_run(struct vl_batch *batch, int *signal);

/* ---- batch_book.c ---- */

/* Write the gradebook and the pages from the verdicts that are there. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_batch_book(const struct vl_batch *batch);

#endif
