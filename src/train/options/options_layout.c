#include "train/options/options_layout.h"

#include "base/text.h"
#include "engine/schedule/schedule_make.h"
#include "engine/schedule/schedule_words.h"
#include "train/options/option_table.h"
#include "train/options/options_experts.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long number; /* as sentences print it */

/* ---- options that need or exclude each other ---- */

static enum vl_status refuse_without_pipeline(const struct vl_options *o,
                                              struct vl_problem *problem)
{
    static const enum vl_option asks[] = {VL_OPTION_SCHEDULE, VL_OPTION_CHUNKS,
                                          VL_OPTION_STAGE_LAYERS};
    for (size_t i = 0; o->stages == 1 && i < sizeof asks / sizeof *asks; i++)
        if (vl_options_given(o, asks[i]))
            return vl_problem_set(problem, VL_EINVAL, "layout_no_pipeline",
                                  _("`%s` is about a pipeline, and there is none: add `--pp N` "
                                    "with at least two stages, or leave it out."),
                                  vl_option_name(asks[i]));
    return VL_OK;
}

enum vl_status vl_options_check_words(const struct vl_options *options, struct vl_problem *problem)
{
    if (vl_options_ranks(options) > VL_MOST_RANKS)
        return vl_problem_set(problem, VL_EINVAL, "layout_ranks",
                              _("This layout needs %1$d ranks (`--dp` times `--ep` times `--tp` "
                                "times `--pp`), and a run has %2$d at most: choose smaller "
                                "ones."),
                              vl_options_ranks(options), VL_MOST_RANKS);
    if (options->sequence_parallel && options->tensor == 1)
        return vl_problem_set(problem, VL_EINVAL, "layout_sequence_alone",
                              _("`--sequence-parallel` shares tokens among the ranks of `--tp`, "
                                "and there is only one: add `--tp N`, or leave it out."));
    if (vl_options_given(options, VL_OPTION_ACCUMULATE) &&
        vl_options_given(options, VL_OPTION_MICRO_BATCHES))
        return vl_problem_set(problem, VL_EINVAL, "layout_counted_twice",
                              _("`--micro-batches` and `--accumulate` both say how many "
                                "micro-batches a replica makes of its sequences: give one of "
                                "them."));
    if (options->zero > 0 && (options->flat || options->bucket_bytes > 0))
        return vl_problem_set(problem, VL_EINVAL, "layout_zero",
                              _("With `--zero` gradients go unit by unit: leave out `--flat` and "
                                "`--bucket`."));
    if (options->flat && options->bucket_bytes > 0)
        return vl_problem_set(problem, VL_EINVAL, "layout_flat",
                              _("`--flat` sends all gradients at once, so there are no buckets: "
                                "leave out `--flat` or `--bucket`."));
    if (options->node_replicas > 0 && !options->flat)
        return vl_problem_set(problem, VL_EINVAL, "layout_levels",
                              _("`--node-replicas` sums all gradients in two levels after "
                                "backward: add `--flat`, or drop `--node-replicas`."));
    if (options->node_replicas > 0 && vl_options_replicas(options) % options->node_replicas != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_levels",
                              _("`--node-replicas %1$llu` does not divide the %2$llu replicas "
                                "(`--dp` times `--ep`): every node needs the same number."),
                              (unsigned long long)options->node_replicas,
                              (unsigned long long)vl_options_replicas(options));
    return refuse_without_pipeline(options, problem);
}

/* ---- the batch ---- */

static bool schedule_is_file(const struct vl_options *o)
{
    return o->schedule != NULL && vl_schedule_find(o->schedule) == VL_NAMED;
}

/* Rows of the smallest replica. */
static number rows_of(const struct vl_options *o)
{
    return o->batch / vl_options_replicas(o);
}

/* By default twice as many micro-batches as stages if there are enough rows: the bubble is then at
 * most half of the work. */
