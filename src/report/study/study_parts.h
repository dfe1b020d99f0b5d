/*
 * Figures of a study's page. Only for study_*.c.
 */
#ifndef VIALATA_REPORT_STUDY_STUDY_PARTS_H
#define VIALATA_REPORT_STUDY_STUDY_PARTS_H

#include "report/draw/page.h"
#include "report/study/study.h"

/* A curve over the steps that follow the first 'begin' (0: over all), with one line per way: the
 * mean over the seeds, and a band from least to most. Size and cosine: auxiliary losses only. */
void vl_study_put_curve(struct vl_page *page, const struct vl_study *study,
                        enum vl_study_curve curve, size_t begin);

/* The section of experts and languages: one heat map per way. */
void vl_study_put_languages(struct vl_page *page, const struct vl_study *study);

#endif
