/*
 * A study as a person follows it: how many of its runs are done, and how long it will take. On a
 * terminal one line is redrawn; elsewhere every run gets a line.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_PROGRESS_H
#define VIALATA_CLI_STUDY_STUDY_PROGRESS_H

#include "report/draw/terminal.h"
#include "report/study/study.h"

struct vl_study_progress {
    struct vl_terminal terminal;
    size_t runs, runs_done;
    double units, units_done; /* of work: a step is one */
    double began, drawn;      /* seconds */
};

void vl_study_progress_open(struct vl_study_progress *progress, FILE *stream, size_t runs,
                            double units);
/* This much more work is done. */
void vl_study_progress_add(struct vl_study_progress *progress, double units);
/* A run is done: the one with this seed, counted from 0. */
void vl_study_progress_run(struct vl_study_progress *progress, const struct vl_study *study,
                           const struct vl_study_way *way, size_t seed);
/* Seconds until all is done, if the rest goes as fast; 0 before anything is. */
double vl_study_progress_left(const struct vl_study_progress *progress);
void vl_study_progress_close(struct vl_study_progress *progress);

#endif