static enum vl_status choose_micro_batches(struct vl_options *o, struct vl_problem *problem)
{
    number rows = rows_of(o), stages = o->stages;
    if (vl_options_given(o, VL_OPTION_MICRO_BATCHES))
        o->accumulate = o->micro_batches;
    if (vl_options_given(o, VL_OPTION_MICRO_BATCHES) || vl_options_given(o, VL_OPTION_ACCUMULATE))
        return VL_OK;
    o->accumulate = o->stages == 1        ? 1
                    : schedule_is_file(o) ? 0
                    : rows < 2 * stages   ? stages
                                          : 2 * stages;
    if (o->accumulate > rows)
        return vl_problem_set(problem, VL_ESHAPE, "layout_rows_for_stages",
                              _("A replica with %1$llu sequences cannot make a micro-batch for "
                                "each of %2$llu stages: choose a larger `--batch`, a smaller "
                                "`--pp`, or say how many with `--micro-batches`."),
                              rows, stages);
    return VL_OK;
}

static enum vl_status settle_batch(struct vl_options *o, struct vl_problem *problem)
{
    if (o->batch < vl_options_replicas(o))
        return vl_problem_set(problem, VL_ESHAPE, "layout_rows",
                              _("A batch of %1$llu sequences cannot be shared by %2$llu replicas: "
                                "choose a larger `--batch`, or a smaller `--dp` or `--ep`."),
                              (number)o->batch, (number)vl_options_replicas(o));
    enum vl_status status = choose_micro_batches(o, problem);
    if (status == VL_OK && rows_of(o) < o->accumulate)
        return vl_problem_set(problem, VL_ESHAPE, "layout_micro_batches",
                              _("A replica with %1$llu sequences cannot make %2$llu micro-batches "
                                "of them: choose a larger `--batch`, or fewer with "
                                "`--micro-batches` or `--accumulate`."),
                              rows_of(o), (number)o->accumulate);
    return status;
}

/* ---- tensor parallelism ---- */

static enum vl_status check_tensor(const struct vl_options *o, struct vl_problem *problem)
{
    const struct vl_shape *shape = &o->shape;
    number ranks = o->tensor;
    if (shape->heads % ranks != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_heads",
                              _("%1$zu attention heads cannot be shared evenly by the %2$llu ranks "
                                "of `--tp`: choose a `--tp` that divides the heads."),
                              shape->heads, ranks);
    if (shape->ff % ranks != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_ff",
                              _("A feed-forward width of %1$zu cannot be shared evenly by the "
                                "%2$llu ranks of `--tp`: choose a `--tp` that divides it, or for a "
                                "new model another `--ff`."),
                              shape->ff, ranks);
    if (shape->vocabulary % ranks != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_vocabulary",
                              _("A vocabulary of %1$zu cannot be shared evenly by the %2$llu ranks "
                                "of `--tp`: choose a `--tp` that divides it."),
                              shape->vocabulary, ranks);
    if (o->sequence_parallel && shape->sequence % ranks != 0)
        return vl_problem_set(problem, VL_ESHAPE, "layout_sequence",
                              _("With `--sequence-parallel` a sequence of %1$zu bytes cannot be "
                                "shared evenly by the %2$llu ranks of `--tp`: choose a `--tp` that "
                                "divides it, or leave out `--sequence-parallel`."),
                              shape->sequence, ranks);
    return VL_OK;
}

/* ---- pipelines ---- */

static enum vl_status refuse_stage_layers(struct vl_problem *problem)
{
    return vl_problem_set(problem, VL_EINVAL, "option_value",
                          _("`--stage-layers` takes a number for each stage, with commas between "
                            "them and no blanks, as in `3,1`; each stage has at least one layer."));
}

/* How many numbers the list has, and their *sum; 0 if it is not a list. The first 'most' of them
 * are written to 'layers'. */
