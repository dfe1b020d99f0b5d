/*
 * Any schedule, examined without running it: is it sound, how long does it take, what is alive.
 */
#ifndef VIALATA_ENGINE_SCHEDULE_SCHEDULE_H
#define VIALATA_ENGINE_SCHEDULE_SCHEDULE_H

#include "vialata/schedule.h"

enum vl_schedule_fault {
    VL_SCHEDULE_SOUND,
    VL_SCHEDULE_UNKNOWN,   /* a task does not exist: kind, chunk or micro-batch out of range */
    VL_SCHEDULE_TWICE,     /* a task is there twice */
    VL_SCHEDULE_MISSING,   /* a slot is empty (VL_TASK_NONE): the first task that is not there */
    VL_SCHEDULE_TOO_EARLY, /* a task comes before one of its own stage that it needs, directly or
                              through other stages */
    VL_SCHEDULE_DEADLOCK   /* stages wait for one another forever; the lowest stage of the cycle */
};

struct vl_schedule_report {
    enum vl_schedule_fault fault;
    size_t stage;        /* where the first broken dependency shows */
    struct vl_task task; /* what cannot be done */
    size_t needed_stage; /* too early, deadlock: what it needs, and where */
    struct vl_task needed;
};

/* VL_OK with report->fault, VL_ENOMEM, VL_EINVAL for a size that is zero. */
enum vl_status vl_schedule_check(struct vl_schedule_report *report,
                                 const struct vl_schedule *schedule);

/* Do all forwards of every stage come before its first task of backward? */
int vl_schedule_forwards_first(const struct vl_schedule *schedule);

/* Seconds of a task on a stage and chunk, and of a message. */
struct vl_schedule_costs {
    double forward, backward, weight;
    double message;
    double (*of)(void *context, size_t stage, const struct vl_task *task); /* NULL: those above */
    void *context;
};

struct vl_schedule_times {
    double *begin, *end; /* (p, 3 v m), the caller's, may be NULL */
    double makespan;
    double idle_share;      /* of total time, mean over the stages */
    double bubble_of_ideal; /* (makespan - ideal) / ideal, ideal = the work of the busiest stage */
    size_t *live;           /* (p): largest number of chunks alive (F done, W not), may be NULL */
};

/*
 * Simulate a sound schedule; a message delays its receiver, but keeps neither stage busy. For a
 * backward in one piece, sent on when both parts are done: backward = both, weight = 0.
 * VL_ESHAPE if it is not sound, VL_EINVAL for a size that is zero or a cost below zero.
 */
enum vl_status vl_schedule_simulate(struct vl_schedule_times *times,
                                    const struct vl_schedule *schedule,
                                    const struct vl_schedule_costs *costs);

/*
 * Memory for the gradients that a stage sends, so that it never waits for its own sends:
 * micro-batch i of chunk c uses slot slots[c m + i], one of counts[c]. Two share a slot if in every
 * run the first has arrived before the second is computed, however long tasks and messages take.
 * counts[0] of stage 0, which sends none, is 0. slots (v, m), counts (v). VL_EINVAL if the schedule
 * is not sound or has no such stage, VL_ENOMEM.
 */
enum vl_status vl_schedule_flight(size_t *slots, size_t *counts, const struct vl_schedule *schedule,
                                  size_t stage);

#endif
