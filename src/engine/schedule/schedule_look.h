/*
 * What checking and timing a schedule have in common: what a task needs, and how far every stage
 * gets if it does its row in order and waits for what is needed. Only for schedule*.c.
 */
#ifndef VIALATA_ENGINE_SCHEDULE_SCHEDULE_LOOK_H
#define VIALATA_ENGINE_SCHEDULE_SCHEDULE_LOOK_H

#include "engine/schedule/schedule.h"

enum { VL_NEEDS = 2 }; /* the most tasks that one task waits for */

struct vl_need {
    size_t stage;
    struct vl_task task;
};

struct vl_look {
    const struct vl_schedule *schedule;
    size_t width;  /* 3 v m, tasks of a stage */
    size_t *place; /* (p, 3 v m): each task's index in its stage's row; 'width': not there */
    size_t *next;  /* (p): how many tasks of its row a stage has done */

    /* Called for each task right before it counts as done; what it needs is done. May be NULL. */
    void (*done)(void *context, const struct vl_look *look, size_t stage);
    void *context;
};

/* VL_EINVAL, VL_ENOMEM as vl_schedule_check; close it in any case. */
enum vl_status vl_look_open(struct vl_look *look, const struct vl_schedule *schedule);
void vl_look_close(struct vl_look *look);

/* Once for each look opened. */
void vl_look_check(struct vl_schedule_report *report, struct vl_look *look);

/* Let a stage do its next task. Zero: it waits, or has done its row. */
int vl_look_step(struct vl_look *look, size_t stage);

/* The lines of vialata/schedule.h: what a task waits for. Returns how many. */
size_t vl_look_needs(struct vl_need needs[VL_NEEDS], const struct vl_schedule *schedule,
                     size_t stage, const struct vl_task *task);

/* The entry of a task in 'place'. */
size_t *vl_look_place(const struct vl_look *look, size_t stage, const struct vl_task *task);

#endif
