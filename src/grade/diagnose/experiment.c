#include "grade/diagnose/experiment.h"

#include "grade/catalogue/maker.h"
#include "grade/diagnose/influence.h"
#include "grade/diagnose/reread.h"
#include "grade/job/case_run.h"
#include "grade/job/rank_inputs.h"
#include "grade/judge/inspect.h"
#include "grade/judge/outputs.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/process.h"
#include "sandbox/scratch.h"
#include "wire/board.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_SECONDS     8.0 /* for everything */
#define READING_SECONDS 1.0 /* for the readings of one case */
#define PROBE_SECONDS   1.0 /* for one probe ... */
#define SLOWER          4.0 /* ... or so many times what the case took */

/* One case and its probes. */
struct trial {
    struct vl_seen_case *seen;
    size_t number;                 /* the case's, among all */
    enum vl_influence_depth depth; /* what is looked for; 0: nothing */
    struct vl_bag *inputs, *truth;
    struct vl_probed probed[VL_PROBES_MOST];
    size_t count;
};

struct experiment {
    struct vl_seen_case *cases;
    size_t count;
    const struct vl_laboratory *laboratory;
    struct trial *trials;
    size_t trial_count;
    /* One run: the trial and the probe of each item. */
    struct vl_case_run_item *items;
    size_t *item_trial, *item_probe;
    size_t item_count;
    char *folder;
    double until;
};

/* ---- which cases ---- */

static bool passes(const struct experiment *e, const char *function)
{
    for (size_t i = 0; i < e->count; i++)
        if (!e->cases[i].passed && strcmp(e->cases[i].c->function, function) == 0)
            return false;
    return true;
}

/* Is this a case whose cause can be sought here? */
static bool is_open(const struct experiment *e, const struct vl_seen_case *seen)
{
    const struct vl_case *c = seen->c;
    if (seen->passed || seen->outputs == NULL || seen->cause.code != NULL || c->sealed ||
        vl_inspector_of(c->function)->tell != NULL)
        return false;
    for (const char *const *need = c->needs; need != NULL && *need != NULL; need++)
        if (strcmp(*need, c->function) != 0 && !passes(e, *need))
            return false;
    return true;
}

static size_t bytes_of(const struct vl_bag *inputs)
{
    size_t bytes = 0;
    for (size_t i = 0; i < vl_bag_count(inputs); i++)
        bytes += vl_bag_entry(inputs, i)->count * vl_dtype_bytes(vl_bag_entry(inputs, i)->dtype);
    return bytes;
}

/* Is case i a better one for this trial? Then it has it. */
static void consider(struct experiment *e, struct trial *trial, size_t i)
{
    struct vl_seen_case *seen = &e->cases[i];
    struct vl_bag *inputs = vl_case_inputs(seen->c, e->laboratory->origin);
    bool better =
        inputs != NULL &&
        (trial->seen == NULL || seen->c->ranks < trial->seen->c->ranks ||
         (seen->c->ranks == trial->seen->c->ranks && bytes_of(inputs) < bytes_of(trial->inputs)));
    if (!better) {
        vl_bag_free(inputs);
        return;
    }
    vl_bag_free(trial->inputs);
    trial->inputs = inputs;
    trial->seen = seen;
    trial->number = i;
}

static struct vl_bag *truth_of(const struct vl_case *c, const struct vl_bag *inputs)
{
    struct vl_bag *truth = inputs != NULL ? vl_bag_create() : NULL;
    if (truth != NULL && c->truth(truth, inputs) == VL_OK)
        return truth;
    vl_bag_free(truth);
    return NULL;
}

/* One for each function. Those with a truth to compare with are kept. */
static enum vl_status choose_trials(struct experiment *e)
{
    e->trials = calloc(e->count + 1, sizeof *e->trials);
    if (e->trials == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < e->count; i++) {
        struct vl_seen_case *seen = &e->cases[i];
        size_t k = 0;
        if (!is_open(e, seen))
            continue;
        while (k < e->trial_count && e->trials[k].seen != NULL &&
               strcmp(e->trials[k].seen->c->function, seen->c->function) != 0)
            k++;
        consider(e, &e->trials[k], i);
        e->trial_count += k == e->trial_count && e->trials[k].seen != NULL;
    }
    for (size_t k = 0; k < e->trial_count; k++)
        e->trials[k].truth = truth_of(e->trials[k].seen->c, e->trials[k].inputs);
    return VL_OK;
}

