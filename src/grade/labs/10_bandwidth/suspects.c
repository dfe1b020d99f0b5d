/*
 * Known wrong answers of lab 10: what a chip computes.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

enum compute_mistake {
    RIGHT = 0,
    /* operations */
    CAUSAL,
    NO_ATTENTION,
    ONE_PRODUCT,
    FORWARD_ONLY,
    MULTIPLIES_ONLY,
    ALL_EXPERTS,
    NO_SHARED,
    WITH_EMBEDDING,
    HEAD_AGAIN,
    AGAIN_WITH_BACKWARD,
    NOTHING_AGAIN,
    AGAIN_IN_USEFUL,
    /* seconds */
    AGAIN_FORGOTTEN,
    TENSOR_FORGOTTEN,
    STAGES_FORGOTTEN,
    EVEN_STAGES,
    EVEN_REPLICAS,
    ONE_BATCH,
    AT_PEAK
};

/* ---- operations ---- */

const char *const vl_plan_flops_names[] = {"useful", "again", NULL};

/* Scores and averages of values, in training. */
static double attention_of(const struct vl_blueprint *m, double keys, double values)
{
    double widths = keys * (double)m->key_width + values * (double)m->value_width;
    return 6 * (double)(m->layers * m->heads * m->sequence) * widths;
}

void vl_plan_flops(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                   size_t row, int mistake)
{
    (void)inputs, (void)row;
    struct vl_blueprint m = plan->setting.model;
    double *useful = &results[0], *again = &results[1], whole, attention = 0;
    double table = 6 * (double)(m.width * m.vocabulary);
    if (mistake == ALL_EXPERTS)
        m.chosen = m.experts;
    if (mistake == NO_SHARED)
        m.shared = 0;
    vl_oracle_plan_flops(useful, again, &m, plan->division.keep);
    whole = *useful;
    if (mistake == CAUSAL)
        attention = attention_of(&m, 0.5, 0.5);
    if (mistake == NO_ATTENTION)
        attention = attention_of(&m, 1, 1);
    if (mistake == ONE_PRODUCT)
        attention = attention_of(&m, 0, 1);
    *useful -= attention;
    if (mistake == WITH_EMBEDDING)
        *useful += table;
    if (mistake == FORWARD_ONLY)
        *useful /= 3;
    if (plan->division.keep == VL_KEEP_INPUT)
        *again -= attention / 3;
    if (mistake == HEAD_AGAIN && plan->division.keep == VL_KEEP_INPUT)
        *again += table / 3;
    if (mistake == AGAIN_WITH_BACKWARD)
        *again *= 3;
    if (mistake == NOTHING_AGAIN)
        *again = 0;
    if (mistake == AGAIN_IN_USEFUL)
        *useful = whole + *again;
    if (mistake == MULTIPLIES_ONLY) {
        *useful /= 2;
        *again /= 2;
    }
}

VL_PLAN_FAMILY(flops, vl_plan_flops_names)
MISTAKE(flops, CAUSAL)
MISTAKE(flops, NO_ATTENTION)
MISTAKE(flops, ONE_PRODUCT)
MISTAKE(flops, FORWARD_ONLY)
MISTAKE(flops, MULTIPLIES_ONLY)
MISTAKE(flops, ALL_EXPERTS)
MISTAKE(flops, NO_SHARED)
MISTAKE(flops, WITH_EMBEDDING)
MISTAKE(flops, HEAD_AGAIN)
MISTAKE(flops, AGAIN_WITH_BACKWARD)
MISTAKE(flops, NOTHING_AGAIN)
MISTAKE(flops, AGAIN_IN_USEFUL)

