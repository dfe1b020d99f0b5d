/*
 * Calls of lab 06 on paper: how many all-reduces a model needs, how many bytes each rank sends and
 * keeps, and the sealed predictions.
 */
#include "grade/labs/06_tensor_parallel/runner/tensor_site.h"
#include "runner/arrays.h"
#include "runner/learner.h"

VL_CALL(tensor_all_reduces)
{
    const struct vl_tensor_entry *layers = vl_bag_find(inputs, "layers");
    uint64_t *counts = (uint64_t *)vl_whole_output(outputs, "counts", layers->count);
    enum vl_status status = counts != NULL ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; status == VL_OK && i < layers->count; i++)
        status = vl_answered(
            outputs, vl_tensor_all_reduces(&counts[i], (size_t)((const int32_t *)layers->data)[i]),
            i);
    return status;
}

/* The shape of question i, of those about several numbers of layers. */
static struct vl_shape with_layers(const struct vl_bag *inputs, size_t i)
{
    struct vl_shape shape = vl_shape_of(inputs);
    shape.layers = (size_t)vl_bag_i32(inputs, "layers")[i];
    return shape;
}

VL_CALL(tensor_sent_bytes)
{
    const struct vl_tensor_entry *layers = vl_bag_find(inputs, "layers");
    struct vl_shape shape = with_layers(inputs, 0);
    size_t rows = vl_input_size(inputs, "rows");
    int ranks = (int)vl_bag_int(inputs, "ranks");
    double *bytes = vl_unwritten_doubles(outputs, "bytes", layers->count);
    enum vl_status status = bytes != NULL ? VL_OK : VL_EINTERNAL;
    if (bytes != NULL && vl_bag_int(inputs, "bad"))
        return vl_first_unrefused(outputs,
                                  {"ranks = 0", vl_tensor_sent_bytes(bytes, &shape, rows, 0)},
                                  {"ranks = -1", vl_tensor_sent_bytes(bytes, &shape, rows, -1)});
    for (size_t i = 0; status == VL_OK && i < layers->count; i++) {
        shape = with_layers(inputs, i);
        status = vl_answered(outputs, vl_tensor_sent_bytes(&bytes[i], &shape, rows, ranks), i);
    }
    return status;
}

VL_CALL(tensor_again_bytes)
{
    const struct vl_tensor_entry *layers = vl_bag_find(inputs, "layers");
    struct vl_shape shape = with_layers(inputs, 0);
    size_t rows = vl_input_size(inputs, "rows");
    int ranks = (int)vl_bag_int(inputs, "ranks");
    uint64_t *bytes = (uint64_t *)vl_unwritten_numbers(outputs, "bytes", 1, layers->count);
    enum vl_status status = bytes != NULL ? VL_OK : VL_EINTERNAL;
    if (bytes != NULL && vl_bag_int(inputs, "bad"))
        return vl_first_unrefused(outputs,
                                  {"ranks = 0", vl_tensor_again_bytes(bytes, &shape, rows, 0)},
                                  {"ranks = -1", vl_tensor_again_bytes(bytes, &shape, rows, -1)});
    for (size_t i = 0; status == VL_OK && i < layers->count; i++) {
        shape = with_layers(inputs, i);
        status = vl_answered(outputs, vl_tensor_again_bytes(&bytes[i], &shape, rows, ranks), i);
    }
    return status;
}

VL_CALL(tensor_kept_bytes)
{
    const struct vl_tensor_entry *layers = vl_bag_find(inputs, "layers");
    struct vl_shape shape = with_layers(inputs, 0);
    int ranks = (int)vl_bag_int(inputs, "ranks");
    size_t rows = vl_input_size(inputs, "rows"), count = layers->count;
    int ways = rows * shape.sequence % (size_t)ranks == 0 ? 2 : 1; /* tokens nobody can share out */
    uint64_t *bytes = (uint64_t *)vl_unwritten_numbers(outputs, "bytes", (size_t)ways, count);
    enum vl_status status = bytes != NULL ? VL_OK : VL_EINTERNAL;
    if (bytes != NULL && vl_bag_int(inputs, "bad"))
        return vl_first_unrefused(
            outputs, {"ranks = 0, sequence = 0", vl_tensor_kept_bytes(bytes, &shape, rows, 0, 0)},
            {"ranks = -1, sequence = 0", vl_tensor_kept_bytes(bytes, &shape, rows, -1, 0)},
            {"ranks = 0, sequence = 1", vl_tensor_kept_bytes(bytes, &shape, rows, 0, 1)},
            {"ranks = -1, sequence = 1", vl_tensor_kept_bytes(bytes, &shape, rows, -1, 1)});
    for (int sequence = 0; sequence < ways; sequence++, bytes += count)
        for (size_t i = 0; status == VL_OK && i < count; i++) {
            shape = with_layers(inputs, i);
            int flag = sequence * ((int)i + 1); /* whatever is not zero says yes */
            status =
                vl_answered(outputs, vl_tensor_kept_bytes(&bytes[i], &shape, rows, ranks, flag), i);
        }
    return status;
}

VL_CALL(predict_tensor_parallel)
{
    struct vl_tensor_prediction sealed = {0};
    enum vl_status status = vl_predict_tensor_parallel(&sealed);
    (void)inputs;
    return vl_give_counts(outputs, status, {"all_reduces", sealed.all_reduces},
                          {"predicted_bytes", sealed.sent_bytes},
                          {"weights_bytes", sealed.weights_bytes});
}
