#include "cli/study/study_balance.h"
#include "cli/study/study_bandwidth.h"
#include "cli/study/study_chips.h"
#include "cli/study/study_shared.h"

#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE   "study-balance.html"
#define ALPHAS "0.001,0.01,0.1,1,10"
#define STEPS  700
#define SEEDS  3

#define ROADS_PAGE "study-bandwidth.html"
#define RATES      "100mbit,200mbit,400mbit,800mbit,1600mbit,3200mbit"
#define TIMED      5 /* steps */

#define CHIPS_PAGE "study-chips.html"
#define MACHINES   "h100-ib,nvl72,tpu-v5p"
#define CHIPS      "64,512"
#define FACTORS    "1/16,1/4,1/2,1,4"

#define LEAST_ALPHA 1e-9 /* as in train/options/option_table.c */
#define MOST_ALPHA  100

/* ---- what is asked ---- */

static enum vl_exit refuse_alphas(const char *text)
{
    return vl_say(VL_EXIT_USAGE,
                  _("`--alphas` takes from one to %1$d different numbers above zero and at most "
                    "%2$d, with commas between them, such as %3$s, and `%4$s` is not such a list."),
                  VL_STUDY_ALPHAS, MOST_ALPHA, ALPHAS, text);
}

static bool is_new(const struct vl_study_request *request, double alpha)
{
    for (size_t i = 0; i < request->alpha_count; i++)
        if (request->alphas[i] == alpha)
            return false;
    return true;
}

static enum vl_exit read_alphas(struct vl_study_request *request, const char *text)
{
    for (const char *at = text;; at++) {
        char *end = NULL;
        size_t length = strcspn(at, ",");
        double alpha = at[0] >= '0' && at[0] <= '9' ? strtod(at, &end) : NAN;
        if (request->alpha_count == VL_STUDY_ALPHAS || end != at + length || length >= 32 ||
            strspn(at, "0123456789.eE+-") < length || !(alpha >= LEAST_ALPHA) ||
            alpha > MOST_ALPHA || !is_new(request, alpha))
            return refuse_alphas(text);
        snprintf(request->spelled[request->alpha_count], 32, "%.*s", (int)length, at);
        request->alphas[request->alpha_count++] = alpha;
        at += length;
        if (*at == '\0')
            return VL_EXIT_OK;
    }
}

/* ---- the studies ---- */

static const char *or_else(const char *value, const char *usual)
{
    return value != NULL ? value : usual;
}

static enum vl_exit tell_balance(const struct vl_study *study, const struct vl_study_places *places)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_study_table(study, &terminal);
    return vl_study_tell(
        &terminal, places, _("The page with curves and maps is %s: open it with a browser."),
        vl_study_page(study, places->page), places->json != NULL ? vl_study_json(study) : NULL);
}

static enum vl_exit study_balance(const struct vl_arguments *arguments,
                                  const struct vl_study_places *places)
{
    const char *alphas = or_else(vl_argument(arguments, "alphas"), ALPHAS);
    struct vl_study_request request = {0};
    uint64_t steps = STEPS, seeds = SEEDS;
    struct vl_study *study;
    char *command = NULL;
    if (!vl_argument_number_of(&steps, arguments, "steps", 4, 100000) ||
        !vl_argument_number_of(&seeds, arguments, "seeds", 1, VL_STUDY_SEEDS))
        return VL_EXIT_USAGE;
    request.steps = (size_t)steps;
    request.seeds = (size_t)seeds;
    enum vl_exit result = read_alphas(&request, alphas);
    if (result != VL_EXIT_OK)
        return result;
    if (asprintf(&command, "vialata study balance --steps %zu --seeds %zu --alphas %s",
                 request.steps, request.seeds, alphas) < 0)
        return vl_say_status(VL_ENOMEM);
    request.command = command;
    result = vl_study_run(&study, &request);
    if (result == VL_EXIT_OK && study != NULL)
        result = tell_balance(study, places);
    vl_study_free(study);
    free(command);
    return result;
}

static enum vl_exit tell_roads(const struct vl_bandwidth *study,
                               const struct vl_study_places *places)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_bandwidth_table(study, &terminal);
    return vl_study_tell(&terminal, places,
                         _("The page with the figure is %s: open it with a browser."),
                         vl_bandwidth_page(study, places->page),
                         places->json != NULL ? vl_bandwidth_json(study) : NULL);
}