const struct vl_suspect vl_suspects_planned_flops[] = {
    {"causal_attention",
     N_("The attention is counted by half, as if what the mask hides were not computed. By "
        "convention it is counted in full."),
     flops_CAUSAL},
    {"missing_attention",
     N_("The products inside attention are missing: scores, and averages of values."),
     flops_NO_ATTENTION},
    {"scores_missing",
     N_("Attention has two products, scores and averages of values; the scores are missing."),
     flops_ONE_PRODUCT},
    {"forward_only", N_("These are the operations of forward; training has backward as well."),
     flops_FORWARD_ONLY},
    {"multiplies_only", N_("A multiply and an add are two operations; half of them are missing."),
     flops_MULTIPLIES_ONLY},
    {"all_experts",
     N_("A token is multiplied with the experts chosen for it, not with all there are."),
     flops_ALL_EXPERTS},
    {"shared_left_out", N_("The shared experts are missing: every token meets them."),
     flops_NO_SHARED},
    {"embedding_multiplied",
     N_("The embedding is looked up, not multiplied with: it costs no operations."),
     flops_WITH_EMBEDDING},
    {"head_recomputed",
     N_("The head is counted among what is computed again, but nothing of it was forgotten: only "
        "layers are."),
     flops_HEAD_AGAIN},
    {"again_with_backward", N_("Only forward is computed again; backward was to come anyway."),
     flops_AGAIN_WITH_BACKWARD},
    {"nothing_again",
     N_("What is not kept is computed again, and where there are products in it that is "
        "arithmetic."),
     flops_NOTHING_AGAIN},
    {"again_in_useful",
     N_("What is computed again is counted as useful, too. It is work, but the step needs it only "
        "because memory is short."),
     flops_AGAIN_IN_USEFUL},
    NO_MORE_SUSPECTS};

/* ---- seconds ---- */

const char *const vl_plan_arithmetic_names[] = {"seconds", NULL};

void vl_plan_arithmetic(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                        size_t row, int mistake)
{
    const struct vl_division *d = &plan->division;
    const double *work = vl_plan_row(inputs, "work", row, 2);
    double layers = (double)plan->setting.model.layers;
    double share = (double)(vl_oracle_plan_chunk(&plan->setting.model, d) * d->chunks) / layers;
    double batches = (double)d->micro_batches, parts = batches * (double)(d->data * d->expert);
    double rows = (double)vl_oracle_plan_rows(&plan->setting.recipe, d);
    double right = vl_oracle_plan_arithmetic(work[0] + work[1], &plan->setting, d);
    const double factors[] = {[AGAIN_FORGOTTEN] = work[0] / (work[0] + work[1]),
                              [TENSOR_FORGOTTEN] = (double)d->tensor,
                              [STAGES_FORGOTTEN] = 1 / share,
                              [EVEN_STAGES] = 1 / (double)d->pipeline / share,
                              [EVEN_REPLICAS] = (double)plan->setting.recipe.batch / parts / rows,
                              [ONE_BATCH] = 1 / batches,
                              [AT_PEAK] = plan->setting.cluster.efficiency};
    results[0] = mistake == RIGHT ? right : right * factors[mistake];
}

VL_PLAN_FAMILY(arithmetic, vl_plan_arithmetic_names)
MISTAKE(arithmetic, AGAIN_FORGOTTEN)
MISTAKE(arithmetic, TENSOR_FORGOTTEN)
MISTAKE(arithmetic, STAGES_FORGOTTEN)
MISTAKE(arithmetic, EVEN_STAGES)
MISTAKE(arithmetic, EVEN_REPLICAS)
MISTAKE(arithmetic, ONE_BATCH)
MISTAKE(arithmetic, AT_PEAK)

const struct vl_suspect vl_suspects_planned_arithmetic[] = {
    {"again_forgotten",
     N_("Only the useful operations are timed, but a chip does those of computing again as well."),
     arithmetic_AGAIN_FORGOTTEN},
    {"tensor_not_divided",
     N_("The chips of a tensor group share the work; here each of them does all of it."),
     arithmetic_TENSOR_FORGOTTEN},
    {"all_layers", N_("This is for all layers of the model; a chip has those of its stage."),
     arithmetic_STAGES_FORGOTTEN},
    {"layers_even",
     N_("The layers are divided evenly among the stages, but a layer is not cut: the fullest stage "
        "sets the pace."),
     arithmetic_EVEN_STAGES},
    {"sequences_even",
     N_("The batch is divided evenly, but a sequence is not cut: look at the rows of the fullest "
        "micro-batch."),
     arithmetic_EVEN_REPLICAS},
    {"one_micro_batch", N_("This is for one micro-batch; a step has all of them."),
     arithmetic_ONE_BATCH},
    {"at_peak",
     N_("A chip does not reach its peak: the seconds are those at the share that it does reach."),
     arithmetic_AT_PEAK},
    NO_MORE_SUSPECTS};
