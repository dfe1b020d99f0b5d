#include "cli/mpi/watched_trace.h"

#include "comm/span.h"
#include "comm/trace/events.h"
#include "sandbox/process.h"
#include "wire/beacon.h"
#include "wire/spans.h"

#include <stdio.h>
#include <stdlib.h>

#define SPANS                                                                                      \
    80000 /* of all ranks together: with the computing between them `vialata timeline` takes no more */

enum vl_status vl_watched_record(const struct vl_watched_job *job)
{
    for (int rank = 0; rank < job->ranks; rank++)
        if (!vl_spans_make(job->folder, rank, SPANS / (uint64_t)job->ranks))
            return VL_EIO;
    return VL_OK;
}

/* What a rank wrote; it is the rank's program that wrote it, so nothing in it is believed. */
static uint64_t count_of(const struct vl_spans *spans)
{
    uint64_t count = __atomic_load_n(&spans->count, __ATOMIC_ACQUIRE);
    return count < spans->most ? count : spans->most;
}

static void note(double *first, double begin)
{
    if (begin > 0 && (*first == 0 || begin < *first))
        *first = begin;
}

static double first_begin(struct vl_spans *const *spans, int ranks)
{
    double first = 0;
    for (int rank = 0; rank < ranks; rank++) {
        for (uint64_t i = 0; spans[rank] != NULL && i < count_of(spans[rank]); i++)
            note(&first, spans[rank]->one[i].begin);
        if (spans[rank] != NULL)
            note(&first, spans[rank]->inside);
    }
    return first;
}

/* A rank's spans with what it computed between the waits: added one after the other. */
struct lane {
    struct vl_spans_one *one;
    uint64_t count;
    double last; /* the end of its last wait */
};

static void add(struct lane *lane, const struct vl_spans_one *span)
{
    if (span->kind == VL_SPAN_WAIT && span->begin > lane->last)
        lane->one[lane->count++] = (struct vl_spans_one){.kind = VL_SPAN_COMPUTE,
                                                         .peer = -1,
                                                         .begin = lane->last,
                                                         .end = span->begin,
                                                         .number = -1,
                                                         .name = "compute"};
    if (span->kind == VL_SPAN_WAIT && span->end > lane->last)
        lane->last = span->end;
    lane->one[lane->count] = *span;
    lane->one[lane->count++].name[sizeof span->name - 1] = '\0';
}

/* The call in which it was when the program was ended. */
static void add_inside(struct lane *lane, const struct vl_spans *spans,
                       const struct vl_watched_job *job, int rank)
{
    struct vl_spans_one span = {.kind = VL_SPAN_WAIT, .peer = -1, .number = -1};
    span.begin = spans->inside;
    span.end = vl_clock();
    if (job->end == VL_WATCHED_ENDED || !(span.begin > 0 && span.begin < span.end))
        return;
    snprintf(span.name, sizeof span.name, "%s",
             vl_operation_name(job->board[rank]->beacon.call.operation));
    add(lane, &span);
}

static enum vl_status add_rank(json_t *events, const struct vl_spans *spans,
                               const struct vl_watched_job *job, int rank, double zero)
{
    uint64_t count = count_of(spans);
    struct lane lane = {.one = calloc(2 * count + 2, sizeof *lane.one), .last = zero};
    if (lane.one == NULL)
        return VL_ENOMEM;
    for (uint64_t i = 0; i < count; i++)
        add(&lane, &spans->one[i]);
    add_inside(&lane, spans, job, rank);
    vl_trace_add_rank(events, lane.one, lane.count, rank, zero);
    free(lane.one);
    return VL_OK;
}

enum vl_status vl_watched_trace(char **text, uint64_t *lost, const struct vl_watched_job *job)
{
    struct vl_spans *spans[VL_BOARD_RANKS] = {0};
    json_t *events = json_array();
    enum vl_status status = events != NULL ? VL_OK : VL_ENOMEM;
    *lost = 0;
    for (int rank = 0; rank < job->ranks; rank++)
        spans[rank] = vl_spans_map(job->folder, rank);
    double zero = first_begin(spans, job->ranks);
    for (int rank = 0; rank < job->ranks && status == VL_OK; rank++) {
        if (spans[rank] == NULL)
            continue;
        *lost += spans[rank]->lost;
        status = add_rank(events, spans[rank], job, rank, zero);
    }
    json_t *trace = vl_trace_of(events, job->ranks, -1); /* takes the events */
    *text = status == VL_OK && trace != NULL ? json_dumps(trace, JSON_COMPACT) : NULL;
    json_decref(trace);
    return *text != NULL ? VL_OK : VL_ENOMEM;
}
