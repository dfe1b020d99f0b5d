/*
 * The whole transformer in float64: what ten training steps must give.
 *
 * One flat array holds all parameters; tensors[] names the ranges as Llama checkpoints do, so
 * the arrays of another implementation can be matched by name whatever their order.
 */
#ifndef VIALATA_ORACLE_TRANSFORMER_H
#define VIALATA_ORACLE_TRANSFORMER_H

#include "oracle/optimizer.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

struct vl_oracle_shape {
    size_t layers, width, heads, ff, vocabulary, sequence;
};

struct vl_oracle_tensor {
    char name[64];
    size_t offset, rows, cols;
    int decays;     /* matrices yes, gains no */
    int multiplies; /* a matrix that every token is multiplied with */
};

struct vl_oracle_transformer {
    struct vl_oracle_shape shape;
    struct vl_oracle_tensor *tensors;
    size_t tensor_count;
    size_t count; /* parameters */
    double *weights, *gradients, *m, *v;
};

/* Weights zero. VL_ENOMEM. */
enum vl_status vl_oracle_transformer_create(struct vl_oracle_transformer *model,
                                            const struct vl_oracle_shape *shape);
void vl_oracle_transformer_free(struct vl_oracle_transformer *model);

/* The tensor of that name, NULL if there is none. */
const struct vl_oracle_tensor *vl_oracle_transformer_find(const struct vl_oracle_transformer *model,
                                                          const char *name);

/*
 * loss = scale * sum of the losses of targets given tokens, (rows, sequence) each. If backward is
 * nonzero the gradients are added to model->gradients. VL_ENOMEM.
 */
enum vl_status vl_oracle_transformer_loss(double *loss, struct vl_oracle_transformer *model,
                                          const int32_t *tokens, const int32_t *targets,
                                          size_t rows, double scale, int backward);

/* One training step on a whole batch (mean loss over its tokens); step counts from 1. */
enum vl_status vl_oracle_transformer_step(double *loss, double *norm,
                                          struct vl_oracle_transformer *model,
                                          const int32_t *tokens, const int32_t *targets,
                                          size_t rows, const struct vl_oracle_adamw *settings,
                                          double max_norm, uint64_t step);

#endif