static size_t read_list(size_t *layers, size_t most, size_t *sum, const char *text)
{
    size_t count = 0;
    *sum = 0;
    for (;;) {
        char *end;
        if (text[0] < '1' || text[0] > '9' || strspn(text, "0123456789") > 6)
            return 0;
        size_t one = strtoull(text, &end, 10);
        if (count < most)
            layers[count] = one;
        count++;
        *sum += one;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
}

enum vl_status vl_options_stage_layers(size_t *layers, const struct vl_options *options,
                                       struct vl_problem *problem)
{
    size_t parts = options->stages * options->chunks, all = options->shape.layers, sum;
    if (options->stage_layers == NULL) {
        for (size_t i = 0; i < parts; i++) /* as vl_chunk, which this program is not linked with */
            layers[i] = all / parts + (i < all % parts);
        return VL_OK;
    }
    size_t count = read_list(layers, parts, &sum, options->stage_layers);
    if (count == 0)
        return refuse_stage_layers(problem);
    if (count != parts)
        return vl_problem_set(problem, VL_ESHAPE, "layout_stage_count",
                              _("`--stage-layers` has %1$zu numbers, and there are %2$zu stages "
                                "(`--pp` times `--chunks`): give one for each."),
                              count, parts);
    if (sum != all)
        return vl_problem_set(problem, VL_ESHAPE, "layout_stage_sum",
                              _("The numbers of `--stage-layers` add up to %1$zu, and the model "
                                "has %2$zu layers: give each layer to one stage."),
                              sum, all);
    return VL_OK;
}

static enum vl_status check_stage_layers(const struct vl_options *o, struct vl_problem *problem)
{
    size_t parts = o->stages * o->chunks;
    if (o->shape.layers < parts)
        return vl_problem_set(problem, VL_ESHAPE, "layout_stages",
                              _("%1$zu layers cannot be cut into %2$zu stages (`--pp` times "
                                "`--chunks`): each has at least one, so choose fewer stages."),
                              o->shape.layers, parts);
    size_t *layers = malloc(parts * sizeof *layers);
    if (layers == NULL)
        return vl_problem_status(problem, VL_ENOMEM);
    enum vl_status status = vl_options_stage_layers(layers, o, problem);
    free(layers);
    return status;
}

static enum vl_status check_schedule(const struct vl_options *o, struct vl_problem *problem)
{
    struct vl_schedule_problem found;
    char sentence[VL_SCHEDULE_SENTENCE];
    enum vl_status status = vl_schedule_check_sizes(vl_schedule_find(o->schedule), o->stages,
                                                    o->chunks, o->accumulate, &found);
    if (status == VL_OK)
        return VL_OK;
    return vl_problem_set(problem, status, "layout_schedule", "%s",
                          vl_schedule_sentence(sentence, &found));
}

static enum vl_status settle_pipeline(struct vl_options *o, struct vl_problem *problem)
{
    if (o->stages == 1)
        return VL_OK;
    if (!vl_options_given(o, VL_OPTION_CHUNKS))
        o->chunks = schedule_is_file(o) ? 0 : 1;
    if (!vl_options_given(o, VL_OPTION_SCHEDULE))
        o->schedule = vl_schedule_name(o->chunks > 1 ? VL_NAMED_INTERLEAVED : VL_NAMED_1F1B);
    if (o->chunks == 0) /* as many as the file has */
        return VL_OK;
    enum vl_status status = check_stage_layers(o, problem);
    return status == VL_OK ? check_schedule(o, problem) : status;
}

void vl_options_take_schedule(struct vl_options *options, size_t chunks, size_t micro_batches)
{
    options->chunks = chunks;
    options->accumulate = micro_batches;
    options->given[VL_OPTION_CHUNKS] = true;
    if (!vl_options_given(options, VL_OPTION_MICRO_BATCHES))
        options->given[VL_OPTION_ACCUMULATE] = true;
}

enum vl_status vl_options_settle_layout(struct vl_options *options, struct vl_problem *problem)
{
    enum vl_status status = vl_options_check_experts(options, problem);
    if (status == VL_OK)
        status = settle_batch(options, problem);
    if (status == VL_OK)
        status = check_tensor(options, problem);
    if (status == VL_OK)
        status = settle_pipeline(options, problem);
    return status == VL_OK ? vl_options_check_waiting(options, problem) : status;
}
