/*
 * Gradients in flight. A gradient that a stage has sent keeps its memory until it has arrived, and
 * the receiving stage may be arbitrarily late.
 *
 * So the schedule is run with the receiver as late as possible: it does a task only when no other
 * stage can go on. What has arrived then has arrived in every run, and its memory can be reused.
 */
#include "engine/schedule/schedule_look.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct flight {
    size_t stage, receiver;
    size_t *slots;   /* (v, m), the caller's */
    size_t *counts;  /* (v), the caller's */
    size_t *holders; /* (v, m): the micro-batch that has each slot of a chunk */
};

/* Has the virtual stage before this chunk of the stage done the micro-batch's backward? */
static bool has_arrived(const struct flight *flight, const struct vl_look *look, uint32_t chunk,
                        size_t micro)
{
    size_t stages = look->schedule->stages, before = chunk * stages + flight->stage - 1;
    const struct vl_task task = {.kind = VL_TASK_BACKWARD,
                                 .chunk = (uint32_t)(before / stages),
                                 .micro_batch = (uint32_t)micro};
    return *vl_look_place(look, flight->receiver, &task) < look->next[flight->receiver];
}

/* A gradient is about to be computed: it gets the first slot whose last gradient has arrived. */
static void take_slot(void *context, const struct vl_look *look, size_t stage)
{
    const struct flight *flight = context;
    const struct vl_task *task = &look->schedule->tasks[stage * look->width + look->next[stage]];
    if (stage != flight->stage || task->kind != VL_TASK_BACKWARD || stage + task->chunk == 0)
        return;
    size_t first = task->chunk * look->schedule->micro_batches, slot = 0;
    size_t *count = &flight->counts[task->chunk], *holders = flight->holders + first;
    while (slot < *count && !has_arrived(flight, look, task->chunk, holders[slot]))
        slot++;
    *count += slot == *count;
    holders[slot] = task->micro_batch;
    flight->slots[first + task->micro_batch] = slot;
}

static void run_late(struct vl_look *look, size_t late)
{
    do {
        for (int moved = 1; moved;) {
            moved = 0;
            for (size_t stage = 0; stage < look->schedule->stages; stage++)
                while (stage != late && vl_look_step(look, stage))
                    moved = 1;
        }
    } while (vl_look_step(look, late));
}

enum vl_status vl_schedule_flight(size_t *slots, size_t *counts, const struct vl_schedule *schedule,
                                  size_t stage)
{
    struct vl_look look;
    struct vl_schedule_report report;
    enum vl_status status = vl_look_open(&look, schedule);
    if (status == VL_OK)
        vl_look_check(&report, &look);
    if (status == VL_OK && (report.fault != VL_SCHEDULE_SOUND || stage >= schedule->stages))
        status = VL_EINVAL;
    if (status == VL_OK) {
        size_t all = schedule->chunks * schedule->micro_batches;
        struct flight flight = {.stage = stage,
                                .receiver = (stage + schedule->stages - 1) % schedule->stages,
                                .slots = slots,
                                .counts = counts,
                                .holders = calloc(all, sizeof *flight.holders)};
        memset(slots, 0, all * sizeof *slots);
        memset(counts, 0, schedule->chunks * sizeof *counts);
        memset(look.next, 0, schedule->stages * sizeof *look.next);
        look.done = take_slot;
        look.context = &flight;
        if (flight.holders != NULL)
            run_late(&look, flight.receiver);
        else
            status = VL_ENOMEM;
        free(flight.holders);
    }
    vl_look_close(&look);
    return status;
}
