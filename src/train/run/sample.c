#include "train/run/sample.h"

#include "base/random.h"
#include "base/text.h"
#include "train/log/log.h"
#include "train/log/shown.h"
#include "train/run/setup.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BYTES         256
#define SAMPLE_STREAM 0x73616d706c65ULL /* "sample" */

/* Draw from softmax(logits / temperature); 'chance' is uniform in [0, 1). -1 if a logit is not
 * finite. */
static int draw(const float *logits, double temperature, double chance)
{
    double weights[BYTES], total = 0;
    int best = 0;
    for (int i = 0; i < BYTES; i++) {
        if (!isfinite(logits[i]))
            return -1;
        if (logits[i] > logits[best])
            best = i;
    }
    if (temperature == 0)
        return best;
    for (int i = 0; i < BYTES; i++) {
        weights[i] = exp(((double)logits[i] - (double)logits[best]) / temperature);
        total += weights[i];
    }
    double left = chance * total;
    for (int i = 0; i < BYTES; i++)
        if ((left -= weights[i]) < 0)
            return i;
    return best;
}

struct writer {
    FILE *events;
    struct vl_shown shown;
};

static bool tell(const struct writer *writer, const char *text, size_t length)
{
    return length == 0 || vl_log_print(writer->events, json_pack("{s:s%}", "text", text, length));
}

static int tell_prompt(struct writer *writer, const char *prompt)
{
    char *text = calloc(strlen(prompt) + 1, VL_SHOWN_LONGEST);
    size_t length = 0;
    for (const char *c = prompt; text != NULL && *c != '\0'; c++)
        length += vl_shown_byte(text + length, &writer->shown, (unsigned char)*c);
    int told = text != NULL && tell(writer, text, length);
    free(text);
    return told;
}

/* The last T tokens so far. */
struct context {
    int32_t *tokens;
    size_t count, most;
};

static void append(struct context *context, int32_t token)
{
    if (context->count > 0 && context->count == context->most)
        memmove(context->tokens, context->tokens + 1, --context->count * sizeof *context->tokens);
    context->tokens[context->count++] = token;
}

static enum vl_status write_on(struct vl_model *model, struct context *context,
                               struct writer *writer, const struct vl_options *options,
                               struct vl_problem *problem)
{
    char piece[VL_SHOWN_LONGEST];
    size_t vocabulary = vl_model_shape(model)->vocabulary;
    for (uint64_t i = 0; i < options->bytes; i++) {
        const float *logits;
        enum vl_status status = vl_model_logits(&logits, model, context->tokens, 1, context->count);
        if (status != VL_OK)
            return vl_problem_status(problem, status);
        int byte = draw(logits + (context->count - 1) * vocabulary, options->temperature,
                        vl_random_uniform(options->seed, SAMPLE_STREAM, i));
        if (byte < 0)
            return vl_problem_set(problem, VL_EFORMAT, "loss_not_finite",
                                  _("What %s predicts is not a number: its weights are damaged. "
                                    "Take an earlier save."),
                                  options->checkpoint);
        append(context, byte);
        size_t length = vl_shown_byte(piece, &writer->shown, (unsigned char)byte);
        if (!tell(writer, piece, length))
            return vl_problem_status(problem, VL_EIO);
    }
    return tell(writer, piece, vl_shown_end(piece, &writer->shown))
               ? VL_OK
               : vl_problem_status(problem, VL_EIO);
}

enum vl_status vl_sample(const struct vl_options *options, FILE *events, struct vl_problem *problem)
{
    struct vl_checkpoint *checkpoint = NULL;
    struct vl_model *model = NULL;
    struct context context = {0};
    struct writer writer = {.events = events};
    enum vl_status status = vl_setup_checkpoint(&checkpoint, options->checkpoint, problem);
    if (status != VL_OK)
        return status;
    const struct vl_shape *shape = vl_checkpoint_shape(checkpoint);
    context.most = shape->sequence;
    context.tokens = malloc(shape->sequence * sizeof *context.tokens);
    if (context.tokens == NULL)
        status = vl_problem_status(problem, VL_ENOMEM);
    else if (shape->vocabulary != BYTES)
        status = vl_problem_set(problem, VL_ESHAPE, "vocabulary",
                                _("The model in %s does not write bytes, so its choices cannot be "
                                  "shown as text."),
                                options->checkpoint);
    if (status == VL_OK)
        status = vl_setup_model(&model, checkpoint, 1, problem);
    if (status == VL_OK)
        status = vl_setup_weights(checkpoint, options->checkpoint, model, problem);
    if (status == VL_OK) {
        append(&context, '\n'); /* a model needs something to follow */
        for (const char *c = options->prompt; *c != '\0'; c++)
            append(&context, (unsigned char)*c);
        status = tell_prompt(&writer, options->prompt)
                     ? write_on(model, &context, &writer, options, problem)
                     : vl_problem_status(problem, VL_EIO);
    }
    vl_model_free(model);
    vl_checkpoint_close(checkpoint);
    free(context.tokens);
    return status;
}
