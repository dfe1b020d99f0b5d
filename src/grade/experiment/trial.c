#include "grade/experiment/trial.h"

#include "grade/catalogue/maker.h"
#include "grade/judge/inspect.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct vl_bag *vl_truth_of(const struct vl_case *c, const struct vl_bag *inputs)
{
    struct vl_bag *truth = inputs != NULL ? vl_bag_create() : NULL;
    if (truth != NULL && c->truth(truth, inputs) == VL_OK)
        return truth;
    vl_bag_free(truth);
    return NULL;
}

static bool is_of(const struct vl_seen_case *seen, const char *function)
{
    return strcmp(seen->c->function, function) == 0;
}

static bool passes(const struct vl_trials *trials, const char *function)
{
    for (size_t i = 0; i < trials->count; i++)
        if (!trials->cases[i].passed && is_of(&trials->cases[i], function))
            return false;
    return true;
}

/* Is this a case whose cause can be sought here? */
static bool is_open(const struct vl_trials *trials, size_t i)
{
    const struct vl_seen_case *seen = &trials->cases[i];
    const struct vl_case *c = seen->c;
    if (seen->passed || seen->outputs == NULL || seen->cause.code != NULL || c->sealed ||
        vl_inspector_of(c->function)->tell != NULL)
        return false;
    for (const char *const *need = c->needs; need != NULL && *need != NULL; need++)
        if (!is_of(seen, *need) && !passes(trials, *need))
            return false;
    return true;
}

/* ---- what a sign says already ---- */

static enum vl_status find_signs(struct vl_trials *trials)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < trials->count && status == VL_OK; i++) {
        const struct vl_seen_case *seen = &trials->cases[i];
        struct vl_sign sign = {0};
        if (!is_open(trials, i))
            continue;
        struct vl_bag *inputs = vl_case_inputs(seen->c, trials->origin);
        status =
            inputs != NULL ? vl_sign_of_case(&sign, seen->c, inputs, seen->outputs) : VL_ENOMEM;
        trials->signs[i] = sign.code;
        free(sign.message);
        vl_bag_free(inputs);
    }
    return status;
}

/* These say all that is to be said. */
static bool is_final(const char *sign)
{
    static const char *const finals[] = {"all_zero", "not_accumulated", "accumulated",
                                         "sign_flipped"};
    for (size_t i = 0; i < sizeof finals / sizeof *finals; i++)
        if (sign != NULL && strcmp(sign, finals[i]) == 0)
            return true;
    return false;
}

static bool is_shared(const struct vl_trials *trials, size_t i)
{
    for (size_t k = 0; k < trials->count; k++)
        if (is_open(trials, k) && is_of(&trials->cases[k], trials->cases[i].c->function) &&
            (trials->signs[k] == NULL || strcmp(trials->signs[k], trials->signs[i]) != 0))
            return false;
    return true;
}

static enum vl_influence_depth depth_of(const struct vl_trials *trials, size_t i)
{
    if (is_final(trials->signs[i]))
        return VL_INFLUENCE_NOTHING;
    return trials->signs[i] != NULL && is_shared(trials, i) ? VL_INFLUENCE_CHANGES
                                                            : VL_INFLUENCE_ALL;
}

/* ---- which case ---- */

#define LARGE ((size_t)1 << 18) /* bytes of inputs */

static size_t bytes_of(const struct vl_bag *inputs)
{
    size_t bytes = 0;
    for (size_t i = 0; i < vl_bag_count(inputs); i++)
        bytes += vl_bag_entry(inputs, i)->count * vl_dtype_bytes(vl_bag_entry(inputs, i)->dtype);
    return bytes;
}

static bool is_better(const struct vl_trial *one, const struct vl_trial *other)
{
    if (other->seen == NULL || one->depth != other->depth)
        return other->seen == NULL || one->depth > other->depth;
    if (one->seen->c->ranks != other->seen->c->ranks)
        return one->seen->c->ranks < other->seen->c->ranks;
    return bytes_of(other->inputs) > LARGE && bytes_of(one->inputs) <= LARGE;
}

/* The trial of a function, or the next free one. */
static struct vl_trial *trial_of(struct vl_trials *trials, const char *function)
{
    for (size_t k = 0; k < trials->trial_count; k++)
        if (is_of(trials->list[k].seen, function))
            return &trials->list[k];
    return &trials->list[trials->trial_count];
}

static enum vl_status consider(struct vl_trials *trials, size_t i)
{
    struct vl_trial one = {.seen = &trials->cases[i], .depth = depth_of(trials, i)};
    struct vl_trial *trial = trial_of(trials, one.seen->c->function);
    if (one.depth == VL_INFLUENCE_NOTHING)
        return VL_OK;
    one.inputs = vl_case_inputs(one.seen->c, trials->origin);
    if (one.inputs == NULL)
        return VL_ENOMEM;
    trials->trial_count += trial->seen == NULL;
    if (is_better(&one, trial)) {
        vl_bag_free(trial->inputs);
        *trial = one;
    } else {
        vl_bag_free(one.inputs);
    }
    return VL_OK;
}

enum vl_status vl_trials_begin(struct vl_trials *trials, struct vl_seen_case *cases, size_t count,
                               const struct vl_origin *origin)
{
    *trials = (struct vl_trials){.cases = cases,
                                 .count = count,
                                 .origin = origin,
                                 .signs = calloc(count + 1, sizeof *trials->signs),
                                 .tried = calloc(count + 1, sizeof *trials->tried),
                                 .list = calloc(count + 1, sizeof *trials->list)};
    if (trials->signs == NULL || trials->tried == NULL || trials->list == NULL)
        return VL_ENOMEM;
    return find_signs(trials);
}

static void forget(struct vl_trials *trials)
{
    for (size_t k = 0; k < trials->trial_count; k++) {
        struct vl_trial *trial = &trials->list[k];
        for (size_t p = 0; p < trial->count; p++) {
            vl_bag_free(trial->probed[p].truth);
            vl_bag_free(trial->probed[p].answer);
        }
        vl_bag_free(trial->inputs);
        vl_bag_free(trial->truth);
        vl_bag_free(trial->blank);
        *trial = (struct vl_trial){0};
    }
    trials->trial_count = 0;
}

enum vl_status vl_trials_choose(struct vl_trials *trials)
{
    enum vl_status status = VL_OK;
    forget(trials);
    for (size_t i = 0; i < trials->count && status == VL_OK; i++)
        if (is_open(trials, i) && !trials->tried[i])
            status = consider(trials, i);
    for (size_t k = 0; k < trials->trial_count; k++) {
        struct vl_trial *trial = &trials->list[k];
        trial->truth = vl_truth_of(trial->seen->c, trial->inputs);
        trials->tried[trial->seen - trials->cases] = true;
    }
    return status;
}

void vl_trials_free(struct vl_trials *trials)
{
    forget(trials);
    free(trials->list);
    free(trials->tried);
    free(trials->signs);
}

enum vl_status vl_trials_settle(struct vl_trials *trials, const char *function,
                                const struct vl_sign *finding)
{
    for (size_t i = 0; i < trials->count && finding->code != NULL; i++) {
        struct vl_seen_case *seen = &trials->cases[i];
        if (!is_of(seen, function) || !is_open(trials, i) || is_final(trials->signs[i]))
            continue;
        seen->cause = (struct vl_cause){.code = finding->code, .message = strdup(finding->message)};
        if (seen->cause.message == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}