/* ---- what is found ---- */

/* All open cases of the function have this cause. */
static enum vl_status settle(struct experiment *e, const char *function,
                             const struct vl_sign *finding)
{
    for (size_t i = 0; i < e->count; i++) {
        struct vl_seen_case *seen = &e->cases[i];
        if (strcmp(seen->c->function, function) != 0 || !is_open(e, seen))
            continue;
        seen->cause = (struct vl_cause){.code = finding->code, .message = strdup(finding->message)};
        if (seen->cause.message == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

/* Before anything runs: was an input misread? That is more certain than what probes show. */
static enum vl_status reread(struct experiment *e, const struct trial *trial)
{
    struct vl_sign finding = {0};
    enum vl_status status = VL_OK;
    if (trial->truth != NULL && trial->depth > 0)
        status = vl_reread(&finding, e->cases, e->count, trial->number, e->laboratory->origin,
                           fmin(e->until, vl_clock() + READING_SECONDS));
    if (status == VL_OK && finding.code != NULL)
        status = settle(e, trial->seen->c->function, &finding);
    free(finding.message);
    return status;
}

/* A general sign says some things better than an experiment can. */
static enum vl_status choose_depth(struct trial *trial)
{
    static const struct {
        const char *code;
        enum vl_influence_depth depth;
    } signs[] = {{"all_zero", 0},
                 {"not_accumulated", 0},
                 {"accumulated", 0},
                 {"sign_flipped", 0},
                 {"transposed", VL_INFLUENCE_CHANGES},
                 {"rotated", VL_INFLUENCE_CHANGES},
                 {"halves_swapped", VL_INFLUENCE_CHANGES},
                 {"scaled", VL_INFLUENCE_CHANGES},
                 {"last_row", VL_INFLUENCE_CHANGES},
                 {"last_column", VL_INFLUENCE_CHANGES}};
    struct vl_sign sign = {0};
    enum vl_status status =
        vl_explain_sign(&sign, trial->seen->c, trial->inputs, trial->seen->outputs);
    trial->depth = VL_INFLUENCE_WEIGHTS;
    for (size_t i = 0; i < sizeof signs / sizeof *signs && sign.code != NULL; i++)
        if (strcmp(sign.code, signs[i].code) == 0)
            trial->depth = signs[i].depth;
    free(sign.message);
    return status;
}

static void choose_probes(struct trial *trial)
{
    struct vl_probe probes[VL_PROBES_MOST];
    if (trial->depth == 0 || trial->truth == NULL || trial->seen->cause.code != NULL)
        return;
    trial->count = vl_probes_choose(probes, trial->inputs, trial->seen->c->ranks);
    for (size_t p = 0; p < trial->count; p++)
        trial->probed[p].probe = probes[p];
}

/* ---- running them ---- */

/* The changed inputs of an item, and what comes of them in truth. */
static enum vl_status make_inputs(void *context, size_t item)
{
    struct experiment *e = context;
    struct trial *trial = &e->trials[e->item_trial[item]];
    struct vl_probed *probed = &trial->probed[e->item_probe[item]];
    struct vl_bag *inputs = vl_probe_inputs(&probed->probe, trial->inputs);
    enum vl_status status = VL_ENOMEM;
    if (inputs != NULL) {
        probed->truth = truth_of(trial->seen->c, inputs);
        status = vl_rank_inputs_write(e->folder, (unsigned)item, trial->seen->c, inputs);
    }
    vl_bag_free(inputs);
    return status;
}

static void finish_item(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct experiment *e = context;
    struct trial *trial = &e->trials[e->item_trial[item]];
    struct vl_probed *probed = &trial->probed[e->item_probe[item]];
    struct vl_bag *inputs = vl_probe_inputs(&probed->probe, trial->inputs); /* once more */
    if (report->end == VL_RUN_FINISHED && inputs != NULL)
        probed->answer = vl_outputs_of(trial->seen->c, inputs, e->laboratory->sandbox,
                                       e->laboratory->scratch, (unsigned)item, trial->seen->rank);
    if (report->audit != NULL)
        report->audit(report->attempt); /* the ranks wait for it */
    vl_bag_free(inputs);
}

static double list_items(struct experiment *e, int ranks)
{
    double longest = 0;
    e->item_count = 0;
    for (size_t k = 0; k < e->trial_count; k++) {
        const struct vl_seen_case *seen = e->trials[k].seen;
        for (size_t p = 0; p < e->trials[k].count && seen->c->ranks == ranks; p++) {
            const unsigned n = (unsigned)e->item_count++;
            e->items[n] = (struct vl_case_run_item){.input = n,
                                                    .number = n,
                                                    .function = seen->c->function,
                                                    .synchronous = seen->c->synchronous};
            e->item_trial[n] = k;
            e->item_probe[n] = p;
            longest = fmax(longest, seen->seconds);
        }
    }
    return longest;
}

static enum vl_status run_ranks(struct experiment *e, int ranks)
{
    char name[32];
    snprintf(name, sizeof name, "probes%d", ranks);
    double longest = list_items(e, ranks);
    if (e->item_count == 0 || vl_clock() > e->until)
        return VL_OK;
    enum vl_status status = vl_scratch_folder(&e->folder, e->laboratory->scratch, name);
    if (status == VL_OK)
        status = vl_rank_folders_make(e->folder, ranks);
    const struct vl_case_run run = {.sandbox = e->laboratory->sandbox,
                                    .program = e->laboratory->program,
                                    .folder = e->folder,
                                    .sources = e->laboratory->sources,
                                    .ranks = ranks,
                                    .hostile = 1,
                                    .seconds = fmax(PROBE_SECONDS, SLOWER * longest),
                                    .until = e->until,
                                    .prepare = make_inputs,
                                    .report = finish_item,
                                    .context = e};
    if (status == VL_OK)
        status = vl_case_run(&run, e->items, e->item_count, NULL);
    free(e->folder);
    return status;
}

static enum vl_status run_all(struct experiment *e)
{
    const size_t most = e->trial_count * VL_PROBES_MOST + 1;
    e->items = calloc(most, sizeof *e->items);
    e->item_trial = calloc(most, sizeof *e->item_trial);
    e->item_probe = calloc(most, sizeof *e->item_probe);
    enum vl_status status = e->items && e->item_trial && e->item_probe ? VL_OK : VL_ENOMEM;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && !vl_interrupt_seen(); ranks++)
        status = run_ranks(e, ranks);
    free(e->items);
    free(e->item_trial);
    free(e->item_probe);
    return status;
}

/* ---- what they show ---- */

static enum vl_status conclude(struct experiment *e, const struct trial *trial)
{
    const struct vl_influence influence = {.c = trial->seen->c,
                                           .inputs = trial->inputs,
                                           .truth = trial->truth,
                                           .answer = trial->seen->outputs,
                                           .probed = trial->probed,
                                           .count = trial->count};
    struct vl_sign finding = {0};
    enum vl_status status =
        trial->count > 0 ? vl_influence_find(&finding, &influence, trial->depth) : VL_OK;
    if (status == VL_OK && finding.code != NULL)
        status = settle(e, trial->seen->c->function, &finding);
    free(finding.message);
    return status;
}

static void free_trials(struct experiment *e)
{
    for (size_t k = 0; k < e->trial_count; k++) {
        struct trial *trial = &e->trials[k];
        for (size_t p = 0; p < trial->count; p++) {
            vl_bag_free(trial->probed[p].truth);
            vl_bag_free(trial->probed[p].answer);
        }
        vl_bag_free(trial->inputs);
        vl_bag_free(trial->truth);
    }
    free(e->trials);
}

enum vl_status vl_experiment(struct vl_seen_case *cases, size_t count,
                             const struct vl_laboratory *laboratory)
{
    struct experiment e = {.cases = cases,
                           .count = count,
                           .laboratory = laboratory,
                           .until = vl_clock() + ALL_SECONDS * vl_load_average()};
    if (laboratory->sandbox->until > 0)
        e.until = fmin(e.until, laboratory->sandbox->until);
    enum vl_status status = choose_trials(&e);
    for (size_t k = 0; k < e.trial_count && status == VL_OK; k++) {
        status = choose_depth(&e.trials[k]);
        if (status == VL_OK)
            status = reread(&e, &e.trials[k]);
        choose_probes(&e.trials[k]);
    }
    if (status == VL_OK)
        status = run_all(&e);
    for (size_t k = 0; k < e.trial_count && status == VL_OK; k++)
        status = conclude(&e, &e.trials[k]);
    free_trials(&e);
    return status;
}
