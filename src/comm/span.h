/*
 * Spans: what this rank did and when, for the timeline. Recording is off until somebody asks.
 *
 *   compute  forward, backward, update ... (written by engine and trainer)
 *   message  one send or receive, from its posting to its completion (written by comm/intercept/)
 *   wait     time spent inside a blocking MPI call
 *   mark     one point in time: backward ended
 */
#ifndef VIALATA_COMM_SPAN_H
#define VIALATA_COMM_SPAN_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vl_span_kind { VL_SPAN_COMPUTE, VL_SPAN_SEND, VL_SPAN_RECEIVE, VL_SPAN_WAIT, VL_SPAN_MARK };

#define VL_SPAN_CHUNK (INT64_C(1) << 20)

struct vl_span {
    uint32_t kind;
    int32_t peer; /* world rank of messages, else -1 */
    double begin; /* seconds on this rank's clock (CLOCK_MONOTONIC) */
    double end;
    uint64_t bytes;   /* of messages */
    int64_t number;   /* layer or unit for compute, tag for messages, else -1; of a pipeline's tasks
                         ("F", "B", "W"): chunk * VL_SPAN_CHUNK + micro-batch */
    const char *name; /* "forward", "backward", "update", "MPI_Wait" ...: a literal */
};

/* Start recording, and keep the first 'most' spans. What was recorded before is dropped. 0 ends
 * recording and frees the memory. VL_ENOMEM. */
enum vl_status vl_span_record(size_t most);
/* Recording is on from now, and each span goes to 'take' instead of being kept. *inside is when the call of MPI began
 * that this rank is in, 0 if it is in none. */
void vl_span_hand_to(void (*take)(const struct vl_span *span), double *inside);
/* This rank enters a call of MPI: now, on the clock of the spans. Its span of waiting is the end of it. */
double vl_span_enter(void);
/* It is in none any more, and nothing is recorded of it. */
void vl_span_leave(void);
/* Forget what was recorded; recording goes on. */
void vl_span_clear(void);
/* What was recorded, not sorted by time. *lost: how many spans came after the first 'most'. */
const struct vl_span *vl_span_all(size_t *count, size_t *lost);
bool vl_span_recording(void);

/* Now, on the clock of the spans. */
double vl_span_clock(void);
/* Add a span. Does nothing unless recording. */
void vl_span_add(const struct vl_span *span);
/* A piece of compute that began at 'begin' and ends now. */
void vl_span_compute(const char *name, int64_t number, double begin);
void vl_span_mark(const char *name);

#endif
