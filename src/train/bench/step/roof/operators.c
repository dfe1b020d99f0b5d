#include "train/bench/step/roof/operators.h"

static struct vl_operators *open_list;

static const char *const names[VL_OPERATORS] = {
    [VL_OPERATOR_ZEROING] = "zeroing",
    [VL_OPERATOR_EMBEDDING_FORWARD] = "embedding_forward",
    [VL_OPERATOR_RMSNORM_FORWARD] = "rmsnorm_forward",
    [VL_OPERATOR_LINEAR_FORWARD] = "linear_forward",
    [VL_OPERATOR_ROTARY_FORWARD] = "rotary_forward",
    [VL_OPERATOR_ATTENTION_FORWARD] = "attention_forward",
    [VL_OPERATOR_SWIGLU_FORWARD] = "swiglu_forward",
    [VL_OPERATOR_LOGITS_FORWARD] = "logits_forward",
    [VL_OPERATOR_CROSS_ENTROPY_FORWARD] = "cross_entropy_forward",
    [VL_OPERATOR_CROSS_ENTROPY_BACKWARD_INPUT] = "cross_entropy_backward_input",
    [VL_OPERATOR_LOGITS_BACKWARD_INPUT] = "logits_backward_input",
    [VL_OPERATOR_LOGITS_BACKWARD_WEIGHT] = "logits_backward_weight",
    [VL_OPERATOR_RMSNORM_BACKWARD_INPUT] = "rmsnorm_backward_input",
    [VL_OPERATOR_LINEAR_BACKWARD_INPUT] = "linear_backward_input",
    [VL_OPERATOR_SWIGLU_BACKWARD_INPUT] = "swiglu_backward_input",
    [VL_OPERATOR_ATTENTION_BACKWARD_INPUT] = "attention_backward_input",
    [VL_OPERATOR_ROTARY_BACKWARD_INPUT] = "rotary_backward_input",
    [VL_OPERATOR_LINEAR_BACKWARD_WEIGHT] = "linear_backward_weight",
    [VL_OPERATOR_RMSNORM_BACKWARD_WEIGHT] = "rmsnorm_backward_weight",
    [VL_OPERATOR_EMBEDDING_BACKWARD_WEIGHT] = "embedding_backward_weight",
    [VL_OPERATOR_UPDATE] = "update",
};

const char *vl_operator_name(enum vl_operator which)
{
    return names[which];
}

void vl_operators_open(struct vl_operators *list, size_t vocabulary, double (*clock)(void))
{
    *list = (struct vl_operators){.clock = clock, .vocabulary = vocabulary};
    open_list = list;
    list->opened = clock();
}

enum vl_status vl_operators_close(struct vl_operators *list)
{
    double calls = 0;
    list->seconds = list->clock() - list->opened;
    open_list = NULL;
    for (size_t i = 0; i < VL_OPERATORS; i++)
        if (i != VL_OPERATOR_ZEROING && i != VL_OPERATOR_UPDATE)
            calls += list->rows[i].calls;
    return calls > 0 && list->depth == 0 && !list->bad ? VL_OK : VL_EINVAL;
}

void vl_operators_enter(enum vl_operator which)
{
    struct vl_operators *list = open_list;
    if (list == NULL)
        return;
    if (list->depth == VL_OPERATORS_DEEP) {
        list->bad = 1;
        return;
    }
    size_t at = list->depth++;
    list->open[at].which = which;
    list->open[at].inside = 0;
    list->open[at].began = list->clock();
}

void vl_operators_leave(struct vl_work work)
{
    struct vl_operators *list = open_list;
    if (list == NULL)
        return;
    double now = list->clock();
    if (list->depth == 0) {
        list->bad = 1;
        return;
    }
    size_t at = --list->depth;
    struct vl_operator_row *row = &list->rows[list->open[at].which];
    double whole = now - list->open[at].began;
    row->calls++;
    row->seconds += whole - list->open[at].inside;
    row->work = vl_work_add(row->work, work);
    if (at > 0)
        list->open[at - 1].inside += whole;
}

enum vl_operator vl_operators_product(enum vl_operator layer, size_t out)
{
    if (open_list == NULL || out != open_list->vocabulary)
        return layer;
    switch (layer) {
    case VL_OPERATOR_LINEAR_FORWARD:
        return VL_OPERATOR_LOGITS_FORWARD;
    case VL_OPERATOR_LINEAR_BACKWARD_INPUT:
        return VL_OPERATOR_LOGITS_BACKWARD_INPUT;
    case VL_OPERATOR_LINEAR_BACKWARD_WEIGHT:
        return VL_OPERATOR_LOGITS_BACKWARD_WEIGHT;
    default:
        return layer;
    }
}

void vl_operators_mean(struct vl_operators *mean, const struct vl_operators *const *lists,
                       size_t count)
{
    const double share = 1.0 / (double)count;
    *mean = (struct vl_operators){.vocabulary = lists[0]->vocabulary};
    for (size_t k = 0; k < count; k++) {
        mean->seconds += share * lists[k]->seconds;
        for (size_t i = 0; i < VL_OPERATORS; i++) {
            const struct vl_operator_row *from = &lists[k]->rows[i];
            mean->rows[i].calls += share * from->calls;
            mean->rows[i].seconds += share * from->seconds;
            mean->rows[i].work =
                vl_work_add(mean->rows[i].work,
                            (struct vl_work){share * from->work.flops, share * from->work.bytes});
        }
    }
}

double vl_operators_rest(const struct vl_operators *list)
{
    double rest = list->seconds;
    for (size_t i = 0; i < VL_OPERATORS; i++)
        rest -= list->rows[i].seconds;
    return rest;
}

struct vl_work vl_operators_work(const struct vl_operators *list)
{
    struct vl_work all = {0, 0};
    for (size_t i = 0; i < VL_OPERATORS; i++)
        all = vl_work_add(all, list->rows[i].work);
    return all;
}
