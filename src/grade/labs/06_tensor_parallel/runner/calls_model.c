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

/* The whole model's weights, by name, and this rank's part of them. */
static enum vl_status load(struct vl_model *model, const struct vl_bag *inputs)
{
    struct vl_layout layout;
    enum vl_status status = vl_layout_create(&layout, vl_model_shape(model), NULL, &VL_SLICE_WHOLE);
    if (status != VL_OK)
        return status;
    const struct vl_learner whole = {.weights = calloc(layout.count, sizeof(float)),
                                     .tensors = layout.tensors,
                                     .tensor_count = layout.tensor_count};
    status = whole.weights != NULL ? vl_take_weights(&whole, inputs) : VL_ENOMEM;
    if (status == VL_OK)
        vl_layout_cut(vl_model_learner(model)->weights, vl_model_layout(model), whole.weights);
    free(whole.weights);
    vl_layout_free(&layout);
    return status;
}

VL_CALL(tensor_model)
{
    const struct vl_model_plan plan = {.shape = vl_shape_of(inputs),
                                       .rows = vl_input_size(inputs, "rows_per_micro"),
                                       .kind = VL_MODEL_LEARNS,
                                       .tensor =
                                           vl_tensor_site_group((int)vl_bag_int(inputs, "shared"))};
    struct vl_model *model = NULL;
    double loss = 0;
    enum vl_status status = vl_model_create_part(&model, &plan);
    VL_NEXT(status, load(model, inputs));
    VL_NEXT(status, vl_pass_batch(&loss, model, inputs));
    VL_NEXT(status, vl_give_gradients(outputs, vl_model_learner(model)));
    vl_model_free(model);
    return vl_give_reals(outputs, status, {"loss", loss});
}
