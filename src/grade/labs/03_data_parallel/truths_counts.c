/*
 * What lab 03's counted things must be: bytes, messages, what is under way in time, the prediction.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/budget.h"
#include "oracle/replicas.h"

#include <stdlib.h>

/* One all-reduce: its bytes, and a message a step of the ring. */
VL_TRUTH(reduce_traffic)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    int ranks = vl_replicas_of(inputs);
    for (int r = 0; r < ranks; r++) {
        size_t sent, received;
        vl_oracle_ring(&sent, &received, vl_scope_size(&s, "n"), r, ranks);
        vl_ranked_int(&s, "sent_bytes", r, sent * sizeof(float));
        vl_ranked_int(&s, "sent_messages", r, 2 * (size_t)(ranks - 1));
    }
    return vl_scope_end(&s);
}

/* Where each bucket of this size begins, counted from the last; free both. */
static size_t find_buckets(size_t **units, size_t **trace, const struct vl_bag *inputs,
                           size_t bucket_bytes)
{
    size_t count = vl_bag_size(inputs, "unit_count");
    *units = vl_units_of(inputs);
    *trace = calloc(2 * count + 1, sizeof **trace);
    if (!*units || !*trace)
        return 0;
    return vl_oracle_buckets(*trace, *trace + count, *units, count, bucket_bytes);
}

size_t vl_step_bytes(const struct vl_bag *inputs, int rank)
{
    size_t count = vl_bag_size(inputs, "unit_count"), all = vl_bag_size(inputs, "count");
    size_t *units, *trace, bytes = 0, sent, received, end = all;
    int ranks = vl_replicas_of(inputs);
    find_buckets(&units, &trace, inputs, vl_bag_size(inputs, "bucket_bytes"));
    for (size_t i = 0; units && trace && i < count; i++) {
        size_t begin = trace[count + i];
        vl_oracle_ring(&sent, &received, end - begin, rank, ranks);
        bytes += begin < end ? sent * sizeof(float) : 0;
        end = begin;
    }
    if (vl_bag_int(inputs, "overlap") == 0) {
        vl_oracle_ring(&sent, &received, all, rank, ranks);
        bytes = sent * sizeof(float);
    }
    free(units);
    free(trace);
    return bytes;
}

size_t vl_last_bucket(const struct vl_bag *inputs)
{
    size_t count = vl_bag_size(inputs, "unit_count"), *units, *trace, size = 0;
    find_buckets(&units, &trace, inputs, vl_bag_size(inputs, "bucket_bytes"));
    if (units && trace && count > 0)
        size = count > 1 ? trace[2 * count - 2] : units[count];
    free(units);
    free(trace);
    return size;
}

size_t vl_bucket_size(const struct vl_bag *inputs, size_t which)
{
    size_t all = vl_bag_size(inputs, "count") * sizeof(float);
    return which == 0 ? 0 : which == 1 ? all / 3 : all + 1;
}

size_t vl_bucket_messages(const struct vl_bag *inputs, size_t which)
{
    size_t *units, *trace;
    size_t buckets = find_buckets(&units, &trace, inputs, vl_bucket_size(inputs, which));
    free(units);
    free(trace);
    return buckets * 2 * (size_t)(vl_replicas_of(inputs) - 1);
}

/* The loss travels as well: a few bytes beside some thousands, which the bound allows. */
VL_TRUTH(accumulation_traffic)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        vl_ranked_int(&s, "bytes_one", r, vl_step_bytes(inputs, r));
        vl_ranked_int(&s, "bytes_accumulated", r, vl_step_bytes(inputs, r));
    }
    return vl_scope_end(&s);
}

/* All but the last bucket can be under way before backward ends. */
VL_TRUTH(overlap)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    double all = (double)vl_scope_size(&s, "count");
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        double *share = vl_ranked_out(&s, "started_share", r, 1, 1);
        if (share)
            *share = (all - (double)vl_last_bucket(inputs)) / all;
    }
    return vl_scope_end(&s);
}

/* Without overlap, nothing travels before backward has ended. */
VL_TRUTH(flat)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++)
        vl_ranked_int(&s, "bytes_before_end", r, 0);
    return vl_scope_end(&s);
}

VL_TRUTH(bucket_traffic)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        int64_t *messages = vl_ranked_whole(&s, "messages", r, 1, VL_BUCKET_SIZES);
        for (size_t i = 0; messages && i < VL_BUCKET_SIZES; i++)
            messages[i] = (int64_t)vl_bucket_messages(inputs, i);
    }
    return vl_scope_end(&s);
}

/* ---- the prediction ---- */

enum vl_status vl_predicted_case(struct vl_predicted *predicted, const struct vl_bag *inputs)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    uint64_t all, multiplying;
    enum vl_status status = vl_oracle_parameter_count(&all, &multiplying, &shape);
    if (status != VL_OK)
        return status;
    *predicted = (struct vl_predicted){
        .all = (double)all,
        .embedding = (double)(shape.vocabulary * shape.width),
        .ranks = (double)vl_replicas_of(inputs),
        .units = (double)shape.layers + 2,
        .micro_batches = (double)vl_bag_size(inputs, "micro_batches"),
    };
    return VL_OK;
}

/* Every unit has a multiple of four elements, so all ranks send the same. */
static enum vl_status sent(struct vl_bag *expected, const struct vl_bag *inputs, const char *name)
{
    struct vl_predicted p;
    enum vl_status status = vl_predicted_case(&p, inputs);
    if (status != VL_OK)
        return status;
    size_t elements, received;
    vl_oracle_ring(&elements, &received, (size_t)p.all, 0, (int)p.ranks);
    return vl_bag_set_int(expected, name, (int64_t)(elements * sizeof(float))) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_sent)
{
    return sent(expected, inputs, "predicted_bytes");
}

VL_TRUTH(predict_accumulated)
{
    return sent(expected, inputs, "predicted_accumulated");
}

/* The embedding is ready last, as backward ends. */
VL_TRUTH(predict_hidden)
{
    struct vl_predicted p;
    enum vl_status status = vl_predicted_case(&p, inputs);
    if (status == VL_OK && !vl_bag_set_real(expected, "hidden_share", 1 - p.embedding / p.all))
        status = VL_ENOMEM;
    return status;
}