static enum vl_exit study_bandwidth(const struct vl_arguments *arguments,
                                    const struct vl_study_places *places)
{
    const char *rates = or_else(vl_argument(arguments, "rates"), RATES);
    struct vl_bandwidth_request request = {0};
    uint64_t steps = TIMED, runs = 1;
    struct vl_bandwidth *study;
    char *command = NULL;
    if (!vl_argument_number_of(&runs, arguments, "runs", 1, VL_BANDWIDTH_RUNS) ||
        !vl_argument_number_of(&steps, arguments, "steps", 1, VL_BANDWIDTH_TURNS / runs))
        return VL_EXIT_USAGE;
    request.steps = (size_t)steps;
    request.runs = (size_t)runs;
    enum vl_exit result = vl_bandwidth_read_rates(&request, rates);
    if (result != VL_EXIT_OK)
        return result;
    if (asprintf(&command, "vialata study bandwidth --runs %zu --steps %zu --rates %s",
                 request.runs, request.steps, rates) < 0)
        return vl_say_status(VL_ENOMEM);
    request.command = command;
    result = vl_bandwidth_run(&study, &request);
    if (result == VL_EXIT_OK)
        result = tell_roads(study, places);
    vl_bandwidth_free(study);
    free(command);
    return result;
}

static enum vl_exit tell_chips(const struct vl_chips *study, const struct vl_study_places *places)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_chips_table(study, &terminal);
    return vl_study_tell(
        &terminal, places, _("The page with all figures is %s: open it with a browser."),
        vl_chips_page(study, places->page), places->json != NULL ? vl_chips_json(study) : NULL);
}

static enum vl_exit study_chips(const struct vl_arguments *arguments,
                                const struct vl_study_places *places)
{
    const char *machines = or_else(vl_argument(arguments, "machines"), MACHINES),
               *chips = or_else(vl_argument(arguments, "chips"), CHIPS),
               *factors = or_else(vl_argument(arguments, "factors"), FACTORS);
    struct vl_chips_request request = {0};
    struct vl_chips *study = NULL;
    char *command = NULL;
    enum vl_exit result = vl_chips_read(&request, machines, chips, factors);
    if (result == VL_EXIT_OK &&
        asprintf(&command, "vialata study chips --machines %s --chips %s --factors %s", machines,
                 chips, factors) < 0)
        result = vl_say_status(VL_ENOMEM);
    request.command = command;
    if (result == VL_EXIT_OK)
        result = vl_chips_run(&study, &request);
    if (result == VL_EXIT_OK && study != NULL)
        result = tell_chips(study, places);
    vl_chips_free(study);
    vl_chips_request_free(&request);
    free(command);
    return result;
}

/* ---- the command ---- */

static const struct {
    const char *name, *page;
    enum vl_exit (*run)(const struct vl_arguments *, const struct vl_study_places *);
} studies[] = {{"balance", PAGE, study_balance},
               {"bandwidth", ROADS_PAGE, study_bandwidth},
               {"chips", CHIPS_PAGE, study_chips}};

static int run(const struct vl_arguments *arguments)
{
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        struct vl_study_places places;
        if (strcmp(arguments->words[0], studies[i].name) != 0)
            continue;
        enum vl_exit result = vl_study_refuse_flags(arguments, studies[i].name);
        if (result == VL_EXIT_OK)
            result = vl_study_find_places(&places, arguments, studies[i].page);
        if (result == VL_EXIT_OK)
            result = studies[i].run(arguments, &places);
        return result;
    }
    return vl_say(VL_EXIT_USAGE, _("There is no study `%1$s`: choose `%2$s`, `%3$s` or `%4$s`."),
                  arguments->words[0], "balance", "bandwidth", "chips");
}

static const struct vl_flag flags[] = {
    {"steps", "N", N_("balance: steps of every run (700); bandwidth: timed steps (5)")},
    {"seeds", "N", N_("balance: seeds that each way is trained from (3)")},
    {"alphas", "A,A,...", N_("balance: weights of the auxiliary loss (0.001,0.01,0.1,1,10)")},
    {"runs", "N", N_("bandwidth: how often all roads are measured, one after the other (1)")},
    {"rates", "R,R,...", N_("bandwidth: rates of the road (100mbit, doubled up to 3200mbit)")},
    {"machines", "M,M,...",
     N_("chips: machines that `plan` knows, or files (h100-ib,nvl72,tpu-v5p)")},
    {"chips", "N,N,...", N_("chips: how many of them, powers of two from 8 to 512 (64,512)")},
    {"factors", "F,F,...",
     N_("chips: times the bandwidth of the machine's file (1/16,1/4,1/2,1,4)")},
    {"out", "FILE",
     N_("the page to write (study-balance.html, study-bandwidth.html, study-chips.html)")},
    {"json", "FILE", N_("write all numbers to this file too, with all digits")},
    {0},
};

const struct vl_command vl_command_study = {
    .name = "study",
    .takes = "balance|bandwidth|chips",
    .least = 1,
    .most = 1,
    .summary = N_("Train a small model in several ways and compare them, on a page you can keep: "
                  "how experts are balanced, how broad a road data parallelism needs to beat a "
                  "pipeline, or the same on large machines that are simulated. It takes some "
                  "minutes."),
    .flags = flags,
    .run = run,
};
