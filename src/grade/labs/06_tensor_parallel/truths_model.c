/*
 * Lab 06's composed case: a model that ranks hold together must have the losses and gradients of
 * the same model on one device, each rank those of its part.
 *
 * Bound 1e-4, where one operation has 1e-5: a gradient goes through some sixty operations.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "grade/shared/model.h"

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

VL_SCOPED_TRUTH(tensor_model)
{
    struct vl_oracle_transformer model;
    int ranks = (int)vl_bag_int(s->inputs, "ranks");
    double loss;
    s->failed |= vl_transformer_pass(&loss, &model, s->inputs) != VL_OK;
    if (s->failed)
        return;
    for (int rank = 0; rank < ranks; rank++) {
        vl_ranked_real(s, "loss", rank, loss);
        for (size_t i = 0; i < model.tensor_count; i++)
            answer_part(s, &model.tensors[i], model.gradients, rank, ranks);
    }
    vl_oracle_transformer_free(&model);
}
