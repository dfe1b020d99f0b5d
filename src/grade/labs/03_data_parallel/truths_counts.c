/*
 * What is counted in lab 03: bytes, messages, what is under way in time; and the prediction.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/budget.h"
#include "oracle/replicas.h"

#include <stdbool.h>

/* Bytes that a rank sends in an all-reduce of n floats. */
static size_t ring_bytes(size_t n, int rank, int ranks)
{
    size_t sent, received;
    vl_oracle_ring(&sent, &received, n, rank, ranks);
    return sent * sizeof(float);
}

/* Messages of so many all-reduces. */
static size_t ring_messages(size_t rings, int ranks)
{
    return rings * 2 * (size_t)(ranks - 1);
}

/* One all-reduce: its bytes, and a message per step of the ring. */
VL_SCOPED_TRUTH(reduce_traffic)
{
    int ranks = vl_replicas_of(s);
    for (int r = 0; r < ranks; r++) {
        vl_ranked_int(s, "sent_bytes", r, ring_bytes(vl_scope_size(s, "n"), r, ranks));
        vl_ranked_int(s, "sent_messages", r, ring_messages(1, ranks));
    }
}

/* Bytes that a rank sends for all gradients, bucket by bucket. */
static size_t bucket_bytes(const struct vl_scope *s, const struct vl_bucket_trace *trace, int rank)
{
    size_t bytes = 0, end = vl_scope_size(s, "count");
    for (size_t i = 0; i < vl_scope_size(s, "unit_count"); i++) {
        size_t begin = trace->open_end[i];
        bytes += begin < end ? ring_bytes(end - begin, rank, vl_replicas_of(s)) : 0;
        end = begin;
    }
    return bytes;
}

/* Two steps. The loss is sent too: a few bytes next to thousands, which the bound allows, in no more
 * messages than two all-reduces have. */
VL_SCOPED_TRUTH(accumulation_traffic)
{
    const struct vl_bucket_trace trace = vl_trace_buckets(s, vl_scope_size(s, "bucket_bytes"));
    const bool overlap = vl_scope_size(s, "overlap") != 0;
    int ranks = vl_replicas_of(s);
    for (int r = 0; r < ranks; r++) {
        size_t bytes =
            overlap ? bucket_bytes(s, &trace, r) : ring_bytes(vl_scope_size(s, "count"), r, ranks);
        vl_ranked_int(s, "one_bytes", r, bytes);
        vl_ranked_int(s, "accumulated_bytes", r, bytes);
        vl_ranked_int(s, VL_MOST_MESSAGES, r,
                      2 * ring_messages((overlap ? trace.buckets : 1) + 2, ranks));
    }
}

/* All but the last bucket, which is never ready before backward ends, can be under way. What seems to be
 * so and is sent again later makes more bytes than all gradients need. */
VL_SCOPED_TRUTH(overlap)
{
    const struct vl_bucket_trace trace = vl_trace_buckets(s, vl_scope_size(s, "bucket_bytes"));
    size_t last = vl_scope_size(s, "unit_count") - 1;
    double all = (double)vl_scope_size(s, "count");
    int ranks = vl_replicas_of(s);
    for (int r = 0; r < ranks; r++) {
        vl_ranked_real(s, "started_share", r, (all - (double)trace.open_end[last - 1]) / all);
        vl_ranked_int(s, "polls_left_out", r, 0);
        if (trace.started[0] == 0) /* the last unit does not fill a bucket: nothing is sent yet */
            vl_ranked_int(s, "sent_too_early", r, 0);
        vl_ranked_int(s, VL_MOST_BYTES, r, bucket_bytes(s, &trace, r));
        vl_ranked_int(s, VL_MOST_MESSAGES, r, ring_messages(trace.buckets + 2, ranks));
    }
}

/* Without overlap, nothing is sent before backward has ended. */
VL_SCOPED_TRUTH(flat)
{
    for (int r = 0; r < vl_replicas_of(s); r++)
        vl_ranked_int(s, "bytes_before_end", r, 0);
}

/* Messages with every unit a bucket, with some units in each, and with one bucket for all. */
VL_SCOPED_TRUTH(bucket_traffic)
{
    size_t all = vl_scope_size(s, "count") * sizeof(float);
    const size_t sizes[] = {0, all / 3, all + 1};
    int ranks = vl_replicas_of(s);
    for (int r = 0; r < ranks; r++) {
        int64_t *messages = vl_ranked_whole(s, "messages", r, 1, 3);
        size_t all_messages = 0, all_bytes = 0;
        for (size_t i = 0; messages && i < 3; i++) {
            const struct vl_bucket_trace trace = vl_trace_buckets(s, sizes[i]);
            messages[i] = (int64_t)ring_messages(trace.buckets, ranks);
            all_messages += (size_t)messages[i];
            all_bytes += bucket_bytes(s, &trace, r);
        }
        vl_ranked_int(s, VL_MOST_MESSAGES, r, all_messages);
        vl_ranked_int(s, VL_MOST_BYTES, r, all_bytes);
    }
}

/* ---- the prediction ---- */

static size_t parameters(struct vl_scope *s)
{
    struct vl_oracle_shape shape = vl_shape_read(s->inputs);
    uint64_t every = 0, multiplying;
    s->failed |= vl_oracle_parameter_count(&every, &multiplying, &shape) != VL_OK;
    return (size_t)every;
}

/* Every unit has a multiple of four elements, so all ranks send the same. */
static size_t sent_bytes(struct vl_scope *s)
{
    return ring_bytes(parameters(s), 0, vl_replicas_of(s));
}

VL_SCOPED_TRUTH(predict_sent)
{
    vl_scope_give_int(s, "predicted_bytes", sent_bytes(s));
}

VL_SCOPED_TRUTH(predict_accumulated)
{
    vl_scope_give_int(s, "predicted_accumulated", sent_bytes(s));
}

/* The embedding is ready last, as backward ends. */
VL_SCOPED_TRUTH(predict_hidden)
{
    size_t embedding = vl_scope_size(s, "vocabulary") * vl_scope_size(s, "width");
    vl_scope_give_real(s, "hidden_share", 1 - (double)embedding / (double)parameters(s));
}
