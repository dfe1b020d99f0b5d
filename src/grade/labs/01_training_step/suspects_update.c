/*
 * Known wrong answers of lab 01's last station: optimizer and step.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/01_training_step/training_step.h"

#include <math.h>

/* As many partial sums as a compiler may keep in vector registers; their number is the mistake. */
enum norm_mistake { NO_ROOT, ABSOLUTE, ONE_SUM, FOUR_SUMS = 4, EIGHT_SUMS = 8, SIXTEEN_SUMS = 16 };

static double norm_in_float32(const float *gradient, size_t n, size_t sums)
{
    float part[SIXTEEN_SUMS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        part[i % sums] += gradient[i] * gradient[i];
    for (size_t i = 0; i < sums; i++)
        sum += part[i];
    return (double)sqrtf(sum);
}

static enum vl_status norm(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum norm_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t n = vl_scope_size(&s, "n");
    double *result = vl_scope_out(&s, "norm", 1, 1, 0), squares = 0, absolute = 0;
    const float *gradient = vl_bag_f32(inputs, "gradient");
    for (size_t i = 0; !s.failed && i < n; i++) {
        squares += (double)gradient[i] * (double)gradient[i];
        absolute += fabs((double)gradient[i]);
    }
    if (!s.failed && mistake == NO_ROOT)
        *result = squares;
    else if (!s.failed && mistake == ABSOLUTE)
        *result = absolute;
    else if (!s.failed)
        *result = norm_in_float32(gradient, n, mistake == ONE_SUM ? 1 : (size_t)mistake);
    return vl_scope_end(&s);
}

MISTAKE(norm, NO_ROOT)
MISTAKE(norm, ABSOLUTE)
MISTAKE(norm, ONE_SUM)
MISTAKE(norm, FOUR_SUMS)
MISTAKE(norm, EIGHT_SUMS)
MISTAKE(norm, SIXTEEN_SUMS)

#define NARROW                                                                                     \
    N_("The squares are summed in float32: small ones vanish beside a large sum. Sum in double.")

const struct vl_suspect vl_suspects_gradient_norm[] = {
    {"summed_in_float32", NARROW, norm_ONE_SUM},
    {"summed_in_float32", NARROW, norm_FOUR_SUMS},
    {"summed_in_float32", NARROW, norm_EIGHT_SUMS},
    {"summed_in_float32", NARROW, norm_SIXTEEN_SUMS},
    {"missing_root", N_("This is the sum of squares; the norm is its root."), norm_NO_ROOT},
    {"absolute_values",
     N_("This is the sum of absolute values, not the root of the sum of "
        "squares."),
     norm_ABSOLUTE},
    NO_MORE_SUSPECTS};

enum adamw_mistake {
    NO_CORRECTION,
    ONLY_M_CORRECTED,
    COUPLED_DECAY,
    EPS_INSIDE,
    ASCENT,
    NO_SCALE,
    V_UNSCALED,
    DECAY_WITHOUT_LR,
    STEP_FROM_ZERO,
    NO_DECAY,
    MOMENTS_SWAPPED
};

static enum vl_status adamw(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum adamw_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_oracle_adamw a = vl_settings_read(inputs);
    size_t n = vl_scope_size(&s, "n");
    double step = (double)vl_scope_size(&s, "step") - (mistake == STEP_FROM_ZERO);
    double scale = mistake == NO_SCALE ? 1 : vl_scope_real(&s, "gradient_scale");
    double b1 = mistake == MOMENTS_SWAPPED ? a.beta2 : a.beta1;
    double b2 = mistake == MOMENTS_SWAPPED ? a.beta1 : a.beta2;
    double m_share = mistake == NO_CORRECTION ? 1 : 1 - pow(b1, step);
    double v_share =
        mistake == NO_CORRECTION || mistake == ONLY_M_CORRECTED ? 1 : 1 - pow(b2, step);
    double *w = vl_scope_out(&s, "weights", 1, n, 1), *m = vl_scope_out(&s, "m", 1, n, 1),
           *v = vl_scope_out(&s, "v", 1, n, 1);
    for (size_t i = 0; !s.failed && i < n; i++) {
        double raw = vl_scope_in(&s, "gradient")[i], g = raw * scale;
        if (mistake == COUPLED_DECAY)
            g += a.weight_decay * w[i];
        double for_v = mistake == V_UNSCALED ? raw : g;
        m[i] = b1 * m[i] + (1 - b1) * g;
        v[i] = b2 * v[i] + (1 - b2) * for_v * for_v;
        double root =
            mistake == EPS_INSIDE ? sqrt(v[i] / v_share + a.eps) : sqrt(v[i] / v_share) + a.eps;
        double change = a.lr * (m[i] / m_share) / root;
        double decay = a.lr * a.weight_decay * w[i];
        if (mistake == COUPLED_DECAY || mistake == NO_DECAY)
            decay = 0;
        if (mistake == DECAY_WITHOUT_LR)
            decay = a.weight_decay * w[i];
        w[i] -= (mistake == ASCENT ? -change : change) + decay;
    }
    return vl_scope_end(&s);
}

MISTAKE(adamw, NO_CORRECTION)
MISTAKE(adamw, ONLY_M_CORRECTED)
MISTAKE(adamw, COUPLED_DECAY)
MISTAKE(adamw, EPS_INSIDE)
MISTAKE(adamw, ASCENT)
MISTAKE(adamw, NO_SCALE)
MISTAKE(adamw, V_UNSCALED)
MISTAKE(adamw, DECAY_WITHOUT_LR)
MISTAKE(adamw, STEP_FROM_ZERO)
MISTAKE(adamw, NO_DECAY)
MISTAKE(adamw, MOMENTS_SWAPPED)

const struct vl_suspect vl_suspects_adamw_update[] = {
    {"missing_bias_correction", N_("m and v are used without their corrections 1 - beta^step."),
     adamw_NO_CORRECTION},
    {"v_not_corrected", N_("Only m is corrected; v needs 1 - beta2^step as well."),
     adamw_ONLY_M_CORRECTED},
    {"step_off_by_one", N_("The correction counts steps from zero; the first step is step 1."),
     adamw_STEP_FROM_ZERO},
    {"coupled_decay",
     N_("Weight decay is added to the gradient and passes through m and v; in "
        "AdamW it stands beside them."),
     adamw_COUPLED_DECAY},
    {"missing_decay", N_("There is no weight decay."), adamw_NO_DECAY},
    {"decay_without_rate", N_("Weight decay is not multiplied by the learning rate."),
     adamw_DECAY_WITHOUT_LR},
    {"epsilon_inside", N_("eps stands under the root; it belongs outside, beside sqrt(v)."),
     adamw_EPS_INSIDE},
    {"sign_flipped", N_("The weights go up the slope: the change is to be subtracted."),
     adamw_ASCENT},
    {"scale_ignored", N_("gradient_scale is not used."), adamw_NO_SCALE},
    {"v_from_unscaled", N_("v is made of the gradient without gradient_scale."), adamw_V_UNSCALED},
    {"betas_swapped", N_("beta1 and beta2 have changed places."), adamw_MOMENTS_SWAPPED},
    NO_MORE_SUSPECTS};

enum step_mistake {
    NOT_CLIPPED,
    CLIPPED_BY_TENSOR,
    SCALED_UP,
    NOT_ZEROED,
    AVERAGED,
    LOSS_AVERAGED,
    DECAY_ON_ALL,
    LAST_ONLY,
    FORWARD_FIRST,
    NORM_AFTER,
    LAST_LOSS
};

/* The gradient of micro-batch k taken at the residual of the last one: all forwards came first. */
static void add_stale_gradients(double *gradients, const struct vl_scope *s, size_t k, size_t last)
{
    size_t count = vl_scope_size(s, "count");
    const double *a = vl_scope_in(s, "a") + k * count, *t = vl_scope_in(s, "t") + last * count;
    for (size_t i = 0; i < count; i++)
        gradients[i] += a[i] * (vl_scope_in(s, "weights")[i] - t[i]);
}

/* Every tensor brought to max_norm by itself. */
static void clip_tensors(double *gradients, const struct vl_scope *s, double max_norm)
{
    size_t matrix = vl_scope_size(s, "rows") * vl_scope_size(s, "cols");
    size_t ends[] = {matrix, matrix + vl_scope_size(s, "cols"), vl_scope_size(s, "count")};
    for (size_t tensor = 0, first = 0; tensor < 3; first = ends[tensor++]) {
        double own = vl_oracle_gradient_norm(gradients + first, ends[tensor] - first);
        for (size_t i = first; i < ends[tensor]; i++)
            gradients[i] *= vl_oracle_clip(own, max_norm);
    }
}

static enum vl_status step(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum step_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t count = vl_scope_size(&s, "count"), last = vl_scope_size(&s, "micro_batches") - 1;
    double max_norm = vl_scope_real(&s, "max_norm");
    double *w = vl_scope_out(&s, "weights", 1, count, 1), *m = vl_scope_out(&s, "m", 1, count, 1),
           *v = vl_scope_out(&s, "v", 1, count, 1);
    double *loss = vl_scope_out(&s, "loss", 1, 1, 0);
    double *gradient_norm = vl_scope_out(&s, "gradient_norm", 1, 1, 0);
    double *sum = vl_scope_work(&s, "sum", count), *unused = vl_scope_work(&s, "unused", count);
    if (s.failed)
        return vl_scope_end(&s);
    if (mistake == NOT_ZEROED)
        for (size_t i = 0; i < count; i++)
            sum[i] = vl_scope_in(&s, "gradients")[i];
    for (size_t k = 0; k <= last; k++) {
        int taken = mistake != LAST_ONLY || k == last;
        double part = vl_toy_loss(taken && mistake != FORWARD_FIRST ? sum : unused, s.wide, k);
        if (mistake == FORWARD_FIRST)
            add_stale_gradients(sum, &s, k, last);
        *loss = mistake == LAST_LOSS ? part : *loss + part;
    }
    for (size_t i = 0; mistake == AVERAGED && i < count; i++)
        sum[i] /= (double)(last + 1);
    if (mistake == LOSS_AVERAGED || mistake == AVERAGED)
        *loss /= (double)(last + 1);

    *gradient_norm = vl_oracle_gradient_norm(sum, count);
    double scale = vl_oracle_clip(*gradient_norm, max_norm);
    if (mistake == NOT_CLIPPED || mistake == CLIPPED_BY_TENSOR)
        scale = 1;
    if (mistake == SCALED_UP && max_norm > 0)
        scale = max_norm / *gradient_norm;
    if (mistake == CLIPPED_BY_TENSOR)
        clip_tensors(sum, &s, max_norm);
    if (mistake == NORM_AFTER)
        *gradient_norm *= scale;
    vl_toy_update(w, m, v, sum, inputs, scale, mistake == DECAY_ON_ALL);
    return vl_scope_end(&s);
}

MISTAKE(step, NOT_CLIPPED)
MISTAKE(step, CLIPPED_BY_TENSOR)
MISTAKE(step, SCALED_UP)
MISTAKE(step, NOT_ZEROED)
MISTAKE(step, AVERAGED)
MISTAKE(step, LOSS_AVERAGED)
MISTAKE(step, DECAY_ON_ALL)
MISTAKE(step, LAST_ONLY)
MISTAKE(step, FORWARD_FIRST)
MISTAKE(step, NORM_AFTER)
MISTAKE(step, LAST_LOSS)

#define AVERAGE                                                                                    \
    N_("The micro-batches are averaged; they already carry the scale of the whole batch, so they " \
       "are added.")

const struct vl_suspect vl_suspects_training_step[] = {
    {"not_clipped", N_("The gradients are not clipped to max_norm."), step_NOT_CLIPPED},
    {"clipped_by_tensor", N_("Each tensor is clipped by its own norm; one norm counts for all."),
     step_CLIPPED_BY_TENSOR},
    {"scaled_up", N_("Small gradients are scaled up to max_norm; the scale is at most 1."),
     step_SCALED_UP},
    {"gradients_not_zeroed",
     N_("The gradients of the step before are still in the sum: set them to "
        "zero first."),
     step_NOT_ZEROED},
    {"averaged", AVERAGE, step_AVERAGED},
    {"averaged", AVERAGE, step_LOSS_AVERAGED},
    {"decay_on_all",
     N_("Weight decay is applied to every tensor; only those with 'decays' get it."),
     step_DECAY_ON_ALL},
    {"last_micro_batch_only", N_("Only the last micro-batch's gradients are in the sum."),
     step_LAST_ONLY},
    {"last_micro_batch_only", N_("The loss is that of the last micro-batch alone."),
     step_LAST_LOSS},
    {"forwards_first",
     N_("All forwards run before the backwards; each backward belongs right after "
        "its own forward."),
     step_FORWARD_FIRST},
    {"norm_after_clipping", N_("The norm that is reported was taken after clipping."),
     step_NORM_AFTER},
    NO_MORE_SUSPECTS};
