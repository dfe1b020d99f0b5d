/* What can be measured on a timeline. */
#include "report/timeline/timeline.h"
#include "report/verdict/formats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct interval {
    double begin, end;
};

/* The stretches that the spans of two tracks cover together, without overlap. Spans come in order
 * of their beginning, so each one extends the last stretch or opens the next. */
static size_t cover(struct interval *stretches, const struct vl_timeline_rank *rank,
                    enum vl_track one, enum vl_track other)
{
    size_t count = 0;
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track != one && span->track != other)
            continue;
        if (count > 0 && span->begin <= stretches[count - 1].end)
            stretches[count - 1].end = fmax(stretches[count - 1].end, span->end);
        else
            stretches[count++] = (struct interval){span->begin, span->end};
    }
    return count;
}

static double length(const struct interval *stretches, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += stretches[i].end - stretches[i].begin;
    return sum;
}

static double common_length(const struct interval *a, size_t a_count, const struct interval *b,
                            size_t b_count)
{
    double sum = 0;
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        double both = fmin(a[i].end, b[j].end) - fmax(a[i].begin, b[j].begin);
        sum += fmax(both, 0);
        if (a[i].end < b[j].end)
            i++;
        else
            j++;
    }
    return sum;
}

/* When backward began and ended on a rank, and when the update after it began. */
struct phases {
    double backward_begins, backward_ends, update_begins;
};

static bool is_backward(const struct vl_timeline_span *span)
{
    return span->track == VL_TRACK_COMPUTE &&
           (span->work == VL_WORK_BACKWARD || span->work == VL_WORK_WEIGHT);
}

static struct phases find_phases(const struct vl_timeline_rank *rank)
{
    struct phases found = {INFINITY, -INFINITY, INFINITY};
    double marked = -INFINITY, last_begin = -INFINITY;
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track == VL_TRACK_MARK && strcmp(span->name, "backward ends") == 0)
            marked = fmax(marked, span->begin);
        if (!is_backward(span))
            continue;
        found.backward_begins = fmin(found.backward_begins, span->begin);
        found.backward_ends = fmax(found.backward_ends, span->end);
        last_begin = span->begin;
    }
    for (size_t i = 0; i < rank->count && !isfinite(found.update_begins); i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track == VL_TRACK_COMPUTE && span->work == VL_WORK_UPDATE &&
            span->begin >= last_begin && isfinite(last_begin))
            found.update_begins = span->begin;
    }
    if (isfinite(marked))
        found.backward_ends = marked;
    return found;
}

/* Another stage gets activations and their gradients, never gradients of weights. */
static bool leaves_stage(const struct vl_timeline *timeline, const struct vl_timeline_rank *rank,
                         int64_t peer)
{
    for (size_t other = 0; other < timeline->rank_count; other++)
        if (timeline->ranks[other].number == peer)
            return timeline->ranks[other].stage != rank->stage;
    return false;
}

static void count_bytes(struct vl_timeline_measured *measured, const struct vl_timeline *timeline,
                        const struct vl_timeline_rank *rank)
{
    struct phases phases = find_phases(rank);
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track != VL_TRACK_SEND)
            continue;
        measured->sent_bytes += span->bytes;
        if (span->begin < phases.backward_begins || span->begin >= phases.update_begins ||
            leaves_stage(timeline, rank, span->peer))
            continue;
        measured->gradient_bytes += span->bytes;
        if (span->begin < phases.backward_ends)
            measured->handed_bytes += span->bytes;
    }
}

static void set_shares(struct vl_timeline_measured *measured)
{
    measured->handed_share = measured->gradient_bytes > 0
                                 ? (double)measured->handed_bytes / (double)measured->gradient_bytes
                                 : NAN;
    measured->hidden_share =
        measured->road_seconds > 0 ? measured->hidden_seconds / measured->road_seconds : NAN;
}

static enum vl_status measure_rank(struct vl_timeline_measured *measured,
                                   const struct vl_timeline *timeline,
                                   const struct vl_timeline_rank *rank)
{
    struct interval *compute = calloc(2 * rank->count + 1, sizeof *compute);
    if (compute == NULL)
        return VL_ENOMEM;
    struct interval *other = compute + rank->count;
    size_t computed = cover(compute, rank, VL_TRACK_COMPUTE, VL_TRACK_COMPUTE);
    size_t others = cover(other, rank, VL_TRACK_WAIT, VL_TRACK_WAIT);
    measured->compute_seconds = length(compute, computed);
    measured->wait_seconds = length(other, others);
    others = cover(other, rank, VL_TRACK_SEND, VL_TRACK_RECEIVE);
    measured->road_seconds = length(other, others);
    measured->hidden_seconds = common_length(compute, computed, other, others);
    measured->idle_share = fmax(0, 1 - measured->compute_seconds / timeline->seconds);
    free(compute);
    count_bytes(measured, timeline, rank);
    set_shares(measured);
    return VL_OK;
}

static void add(struct vl_timeline_measured *all, const struct vl_timeline_measured *one)
{
    all->compute_seconds += one->compute_seconds;
    all->wait_seconds += one->wait_seconds;
    all->road_seconds += one->road_seconds;
    all->hidden_seconds += one->hidden_seconds;
    all->idle_share += one->idle_share;
    all->sent_bytes += one->sent_bytes;
    all->gradient_bytes += one->gradient_bytes;
    all->handed_bytes += one->handed_bytes;
}

enum vl_status vl_timeline_measure(struct vl_timeline_facts *facts,
                                   const struct vl_timeline *timeline)
{
    *facts = (struct vl_timeline_facts){.seconds = timeline->seconds,
                                        .rank_count = timeline->rank_count};
    for (size_t rank = 0; rank < timeline->rank_count; rank++) {
        enum vl_status status = measure_rank(&facts->ranks[rank], timeline, &timeline->ranks[rank]);
        if (status != VL_OK)
            return status;
        add(&facts->all, &facts->ranks[rank]);
    }
    facts->all.idle_share /= (double)timeline->rank_count;
    set_shares(&facts->all);
    return VL_OK;
}

static json_t *measured_json(const struct vl_timeline_measured *m)
{
    return json_pack("{so so so so so sI sI sI so so}", "compute_seconds",
                     vl_json_real(m->compute_seconds), "wait_seconds",
                     vl_json_real(m->wait_seconds), "road_seconds", vl_json_real(m->road_seconds),
                     "hidden_seconds", vl_json_real(m->hidden_seconds), "idle_share",
                     vl_json_real(m->idle_share), "sent_bytes", (json_int_t)m->sent_bytes,
                     "gradient_bytes", (json_int_t)m->gradient_bytes, "handed_bytes",
                     (json_int_t)m->handed_bytes, "handed_share", vl_json_real(m->handed_share),
                     "hidden_share", vl_json_real(m->hidden_share));
}

json_t *vl_timeline_json(const struct vl_timeline *timeline, const struct vl_timeline_facts *facts)
{
    json_t *ranks = json_array();
    for (size_t rank = 0; rank < facts->rank_count; rank++) {
        json_t *one = measured_json(&facts->ranks[rank]);
        json_object_set_new(one, "rank", json_integer(timeline->ranks[rank].number));
        json_array_append_new(ranks, one);
    }
    return json_pack("{so so so}", "seconds", vl_json_real(facts->seconds), "ranks", ranks, "all",
                     measured_json(&facts->all));
}
