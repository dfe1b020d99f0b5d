#include "train/run/evaluate.h"

#include "base/text.h"
#include "train/corpus/corpus.h"
#include "train/run/setup.h"
#include "vialata/expert_balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 8 /* windows at a time: enough for fast products, little memory */

static enum vl_status add_up(struct vl_evaluation *evaluation, struct vl_model *model,
                             struct vl_corpus_stream *text, int32_t *tokens, int32_t *targets,
                             struct vl_problem *problem)
{
    size_t sequence = vl_model_shape(model)->sequence;
    size_t windows = (text->count - 1) / sequence;
    double total = 0;
    for (size_t first = 0; first < windows; first += ROWS) {
        size_t rows = windows - first < ROWS ? windows - first : ROWS;
        double sum;
        enum vl_status status =
            vl_corpus_stream_read(tokens, targets, text, first * sequence, rows, sequence, problem);
        if (status != VL_OK)
            return status;
        status = vl_model_loss_sum(&sum, model, tokens, targets, rows);
        if (status != VL_OK)
            return vl_problem_status(problem, status);
        total += sum;
    }
    evaluation->windows = windows;
    evaluation->bytes = (uint64_t)windows * sequence;
    evaluation->loss = total / (double)evaluation->bytes;
    return VL_OK;
}

static enum vl_status refuse_dense(struct vl_problem *problem, const char *path)
{
    return vl_problem_set(problem, VL_EINVAL, "no_experts",
                          _("`--loads` tells how the experts of a model share the work, and %s has "
                            "none: leave it out, or train a model with `--experts`."),
                          path);
}

/* From the choices counted on all windows. */
static enum vl_status find_loads(struct vl_evaluation *evaluation, const struct vl_model *model)
{
    const struct vl_model_balance *balance = vl_model_balance(model);
    size_t layers = balance->layers, experts = vl_model_layout(model)->experts.experts;
    evaluation->layers = layers;
    evaluation->experts = experts;
    evaluation->loads = calloc(layers * experts, sizeof *evaluation->loads);
    evaluation->violation = calloc(layers, sizeof *evaluation->violation);
    if (evaluation->loads == NULL || evaluation->violation == NULL)
        return VL_ENOMEM;
    for (size_t layer = 0; layer < layers; layer++) {
        const double *counts = balance->counts + layer * experts;
        double all = 0;
        for (size_t e = 0; e < experts; e++)
            all += counts[e];
        for (size_t e = 0; e < experts; e++)
            evaluation->loads[layer * experts + e] = counts[e] / all;
        enum vl_status status =
            vl_load_max_violation(&evaluation->violation[layer], counts, experts);
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

static enum vl_status measure(struct vl_evaluation *evaluation, const struct vl_options *options,
                              struct vl_model *model, struct vl_corpus_stream *text,
                              struct vl_problem *problem)
{
    size_t count = ROWS * vl_model_shape(model)->sequence;
    int32_t *tokens = malloc(count * sizeof *tokens), *targets = malloc(count * sizeof *targets);
    enum vl_status status = tokens == NULL || targets == NULL
                                ? vl_problem_status(problem, VL_ENOMEM)
                                : add_up(evaluation, model, text, tokens, targets, problem);
    free(tokens);
    free(targets);
    if (status == VL_OK && options->loads) {
        status = find_loads(evaluation, model);
        if (status != VL_OK)
            vl_problem_status(problem, status);
    }
    if (status == VL_OK && !isfinite(evaluation->loss))
        status = vl_problem_set(problem, VL_EFORMAT, "loss_not_finite",
                                _("The loss of %s is not a number: its weights are damaged. "
                                  "Take an earlier save."),
                                options->checkpoint);
    return status;
}

enum vl_status vl_evaluate(struct vl_evaluation *evaluation, const struct vl_options *options,
                           struct vl_problem *problem)
{
    struct vl_checkpoint *checkpoint = NULL;
    struct vl_model *model = NULL;
    struct vl_corpus_stream text = {.fd = -1};
    memset(evaluation, 0, sizeof *evaluation);
    enum vl_status status = vl_setup_checkpoint(&checkpoint, options->checkpoint, problem);
    if (status == VL_OK && options->loads && vl_checkpoint_experts(checkpoint)->experts == 0)
        status = refuse_dense(problem, options->checkpoint);
    if (status == VL_OK)
        status = vl_corpus_stream_open(&text, options->data, ROWS,
                                       vl_checkpoint_shape(checkpoint)->sequence, problem);
    if (status == VL_OK)
        status = vl_setup_model(&model, checkpoint, ROWS, problem);
    if (status == VL_OK)
        status = vl_setup_weights(checkpoint, options->checkpoint, model, problem);
    if (status == VL_OK)
        status = measure(evaluation, options, model, &text, problem);
    vl_corpus_stream_close(&text);
    vl_model_free(model);
    vl_checkpoint_close(checkpoint);
    return status;
}

void vl_evaluation_free(struct vl_evaluation *evaluation)
{
    free(evaluation->loads);
    free(evaluation->violation);
    memset(evaluation, 0, sizeof *evaluation);
}
