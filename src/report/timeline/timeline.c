#include "report/timeline/timeline.h"

#include "base/text.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Longer times are refused. It is thirty years, and keeps sums and differences exact enough. */
#define MICROSECONDS_MOST 1e15
#define BYTES_MOST        ((json_int_t)1 << 46) /* times all spans is still within 64 bits */
#define SHORTEST          1e-9                  /* seconds: a scale needs a length */

/* What is being put together. */
struct draft {
    struct vl_timeline *timeline;
    struct vl_timeline_span *spans;
    json_int_t *pids; /* of every span */
    size_t count;
    json_int_t known[VL_TIMELINE_RANKS]; /* in growing order */
    size_t known_count;
    const char *reason;
};

static int refuse(struct draft *draft, const char *reason)
{
    draft->reason = reason;
    return 0;
}

/* ---- one event ---- */

static int note_rank(struct draft *draft, json_int_t pid)
{
    size_t at = 0;
    while (at < draft->known_count && draft->known[at] < pid)
        at++;
    if (at < draft->known_count && draft->known[at] == pid)
        return 1;
    if (draft->known_count == VL_TIMELINE_RANKS)
        return refuse(draft, _("This trace has more than 64 ranks, more than a drawing can show: "
                               "record a smaller run."));
    memmove(draft->known + at + 1, draft->known + at,
            (draft->known_count - at) * sizeof *draft->known);
    draft->known[at] = pid;
    draft->known_count++;
    return 1;
}

static int read_time(double *seconds, const json_t *value)
{
    double time = json_number_value(value);
    if (!json_is_number(value) || !isfinite(time) || fabs(time) > MICROSECONDS_MOST)
        return 0;
    *seconds = 1e-6 * time;
    return 1;
}

/* An integer that may be left out. */
static bool read_integer(int64_t *number, const json_t *args, const char *key, json_int_t most)
{
    const json_t *value = json_object_get(args, key);
    if (value == NULL)
        return true;
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= 0 && *number <= most;
}

static enum vl_work work_of(const char *name)
{
    static const struct {
        const char *name;
        enum vl_work work;
    } names[] = {{"forward", VL_WORK_FORWARD}, {"backward", VL_WORK_BACKWARD},
                 {"update", VL_WORK_UPDATE},   {"F", VL_WORK_FORWARD}, /* tasks of a pipeline */
                 {"B", VL_WORK_BACKWARD},      {"W", VL_WORK_WEIGHT}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].name) == 0)
            return names[i].work;
    return VL_WORK_OTHER;
}

char *vl_timeline_task(char buffer[VL_TIMELINE_TASK], const struct vl_timeline_span *span)
{
    const char letter = span->work == VL_WORK_FORWARD    ? 'F'
                        : span->work == VL_WORK_BACKWARD ? 'B'
                                                         : 'W';
    if (span->chunk > 0)
        snprintf(buffer, VL_TIMELINE_TASK, "%c%lld.%lld", letter, (long long)span->number,
                 (long long)span->chunk);
    else
        snprintf(buffer, VL_TIMELINE_TASK, "%c%lld", letter, (long long)span->number);
    return buffer;
}

bool vl_timeline_shows(const struct vl_timeline_rank *rank, const struct vl_timeline_span *span)
{
    return span->track == VL_TRACK_COMPUTE &&
           (!rank->has_tasks || span->chunk >= 0 || span->work == VL_WORK_UPDATE);
}

static int read_span(struct draft *draft, const json_t *event, json_int_t tid, int is_mark)
{
    struct vl_timeline_span span = {.track = is_mark ? VL_TRACK_MARK : (enum vl_track)tid,
                                    .number = -1,
                                    .chunk = -1,
                                    .peer = -1};
    const json_t *args = json_object_get(event, "args");
    const char *name = json_string_value(json_object_get(event, "name"));
    int is_message = span.track == VL_TRACK_SEND || span.track == VL_TRACK_RECEIVE;
    int is_task = span.track == VL_TRACK_COMPUTE && json_object_get(args, "micro_batch") != NULL;
    const char *number = is_message ? "tag" : is_task ? "micro_batch" : "unit";
    double length = 0;
    int64_t bytes = 0;
    if (!read_time(&span.begin, json_object_get(event, "ts")) ||
        (!is_mark && !read_time(&length, json_object_get(event, "dur"))) || length < 0)
        return refuse(draft, _("A span of this trace has no usable time: `ts` and `dur` are "
                               "microseconds, and `dur` is not negative."));
    if (name == NULL)
        return refuse(draft, _("A span of this trace has no name."));
    if (!read_integer(&span.number, args, number, INT32_MAX) ||
        (is_task && !read_integer(&span.chunk, args, "chunk", INT32_MAX)) ||
        !read_integer(&span.peer, args, "peer", INT32_MAX) ||
        !read_integer(&bytes, args, "bytes", BYTES_MOST))
        return refuse(draft, _("A span of this trace has a unit, tag, peer or size that is not a "
                               "whole number, or is out of range."));
    span.end = span.begin + length;
    span.bytes = (uint64_t)bytes;
    span.work = work_of(name);
    strncpy(span.name, name, sizeof span.name - 1);
    draft->pids[draft->count] = json_integer_value(json_object_get(event, "pid"));
    draft->spans[draft->count++] = span;
    return 1;
}

