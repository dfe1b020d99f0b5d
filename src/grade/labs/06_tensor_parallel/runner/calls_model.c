/*
 * Lab 06's composed call: a model of which every rank has its part, one step's losses and
 * gradients.
 */
#include "grade/labs/06_tensor_parallel/runner/tensor_site.h"
#include "runner/arrays.h"
#include "runner/learner.h"

#include "engine/model/layout.h"
#include "engine/model/model.h"

#include <stdlib.h>
#include <string.h>

/* The whole model's weights, by name, and this rank's part of them. */
static enum vl_status load(struct vl_model *model, const struct vl_bag *inputs)
{
    const struct vl_shape *shape = vl_model_shape(model);
    struct vl_layout layout;
    enum vl_status status = vl_layout_create(&layout, shape, NULL, &VL_SLICE_WHOLE);
    if (status != VL_OK)
        return status;
    float *whole = calloc(layout.count, sizeof *whole);
    if (whole == NULL)
        status = VL_ENOMEM;
    for (size_t i = 0; status == VL_OK && i < layout.tensor_count; i++) {
        const struct vl_tensor *t = &layout.tensors[i];
        const float *w = vl_bag_f32(inputs, t->name);
        if (w == NULL)
            status = VL_EINTERNAL;
        else
            memcpy(whole + t->offset, w, t->rows * t->cols * sizeof *w);
    }
    if (status == VL_OK)
        vl_layout_cut(vl_model_learner(model)->weights, vl_model_layout(model), whole);
    free(whole);
    vl_layout_free(&layout);
    return status;
}

VL_CALL(tensor_model)
{
    size_t micro_batches = vl_input_size(inputs, "micro_batches");
    const struct vl_model_plan plan = {.shape = vl_shape_of(inputs),
                                       .rows = vl_input_size(inputs, "rows_per_micro"),
                                       .kind = VL_MODEL_LEARNS,
                                       .tensor =
                                           vl_tensor_site_group((int)vl_bag_int(inputs, "shared"))};
    struct vl_model *model = NULL;
    double loss = 0;
    enum vl_status status = vl_model_create_part(&model, &plan);
    VL_NEXT(status, load(model, inputs));
    VL_NEXT(status, vl_model_set_batch(model, vl_bag_i32(inputs, "tokens"),
                                       vl_bag_i32(inputs, "targets"), plan.rows, micro_batches));
    struct vl_learner *own = model != NULL ? vl_model_learner(model) : NULL;
    for (size_t k = 0; status == VL_OK && k < micro_batches; k++) {
        double part = 0;
        status = own->forward(own->model, k, &part);
        loss += part;
        VL_NEXT(status, own->backward(own->model, k));
    }
    VL_NEXT(status, vl_give_gradients(outputs, own));
    if (!vl_bag_set_real(outputs, "loss", loss))
        status = VL_EINTERNAL;
    vl_model_free(model);
    return status;
}
