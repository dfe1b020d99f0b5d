/*
 * Tables on the page of a run (training_page.h): sizes, layout, and results.
 */
#ifndef VIALATA_REPORT_TRAINING_TRAINING_FACTS_H
#define VIALATA_REPORT_TRAINING_TRAINING_FACTS_H

#include "report/draw/page.h"
#include "report/training/training_page.h"
#include <jansson.h>

/* 'run' is the "run" of a log (train/log/log.h). What is not used (no experts, one stage)
 * is left out. */
void vl_training_facts_model(struct vl_page *page, const json_t *run);
void vl_training_facts_layout(struct vl_page *page, const json_t *run);

/* First and last loss, speed, time, bytes. */
void vl_training_facts_numbers(struct vl_page *page, const struct vl_training_page *training);

#endif
