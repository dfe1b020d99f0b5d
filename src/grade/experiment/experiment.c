#include "grade/experiment/experiment.h"

#include "grade/experiment/reread.h"
#include "grade/experiment/trial.h"
#include "grade/experiment/unread.h"
#include "grade/job/case_run.h"
#include "grade/job/rank_inputs.h"
#include "grade/judge/outputs.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"
#include "wire/board.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_SECONDS     8.0 /* for everything */
#define ROUNDS          3   /* cases of one function */
#define READING_SECONDS 1.0 /* for the readings of one case */
#define UNREAD_SECONDS  0.5 /* for what nobody may read in it */
#define PROBE_SECONDS   1.0 /* for one probe ... */
#define SLOWER          4.0 /* ... or so many times what the case took */

struct experiment {
    struct vl_trials trials;
    const struct vl_laboratory *laboratory;
    /* One run: the trial and the probe of each item. */
    struct vl_case_run_item *items;
    struct vl_trial **item_trial;
    size_t *item_probe;
    size_t item_count;
    char *folder;
    double until;
};

/* ---- before anything runs ---- */

/* Was an input misread? That is asked of all cases at once, so only in the first round. */
static enum vl_status prepare(struct experiment *e, struct vl_trial *trial, int round)
{
    struct vl_probe probes[VL_PROBES_MOST];
    const double until = fmin(e->until, vl_clock() + READING_SECONDS);
    if (trial->truth == NULL)
        return VL_OK;
    trial->misread = round == 0 && vl_reread(&trial->reading, trial, &e->trials, until);
    trial->count = vl_probes_choose(probes, trial->inputs, trial->seen->c->ranks);
    for (size_t p = 0; p < trial->count; p++)
        trial->probed[p].probe = probes[p];
    return vl_unread_probe(trial, fmin(e->until, vl_clock() + UNREAD_SECONDS));
}

/* ---- running probes ---- */

/* The changed inputs of an item, and what comes of them in truth. */
static enum vl_status make_inputs(void *context, size_t item)
{
    struct experiment *e = context;
    const struct vl_trial *trial = e->item_trial[item];
    struct vl_probed *probed = &e->item_trial[item]->probed[e->item_probe[item]];
    struct vl_bag *inputs = vl_probe_inputs(&probed->probe, trial->inputs);
    enum vl_status status = VL_ENOMEM;
    if (inputs != NULL) {
        probed->truth = vl_truth_of(trial->seen->c, inputs);
        status = vl_rank_inputs_write(e->folder, (unsigned)item, trial->seen->c, inputs);
    }
    vl_bag_free(inputs);
    return status;
}

static void finish_item(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct experiment *e = context;
    const struct vl_trial *trial = e->item_trial[item];
    struct vl_probed *probed = &e->item_trial[item]->probed[e->item_probe[item]];
    struct vl_bag *inputs = vl_probe_inputs(&probed->probe, trial->inputs); /* once more */
    if (report->end == VL_RUN_FINISHED && inputs != NULL)
        probed->answer = vl_outputs_of(trial->seen->c, inputs, e->laboratory->sandbox,
                                       (unsigned)item, trial->seen->rank);
    if (report->audit != NULL)
        report->audit(report->attempt); /* the ranks wait for it */
    vl_bag_free(inputs);
}

static double list_items(struct experiment *e, int ranks)
{
    double longest = 0;
    e->item_count = 0;
    for (size_t k = 0; k < e->trials.trial_count; k++) {
        struct vl_trial *trial = &e->trials.list[k];
        const struct vl_case *c = trial->seen->c;
        for (size_t p = 0; p < trial->count && c->ranks == ranks; p++) {
            const unsigned n = (unsigned)e->item_count++;
            e->items[n] = (struct vl_case_run_item){
                .input = n, .number = n, .function = c->function, .synchronous = c->synchronous};
            e->item_trial[n] = trial;
            e->item_probe[n] = p;
            longest = fmax(longest, trial->seen->seconds);
        }
    }
    return longest;
}

static enum vl_status run_ranks(struct experiment *e, int ranks, int round)
{
    char name[32];
    snprintf(name, sizeof name, "probes%d.%d", ranks, round);
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

static enum vl_status run_all(struct experiment *e, int round)
{
    const size_t most = e->trials.trial_count * VL_PROBES_MOST + 1;
    e->items = calloc(most, sizeof *e->items);
    e->item_trial = calloc(most, sizeof(struct vl_trial *));
    e->item_probe = calloc(most, sizeof *e->item_probe);
    enum vl_status status = e->items && e->item_trial && e->item_probe ? VL_OK : VL_ENOMEM;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && !vl_interrupt_seen(); ranks++)
        status = run_ranks(e, ranks, round);
    free(e->items);
    free(e->item_trial);
    free(e->item_probe);
    return status;
}

/* ---- what they show ---- */

static enum vl_status conclude(struct experiment *e, const struct vl_trial *trial, int round)
{
    const struct vl_influence influence = {.c = trial->seen->c,
                                           .inputs = trial->inputs,
                                           .truth = trial->truth,
                                           .answer = trial->seen->outputs,
                                           .probed = trial->probed,
                                           .count = trial->count,
                                           .again = round > 0};
    struct vl_sign finding = {0};
    enum vl_status status = VL_OK;
    if (trial->misread && vl_reread_holds(&trial->reading, trial))
        status = vl_reading_say(&finding, &trial->reading, trial->inputs);
    else
        status = vl_unread_find(&finding, trial);
    if (status == VL_OK && finding.code == NULL && trial->count > 0)
        status = vl_influence_find(&finding, &influence, trial->depth);
    if (status == VL_OK)
        status = vl_trials_settle(&e->trials, trial->seen->c->function, &finding);
    free(finding.message);
    return status;
}

/* One case of each function that is still open. */
static enum vl_status go_round(struct experiment *e, int round)
{
    enum vl_status status = vl_trials_choose(&e->trials);
    for (size_t k = 0; k < e->trials.trial_count && status == VL_OK; k++)
        status = prepare(e, &e->trials.list[k], round);
    if (status == VL_OK)
        status = run_all(e, round);
    for (size_t k = 0; k < e->trials.trial_count && status == VL_OK; k++)
        status = conclude(e, &e->trials.list[k], round);
    return status;
}

enum vl_status vl_experiment(struct vl_seen_case *cases, size_t count,
                             const struct vl_laboratory *laboratory)
{
    struct experiment e = {.laboratory = laboratory,
                           .until = vl_clock() + ALL_SECONDS * vl_load_average()};
    if (laboratory->sandbox->until > 0)
        e.until = fmin(e.until, laboratory->sandbox->until);
    enum vl_status status = vl_trials_begin(&e.trials, cases, count, laboratory->origin);
    for (int round = 0; round < ROUNDS && status == VL_OK && vl_clock() < e.until; round++)
        status = go_round(&e, round);
    vl_trials_free(&e.trials);
    return status;
}
