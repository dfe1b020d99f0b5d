/*
 * What is counted in lab 03: bytes, messages, what is under way in time; and the prediction.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/budget.h"
#include "oracle/replicas.h"

/* Bytes that a rank sends in an all-reduce of n floats. */
static size_t ring_bytes(size_t n, int rank, int ranks)
{
    size_t sent, received;
    vl_oracle_ring(&sent, &received, n, rank, ranks);
    return sent * sizeof(float);
}

/* One all-reduce: its bytes, and a message per step of the ring. */
VL_SCOPED_TRUTH(reduce_traffic)
{
    int ranks = vl_replicas_of(s);
    for (int r = 0; r < ranks; r++) {
        vl_ranked_int(s, "sent_bytes", r, ring_bytes(vl_scope_size(s, "n"), r, ranks));
        vl_ranked_int(s, "sent_messages", r, 2 * (size_t)(ranks - 1));
    }
}

/* Bytes that a rank sends for the gradients of one step: flat, or bucket by bucket. */
static size_t step_bytes(const struct vl_scope *s, const struct vl_bucket_trace *trace, int rank)
{
    size_t bytes = 0, end = vl_scope_size(s, "count");
    int ranks = vl_replicas_of(s);
    if (!vl_scope_size(s, "overlap"))
        return ring_bytes(end, rank, ranks);
    for (size_t i = 0; i < vl_scope_size(s, "unit_count"); i++) {
        size_t begin = trace->open_end[i];
        bytes += begin < end ? ring_bytes(end - begin, rank, ranks) : 0;
        end = begin;
    }
    return bytes;
}

/* The loss is sent too: a few bytes next to thousands, which the bound allows. */
VL_SCOPED_TRUTH(accumulation_traffic)
{
    const struct vl_bucket_trace trace = vl_trace_buckets(s, vl_scope_size(s, "bucket_bytes"));
    for (int r = 0; r < vl_replicas_of(s); r++) {
        vl_ranked_int(s, "bytes_one", r, step_bytes(s, &trace, r));
        vl_ranked_int(s, "bytes_accumulated", r, step_bytes(s, &trace, r));
    }
}

/* All but the last bucket, which is never ready before backward ends, can be under way. */
VL_SCOPED_TRUTH(overlap)
{
    const struct vl_bucket_trace trace = vl_trace_buckets(s, vl_scope_size(s, "bucket_bytes"));
    size_t last = vl_scope_size(s, "unit_count") - 1;
    double all = (double)vl_scope_size(s, "count");
    for (int r = 0; r < vl_replicas_of(s); r++)
        vl_ranked_real(s, "started_share", r, (all - (double)trace.open_end[last - 1]) / all);
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
        for (size_t i = 0; messages && i < 3; i++)
            messages[i] = (int64_t)vl_trace_buckets(s, sizes[i]).buckets * 2 * (ranks - 1);
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
