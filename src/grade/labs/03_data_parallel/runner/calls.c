/*
 * Calls of lab 03: replicas, and the table of all calls.
 *
 * Names and switches of the inputs are described in ../data_parallel.h.
 */
#include "grade/labs/03_data_parallel/runner/replicas.h"
#include "runner/arrays.h"

#include <math.h>

/* ---- given functions ---- */

static VL_CALL(replica_rows)
{
    size_t replicas = vl_input_size(inputs, "replicas");
    size_t *first = vl_unwritten_sizes(outputs, "first", 1, replicas),
           *count = vl_unwritten_sizes(outputs, "count", 1, replicas);
    enum vl_status status = first && count ? VL_OK : VL_EINTERNAL;
    for (size_t r = 0; r < replicas && status == VL_OK; r++)
        status = vl_replica_rows(&first[r], &count[r], vl_input_size(inputs, "rows"), (int)r,
                                 (int)replicas);
    return status;
}

static VL_CALL(replica_sum)
{
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    double *value = vl_bag_add_f64(outputs, "value", 1, 1);
    const double *values = vl_bag_f64(inputs, "values");
    if (!value || !values)
        return VL_EINTERNAL;
    *value = values[rank];
    return vl_replica_sum(vl_case_comm(), value);
}

static VL_CALL(chunked_norm)
{
    double *norm = vl_unwritten_doubles(outputs, "norm", 1);
    const float *gradients = vl_bag_f32(inputs, "gradients");
    const size_t *units = vl_bag_sizes(inputs, "units");
    return norm && gradients && units
               ? vl_chunked_norm(norm, gradients, units, vl_input_size(inputs, "unit_count"),
                                 (int)vl_bag_int(inputs, "replicas"))
               : VL_EINTERNAL;
}

/* ---- flat ---- */

static VL_CALL(replica_equalise)
{
    size_t n = vl_input_size(inputs, "n");
    float *weights = vl_own_row(outputs, inputs, "weights", "own_weights", n);
    enum vl_status status =
        weights ? vl_replica_equalise(vl_case_comm(), weights, n) : VL_EINTERNAL;
    uint64_t negative = 0;
    for (size_t i = 0; status == VL_OK && i < n; i++)
        negative += signbit(weights[i]) != 0;
    return vl_give_counts(outputs, status, {"minus_signs", negative});
}

static VL_CALL(replica_reduce)
{
    size_t n = vl_input_size(inputs, "n");
    float *gradients = vl_own_row(outputs, inputs, "gradients", "own_gradients", n);
    return gradients ? vl_replica_reduce(vl_case_comm(), gradients, n) : VL_EINTERNAL;
}

static VL_CALL(predict_data_parallel)
{
    (void)inputs;
    struct vl_data_parallel_prediction sealed = {0, 0, 0};
    enum vl_status status = vl_predict_data_parallel(&sealed);
    status = vl_give_counts(outputs, status, {"predicted_bytes", sealed.sent_bytes},
                            {"predicted_accumulated", sealed.accumulated});
    return vl_give_reals(outputs, status, {"hidden_share", sealed.hidden_share});
}

const struct vl_call vl_calls_data_parallel[] = {
    VL_CALLED(replica_rows),
    VL_CALLED(replica_sum),
    VL_CALLED(chunked_norm),
    VL_CALLED(replica_equalise),
    VL_CALLED(replica_reduce),
    VL_CALLED(buckets_begin),
    VL_CALLED(buckets_ready),
    VL_CALLED(buckets_poll),
    VL_CALLED(buckets_finish),
    VL_CALLED(replica_step),
    {"replicas_train", vl_call_replicas_train},
    {"reduce_traffic", vl_call_replica_reduce},
    {"accumulation_traffic", vl_call_accumulation_traffic},
    {"overlap", vl_call_overlap},
    {"bucket_traffic", vl_call_bucket_traffic},
    VL_CALLED(predict_data_parallel),
    {NULL, NULL},
};
