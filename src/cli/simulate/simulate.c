/* `vialata simulate`: a training step on a machine that is not here. */
#include "base/place.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/simulate/request.h"
#include "cli/simulate/show.h"
#include "cli/simulate/simulator.h"
#include "simulate/scale.h"
#include "train/options/options_parse.h"

#include <stdlib.h>
#include <string.h>

/* ---- phantom kernels ---- */

static void keep_event(void *context, const json_t *event)
{
    json_t **told = context;
    if (*told == NULL)
        *told = json_deep_copy(event);
}

static enum vl_exit refuse_told(const json_t *told)
{
    const char *code = json_string_value(json_object_get(told, "failed"));
    return vl_say(
        VL_EXIT_FAULT,
        _("The simulator could not do this step (%s). Try another layout, and report this "
          "one: the planner took it."),
        code != NULL ? code : vl_status_code(VL_EFORMAT));
}

static enum vl_exit run_task(const struct vl_simulate_request *r, const char *task)
{
    json_t *told = NULL;
    struct vl_simulate_result result;
    const struct vl_simulator simulator = {
        .program = "vialata-simulator",
        .machine = vl_scale_cluster(&r->setting.cluster, &r->setting.recipe, r->scale),
        .chips = r->chips,
        .words = &task,
        .count = 1,
        .event = keep_event,
        .context = &told};
    enum vl_exit ended = vl_simulator_run(&simulator);
    if (ended == VL_EXIT_OK || json_object_get(told, "failed") != NULL)
        ended = vl_simulate_result_read(&result, told, &r->forecast.division, &r->setting.recipe,
                                        r->scale) == VL_OK
                    ? vl_simulate_show(r, &result)
                    : refuse_told(told);
    json_decref(told);
    return ended;
}

static enum vl_exit simulate(const struct vl_simulate_request *r)
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
    enum vl_exit ended = text != NULL ? run_task(r, text) : vl_say_status(VL_ENOMEM);
    free(text);
    json_decref(object);
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

/* How many ranks the options of `train` ask for. */
static enum vl_exit count_ranks(size_t *ranks, const struct vl_words *words)
{
    struct vl_options options = {0};
    struct vl_problem problem = {.status = VL_OK};
    if (vl_options_parse(&options, VL_TRAIN, (int)words->count - 1, words->list + 1, &problem) !=
        VL_OK)
        return vl_say(VL_EXIT_USAGE, "%s", problem.message);
    *ranks = (size_t)vl_options_ranks(&options);
    if (*ranks <= MOST_REAL)
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
    enum vl_exit ended =
        words.failed ? vl_say_status(VL_ENOMEM) : count_ranks(&simulator.chips, &words);
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
    if (ended == VL_EXIT_OK)
        ended = vl_simulator_check_memory(request.chips);
    if (ended == VL_EXIT_OK)
        ended = real != NULL ? simulate_real(&request, real) : simulate(&request);
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
