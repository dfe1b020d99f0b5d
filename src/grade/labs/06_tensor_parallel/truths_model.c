/*
 * Lab 06's composed case: a model that ranks hold together must have the losses and gradients of
 * the same model on one device, each rank those of its part.
 *
 * Bound 1e-4, where one operation has 1e-5: a gradient goes through some sixty operations.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "grade/shared/model.h"
#include "oracle/tensor.h"

#include <string.h>

/* Which side of a tensor is shared out: gains stay whole, o and down are shared by columns. */
static int by_columns(const struct vl_oracle_tensor *t)
{
    return strstr(t->name, "o_proj") != NULL || strstr(t->name, "down_proj") != NULL;
}

static void answer_part(struct vl_scope *s, const struct vl_oracle_tensor *t, const double *whole,
                        int rank, int ranks)
{
    size_t share = (size_t)ranks, place = (size_t)rank;
    size_t rows = t->decays && !by_columns(t) ? t->rows / share : t->rows;
    size_t cols = t->decays && by_columns(t) ? t->cols / share : t->cols;
    size_t first_row = rows < t->rows ? place * rows : 0;
    size_t first_col = cols < t->cols ? place * cols : 0;
    double *part = vl_ranked_out(s, t->name, rank, rows, cols);
    for (size_t i = 0; part != NULL && i < rows * cols; i++)
        part[i] = whole[t->offset + (first_row + i / cols) * t->cols + first_col + i % cols];
}

VL_TRUTH(tensor_model)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_oracle_transformer model;
    int ranks = (int)vl_bag_int(inputs, "ranks");
    size_t rows = vl_bag_size(inputs, "rows_per_micro") * vl_bag_size(inputs, "micro_batches");
    double loss = 0;
    enum vl_status status = vl_transformer_read(&model, inputs);
    s.failed |= status != VL_OK;
    if (status != VL_OK)
        return vl_scope_end(&s);
    status = vl_oracle_transformer_loss(&loss, &model, vl_bag_i32(inputs, "tokens"),
                                        vl_bag_i32(inputs, "targets"), rows,
                                        1 / ((double)rows * (double)model.shape.sequence), 1);
    s.failed |= status != VL_OK;
    for (int rank = 0; !s.failed && rank < ranks; rank++) {
        vl_ranked_real(&s, "loss", rank, loss);
        for (size_t i = 0; i < model.tensor_count; i++)
            answer_part(&s, &model.tensors[i], model.gradients, rank, ranks);
    }
    vl_oracle_transformer_free(&model);
    return vl_scope_end(&s);
}

/* Of all micro-batches, and of the gains once a step. */
VL_TRUTH(tensor_model_bytes)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_oracle_shape model = vl_shape_read(inputs);
    const struct vl_oracle_tensor_shape shape = {.layers = model.layers,
                                                 .width = model.width,
                                                 .ff = model.ff,
                                                 .vocabulary = model.vocabulary,
                                                 .tokens = vl_bag_size(inputs, "rows_per_micro") *
                                                           model.sequence,
                                                 .ranks = (int)vl_bag_int(inputs, "ranks")};
    for (int rank = 0; rank < shape.ranks; rank++) {
        uint64_t sent = vl_bag_size(inputs, "micro_batches") * vl_oracle_tensor_sent(&shape, rank);
        for (size_t gain = 0; vl_bag_int(inputs, "shared") && gain < 2 * model.layers + 1; gain++)
            sent += vl_oracle_all_reduce_sent(model.width, rank, shape.ranks);
        vl_ranked_int(&s, "sent_bytes", rank, sizeof(float) * sent);
    }
    return vl_scope_end(&s);
}
