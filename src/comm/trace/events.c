#include "comm/trace/events.h"

#include "comm/span.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const tracks[] = {
    [VL_SPAN_COMPUTE] = "compute", [VL_SPAN_SEND] = "send", [VL_SPAN_RECEIVE] = "receive",
    [VL_SPAN_WAIT] = "wait",       [VL_SPAN_MARK] = "mark",
};
#define TRACKS (sizeof tracks / sizeof *tracks)

/* A task of a pipeline has a name of one letter. */
static bool is_task(const struct vl_spans_one *span)
{
    return span->kind == VL_SPAN_COMPUTE && span->name[0] != '\0' && span->name[1] == '\0' &&
           strchr("FBW", span->name[0]) != NULL;
}

static void set_number(json_t *more, const struct vl_spans_one *span, uint32_t track)
{
    if (is_task(span)) {
        json_object_set_new(more, "chunk", json_integer(span->number / VL_SPAN_CHUNK));
        json_object_set_new(more, "micro_batch", json_integer(span->number % VL_SPAN_CHUNK));
    } else {
        json_object_set_new(more,
                            track == VL_SPAN_SEND || track == VL_SPAN_RECEIVE ? "tag" : "unit",
                            json_integer(span->number));
    }
}

static json_t *event_of(const struct vl_spans_one *span, int rank, double zero)
{
    uint32_t track = span->kind < TRACKS ? span->kind : VL_SPAN_MARK;
    int is_mark = track == VL_SPAN_MARK;
    json_t *event =
        json_pack("{s:s, s:s, s:i, s:i, s:f}", "name", span->name, "ph", is_mark ? "i" : "X", "pid",
                  rank, "tid", (int)track, "ts", 1e6 * (span->begin - zero));
    if (is_mark)
        json_object_set_new(event, "s", json_string("p"));
    else
        json_object_set_new(event, "dur", json_real(1e6 * (span->end - span->begin)));
    json_t *more = json_object();
    if (span->number >= 0)
        set_number(more, span, track);
    if (span->peer >= 0) {
        json_object_set_new(more, "peer", json_integer(span->peer));
        json_object_set_new(more, "bytes", json_integer((json_int_t)span->bytes));
    }
    json_object_set_new(event, "args", more);
    return event;
}

/* What a viewer calls the process and its tracks. */
static void name_tracks(json_t *events, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "rank %d", rank);
    json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:{s:s}}", "name", "process_name",
                                            "ph", "M", "pid", rank, "args", "name", name));
    for (size_t track = 0; track < TRACKS; track++)
        json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "name",
                                                "thread_name", "ph", "M", "pid", rank, "tid",
                                                (int)track, "args", "name", tracks[track]));
}

void vl_trace_add_rank(json_t *events, const struct vl_spans_one *spans, size_t count, int rank,
                       double zero)
{
    name_tracks(events, rank);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(events, event_of(&spans[i], rank, zero));
}

json_t *vl_trace_of(json_t *events, int ranks, int64_t step)
{
    json_t *trace = json_pack("{s:o, s:s, s:{s:s, s:i}}", "traceEvents", events, "displayTimeUnit",
                              "ms", "otherData", "made_by", "vialata", "ranks", ranks);
    if (step >= 0 && trace != NULL)
        json_object_set_new(json_object_get(trace, "otherData"), "step", json_integer(step));
    return trace;
}
