/*
 * Figures of a study's page. Only for study_*.c.
 */
#ifndef VIALATA_REPORT_STUDY_STUDY_PARTS_H
#define VIALATA_REPORT_STUDY_STUDY_PARTS_H

#include "report/draw/page.h"
#include "report/study/study.h"

/* A curve over the steps from 'begin' on (0: all), a line a way: mean over the seeds, and the band
 * from least to most. Of size and cosine only the auxiliary losses, which have them. */
void vl_study_put_curve(struct vl_page *page, const struct vl_study *study,
                        enum vl_study_curve curve, size_t begin);

/* The section of experts and languages: a heat map a way. */
void vl_study_put_languages(struct vl_page *page, const struct vl_study *study);

#endif
