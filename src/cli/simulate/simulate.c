/* `vialata simulate`: a training step on a machine that is not here. */
#include "base/text.h"
#include "base/words.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/simulate/labs.h"
#include "cli/simulate/outcome.h"
#include "cli/simulate/request.h"
#include "cli/simulate/show.h"
#include "cli/simulate/simulator.h"
#include "sandbox/interrupt.h"
#include "simulate/scale.h"
#include "train/options/options_parse.h"
#include "vialata/budget.h"

#include <stdlib.h>
#include <string.h>

/* ---- phantom kernels ---- */

/* 'assembly' is the simulator with the student's labs, or NULL. */
static enum vl_exit run_task(const struct vl_simulate_request *r, struct vl_assembly *assembly,
                             const char *task)
{
    struct vl_outcome outcome;
    struct vl_simulate_result result;
    const struct vl_simulator simulator = {
        .program = "vialata-simulator",
        .assembly = assembly,
        .private_globals = assembly != NULL && assembly->has_variables,
        .machine = vl_scale_cluster(&r->setting.cluster, &r->setting.recipe, r->scale),
        .chips = r->chips,
        .words = &task,
        .count = 1};
    enum vl_exit ended = vl_outcome_run(&outcome, &simulator);
    if (ended == VL_EXIT_OK) {
        enum vl_status status = vl_simulate_result_read(
            &result, outcome.step, &r->forecast.division, &r->setting.recipe, r->scale);
        ended = status == VL_OK ? vl_simulate_show(r, &result) : vl_say_status(status);
    }
    vl_outcome_free(&outcome);
    return ended;
}

static enum vl_exit simulate_step(const struct vl_simulate_request *r, struct vl_assembly *assembly)
{
    struct vl_simulate_task task;
    enum vl_status status =
        vl_scale_task(&task, &r->setting, &r->forecast.division, r->scale, r->memory);
    if (status == VL_OK && r->two_level)
        status = vl_scale_two_level(&task);
    if (status != VL_OK)
        return vl_say_status(status);
    task.trace = r->trace;
    task.in_order = r->in_order;
    json_t *object = vl_simulate_task_json(&task);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    enum vl_exit ended = text != NULL ? run_task(r, assembly, text) : vl_say_status(VL_ENOMEM);
    free(text);
    json_decref(object);
    return ended;
}

static enum vl_exit simulate(struct vl_simulate_request *r)
{
    struct vl_with_labs with = {0};
    enum vl_exit ended = r->with_labs ? vl_simulate_labs(&with, r) : VL_EXIT_OK;
    if (ended == VL_EXIT_OK && !vl_interrupt_seen())
        ended = simulate_step(r, with.assembly.program != NULL ? &with.assembly : NULL);
    vl_with_labs_free(&with);
    return ended;
}

/* ---- real kernels ---- */

#define MOST_REAL 64 /* every rank really computes */

static void print_event(void *context, const json_t *event)
{
    (void)context;
    json_dumpf(event, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
    putchar('\n');
}

static void split(struct vl_words *words, const char *text)
{
    vl_words_add(words, "train");
    vl_words_add(words, "--events");
    for (const char *at = text; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " "))
        vl_words_add(words, "%.*s", (int)strcspn(at, " "), at);
}

/* Of a rank at least: weights, gradients and two moments in float32, as the layout shares them out. */
static double state_bytes(const struct vl_options *options)
{
    uint64_t all = 0, multiplying;
    double sharers = (double)(options->tensor * options->stages);
    if (vl_parameter_count(&all, &multiplying, &options->shape) != VL_OK)
        return 0;
    if (options->zero > 0)
        sharers *= (double)options->replicas;
    return 4 * sizeof(float) * (double)all / sharers;
}

/* What the options of `train` ask for. */
static enum vl_exit read_real(struct vl_simulator *simulator, const struct vl_words *words)
{
    struct vl_options options = {0};
    struct vl_problem problem = {.status = VL_OK};
    if (vl_options_parse(&options, VL_TRAIN, (int)words->count - 1, words->list + 1, &problem) !=
        VL_OK)
        return vl_say(VL_EXIT_USAGE, "%s", problem.message);
    if (options.with != NULL)
        return vl_simulate_refuse_real_labs();
    simulator->chips = (size_t)vl_options_ranks(&options);
    simulator->rank_bytes = state_bytes(&options);
    if (simulator->chips <= MOST_REAL)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("With `--real` every chip really computes, and this computer has to do it all: "
                    "choose a layout of at most %d ranks."),
                  MOST_REAL);
}

static enum vl_exit simulate_real(const struct vl_simulate_request *r, const char *text)
{
    struct vl_words words = {0};
    struct vl_simulator simulator = {.program = "vialata-simulator-real",
                                     .private_globals = 1,
                                     .machine = r->setting.cluster,
                                     .event = print_event};
    split(&words, text);
    enum vl_exit ended = words.failed ? vl_say_status(VL_ENOMEM) : read_real(&simulator, &words);
    simulator.words = (const char *const *)words.list;
    simulator.count = (int)words.count;
    if (ended == VL_EXIT_OK)
        ended = vl_simulator_run(&simulator);
    vl_words_free(&words);
    return ended;
}

/* ---- the command ---- */

static int run(const struct vl_arguments *arguments)
{
    struct vl_simulate_request request;
    const char *real = vl_argument(arguments, "real");
    enum vl_exit ended = vl_simulate_request_read(&request, arguments);
    if (ended == VL_EXIT_OK)
        ended = vl_simulator_find();
    if (ended == VL_EXIT_OK) {
        vl_interrupt_begin();
        ended = real != NULL ? simulate_real(&request, real) : simulate(&request);
        vl_interrupt_end();
    }
    vl_simulate_request_free(&request);
    return ended;
}

static const struct vl_flag flags[] = {
    {"model", "NAME|FILE", N_("dsv3, k2, small, or a file of your own (small)")},
    {"machine", "NAME|FILE", N_("a machine that `plan` knows, or a file of your own (h100-ib)")},
    {"chips", "N", N_("how many chips share the work, up to 2048 (64)")},
    {"batch", "N", N_("sequences in the batch of a step (what the model's file says)")},
    {"layout", "dp=N,ep=N,...", N_("how the work is shared (the best layout that `plan` finds)")},
    {"scale", "S", N_("simulate widths and sequences divided by S (as large as fits well)")},
    {"two-level", NULL, N_("sum gradients inside each domain first, after backward (in one ring)")},
    {"in-order", NULL,
     N_("pieces of a collective go to a peer one after the other (they share the link)")},
    {"memory-rate", "X", N_("bytes per second of a chip's memory (its peak FLOP/s / 300)")},
    {"with", "labs", N_("your own code in each lab that you have finished")},
    {"trace", "FILE", N_("write what every chip did, for `vialata timeline`")},
    {"real", "'OPTIONS'", N_("run `train` with these options and real kernels, and print its log")},
    {"json", NULL, N_("print all numbers as JSON")},
    {0},
};

const struct vl_command vl_command_simulate = {
    .name = "simulate",
    .takes = "",
    .least = 0,
    .most = 0,
    .summary = N_("Run a training step on a machine that is not here, in SimGrid: how long it "
                  "takes, who waits, and what every link carries."),
    .flags = flags,
    .run = run,
};
