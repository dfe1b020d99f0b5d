/*
 * What is wrong with a schedule, as a sentence in the user's language: what, where, and what to do.
 */
#ifndef VIALATA_ENGINE_SCHEDULE_SCHEDULE_WORDS_H
#define VIALATA_ENGINE_SCHEDULE_SCHEDULE_WORDS_H

#include "engine/schedule/schedule_text.h"

#define VL_SCHEDULE_SENTENCE 1024 /* a buffer of this size holds any of them */

/* Both return buffer; "" if nothing is wrong. */
char *vl_schedule_sentence(char buffer[VL_SCHEDULE_SENTENCE],
                           const struct vl_schedule_problem *problem);

/* 'schedule' gives the sizes of the one that was checked; its tasks are not read. */
char *vl_schedule_fault_sentence(char buffer[VL_SCHEDULE_SENTENCE],
                                 const struct vl_schedule_report *report,
                                 const struct vl_schedule *schedule);

#endif
