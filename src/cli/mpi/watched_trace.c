#include "cli/mpi/watched_trace.h"

#include "comm/span.h"
#include "comm/trace/events.h"
#include "wire/spans.h"

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

static double first_begin(struct vl_spans *const *spans, int ranks)
{
    double first = 0;
    int found = 0;
    for (int rank = 0; rank < ranks; rank++)
        for (uint64_t i = 0; spans[rank] != NULL && i < count_of(spans[rank]); i++)
            if (!found++ || spans[rank]->one[i].begin < first)
                first = spans[rank]->one[i].begin;
    return first;
}

/* Its spans and, between the waits, what it computed. */
static enum vl_status add_rank(json_t *events, const struct vl_spans *spans, int rank, double zero)
{
    uint64_t count = count_of(spans), all = 0;
    double last = zero;
    struct vl_spans_one *one = calloc(2 * count + 1, sizeof *one);
    if (one == NULL)
        return VL_ENOMEM;
    for (uint64_t i = 0; i < count; i++) {
        const struct vl_spans_one *span = &spans->one[i];
        if (span->kind == VL_SPAN_WAIT && span->begin > last)
            one[all++] = (struct vl_spans_one){.kind = VL_SPAN_COMPUTE,
                                               .peer = -1,
                                               .begin = last,
                                               .end = span->begin,
                                               .number = -1,
                                               .name = "compute"};
        if (span->kind == VL_SPAN_WAIT && span->end > last)
            last = span->end;
        one[all] = *span;
        one[all++].name[sizeof span->name - 1] = '\0';
    }
    vl_trace_add_rank(events, one, all, rank, zero);
    free(one);
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
        status = add_rank(events, spans[rank], rank, zero);
    }
    json_t *trace = vl_trace_of(events, job->ranks, -1); /* takes the events */
    *text = status == VL_OK && trace != NULL ? json_dumps(trace, JSON_COMPACT) : NULL;
    json_decref(trace);
    return *text != NULL ? VL_OK : VL_ENOMEM;
}