/* Whatever other tools write besides spans and marks (flows, counters ...) is ignored. */
static int read_event(struct draft *draft, const json_t *event)
{
    const char *phase = json_string_value(json_object_get(event, "ph"));
    const json_t *pid = json_object_get(event, "pid"), *tid = json_object_get(event, "tid");
    if (phase == NULL)
        return refuse(draft, _("An event of this trace does not say what it is (`ph`)."));
    int is_mark = phase[0] == 'i', is_name = phase[0] == 'M';
    if (strlen(phase) != 1 || (phase[0] != 'X' && !is_mark && !is_name))
        return 1;
    if (!json_is_integer(pid) || json_integer_value(pid) < 0 || json_integer_value(pid) > INT32_MAX)
        return refuse(draft, _("An event of this trace does not say which rank it belongs to "
                               "(`pid`)."));
    if (!note_rank(draft, json_integer_value(pid)) || is_name)
        return draft->reason == NULL;
    if (!json_is_integer(tid) || json_integer_value(tid) < 0 ||
        json_integer_value(tid) > VL_TRACK_MARK ||
        (json_integer_value(tid) == VL_TRACK_MARK && !is_mark))
        return 1;
    return read_span(draft, event, json_integer_value(tid), is_mark);
}

/* ---- all of them ---- */

static size_t place_of(const struct draft *draft, json_int_t pid)
{
    size_t at = 0;
    while (at < draft->known_count && draft->known[at] != pid)
        at++;
    return at;
}

static int by_beginning(const void *left, const void *right)
{
    const struct vl_timeline_span *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

/* Sort the spans into ranks, and let time begin at zero. */
static void arrange(struct draft *draft)
{
    struct vl_timeline *timeline = draft->timeline;
    double first = INFINITY, last = -INFINITY;
    struct vl_timeline_span *to = timeline->spans;
    for (size_t i = 0; i < draft->count; i++) {
        first = fmin(first, draft->spans[i].begin);
        last = fmax(last, draft->spans[i].end);
    }
    timeline->seconds = fmax(last - first, SHORTEST);
    timeline->rank_count = draft->known_count;
    for (size_t rank = 0; rank < draft->known_count; rank++)
        timeline->ranks[rank] =
            (struct vl_timeline_rank){.number = (int)draft->known[rank], .stage = -1};
    for (size_t i = 0; i < draft->count; i++)
        timeline->ranks[place_of(draft, draft->pids[i])].count++;
    size_t filled[VL_TIMELINE_RANKS];
    for (size_t rank = 0, at = 0; rank < timeline->rank_count; rank++) {
        filled[rank] = at;
        timeline->ranks[rank].spans = to + at;
        at += timeline->ranks[rank].count;
    }
    for (size_t i = 0; i < draft->count; i++) {
        struct vl_timeline_span *span = &to[filled[place_of(draft, draft->pids[i])]++];
        *span = draft->spans[i];
        timeline->ranks[place_of(draft, draft->pids[i])].has_tasks |= span->chunk >= 0;
        span->begin -= first;
        span->end -= first;
    }
    for (size_t rank = 0; rank < timeline->rank_count; rank++)
        qsort(to + (timeline->ranks[rank].spans - to), timeline->ranks[rank].count, sizeof *to,
              by_beginning);
}

static enum vl_status read_events(struct draft *draft, const json_t *events)
{
    size_t i, count = json_array_size(events);
    const json_t *event;
    if (count > VL_TIMELINE_SPANS) {
        refuse(draft, _("This trace has more than 200,000 events, more than a drawing can show: "
                        "record a smaller run."));
        return VL_EFORMAT;
    }
    draft->timeline = calloc(1, sizeof *draft->timeline);
    draft->spans = calloc(count + 1, sizeof *draft->spans);
    draft->pids = calloc(count + 1, sizeof *draft->pids);
    if (draft->timeline == NULL || draft->spans == NULL || draft->pids == NULL)
        return VL_ENOMEM;
    json_array_foreach(events, i, event)
    {
        if (!read_event(draft, event))
            return VL_EFORMAT;
    }
    if (draft->count == 0) {
        refuse(draft, _("This trace is empty: nothing was recorded in it."));
        return VL_EFORMAT;
    }
    draft->timeline->spans = calloc(draft->count, sizeof *draft->timeline->spans);
    if (draft->timeline->spans == NULL)
        return VL_ENOMEM;
    arrange(draft);
    return VL_OK;
}

enum vl_status vl_timeline_read(struct vl_timeline **timeline, const json_t *trace,
                                const char **reason)
{
    struct draft draft = {0};
    const json_t *events = json_is_array(trace) ? trace : json_object_get(trace, "traceEvents");
    enum vl_status status = VL_EFORMAT;
    if (json_is_array(events))
        status = read_events(&draft, events);
    else
        refuse(&draft, _("This file is not a trace: it has no list `traceEvents`."));
    free(draft.spans);
    free(draft.pids);
    *reason = draft.reason;
    *timeline = status == VL_OK ? draft.timeline : NULL;
    if (status != VL_OK)
        vl_timeline_free(draft.timeline);
    return status;
}

void vl_timeline_free(struct vl_timeline *timeline)
{
    if (timeline == NULL)
        return;
    free(timeline->spans);
    free(timeline);
}
