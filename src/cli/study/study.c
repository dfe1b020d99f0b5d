#include "cli/study/study_balance.h"
#include "cli/study/study_bandwidth.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"

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

#define LEAST_ALPHA 1e-9 /* as in train/options/option_table.c */
#define MOST_ALPHA  100

/* ---- what is asked ---- */

static enum vl_exit refuse_alphas(const char *text)
{
    return vl_say(VL_EXIT_USAGE,
                  _("`--alphas` takes from one to %1$d different numbers above zero and at most "
                    "%2$d, with commas between them, such as %3$s, and `%4$s` is none of that."),
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

/* Say at once, and not after minutes, that a file cannot be written. */
static enum vl_exit try_place(const char *path)
{
    return path == NULL ? VL_EXIT_OK : vl_write_say(vl_file_try(path), path, VL_EXIT_USAGE);
}

static enum vl_exit try_places(const char *page, const char *json)
{
    if (json != NULL && vl_file_is_same(page, json))
        return vl_say(VL_EXIT_USAGE,
                      _("`--out` and `--json` lead to the same file, and one of them would be "
                        "lost: give `--json` another name."));
    enum vl_exit result = try_place(page);
    return result == VL_EXIT_OK ? try_place(json) : result;
}

/* ---- what is told ---- */

/* Takes the value over; NULL is a lack of memory. */
static enum vl_exit write_json(json_t *all, const char *path)
{
    char *text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    enum vl_status status = text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    json_decref(all);
    return vl_write_say(status, path, VL_EXIT_LACK);
}

/* Say where the page is, with a sentence that has its name, or why it could not be written. */
static enum vl_exit tell_page(const struct vl_terminal *terminal, enum vl_status written,
                              const char *sentence, const char *page)
{
    enum vl_exit result = vl_write_say(written, page, VL_EXIT_LACK);
    if (result == VL_EXIT_OK)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, sentence, page);
    return result;
}

static enum vl_exit first_of(enum vl_exit one, enum vl_exit other)
{
    return one != VL_EXIT_OK ? one : other;
}

static enum vl_exit tell(const struct vl_study *study, const char *page, const char *json)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_study_table(study, &terminal);
    enum vl_exit result =
        tell_page(&terminal, vl_study_page(study, page),
                  _("The page with curves and maps is %s: open it with a browser."), page);
    return first_of(result, json != NULL ? write_json(vl_study_json(study), json) : VL_EXIT_OK);
}

static enum vl_exit tell_roads(const struct vl_bandwidth *study, const char *page, const char *json)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_bandwidth_table(study, &terminal);
    enum vl_exit result =
        tell_page(&terminal, vl_bandwidth_page(study, page),
                  _("The page with the figure is %s: open it with a browser."), page);
    return first_of(result, json != NULL ? write_json(vl_bandwidth_json(study), json) : VL_EXIT_OK);
}

/* ---- the studies ---- */

/* A flag of another study would be ignored, and somebody would wonder why. */
static enum vl_exit refuse_flag(const struct vl_arguments *arguments, const char *flag,
                                const char *study)
{
    if (vl_argument(arguments, flag) == NULL)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE, _("`--%1$s` belongs to `vialata study %2$s`: leave it out."), flag,
                  study);
}

static enum vl_exit study_balance(const struct vl_arguments *arguments)
{
    const char *page = vl_argument(arguments, "out"), *json = vl_argument(arguments, "json"),
               *alphas = vl_argument(arguments, "alphas");
    struct vl_study_request request = {0};
    uint64_t steps = STEPS, seeds = SEEDS;
    struct vl_study *study;
    char *command = NULL;
    page = page != NULL ? page : PAGE;
    alphas = alphas != NULL ? alphas : ALPHAS;
    if (!vl_argument_number_of(&steps, arguments, "steps", 4, 100000) ||
        !vl_argument_number_of(&seeds, arguments, "seeds", 1, VL_STUDY_SEEDS))
        return VL_EXIT_USAGE;
    request.steps = (size_t)steps;
    request.seeds = (size_t)seeds;
    enum vl_exit result = refuse_flag(arguments, "rates", "bandwidth");
    if (result == VL_EXIT_OK)
        result = refuse_flag(arguments, "runs", "bandwidth");
    if (result == VL_EXIT_OK)
        result = read_alphas(&request, alphas);
    if (result == VL_EXIT_OK)
        result = try_places(page, json);
    if (result != VL_EXIT_OK)
        return result;
    if (asprintf(&command, "vialata study balance --steps %zu --seeds %zu --alphas %s",
                 request.steps, request.seeds, alphas) < 0)
        return vl_say_status(VL_ENOMEM);
    request.command = command;
    result = vl_study_run(&study, &request);
    if (result == VL_EXIT_OK && study != NULL)
        result = tell(study, page, json);
    vl_study_free(study);
    free(command);
    return result;
}

static enum vl_exit study_bandwidth(const struct vl_arguments *arguments)
{
    const char *page = vl_argument(arguments, "out"), *json = vl_argument(arguments, "json"),
               *rates = vl_argument(arguments, "rates");
    struct vl_bandwidth_request request = {0};
    uint64_t steps = TIMED, runs = 1;
    struct vl_bandwidth *study;
    char *command = NULL;
    page = page != NULL ? page : ROADS_PAGE;
    rates = rates != NULL ? rates : RATES;
    if (!vl_argument_number_of(&runs, arguments, "runs", 1, VL_BANDWIDTH_RUNS) ||
        !vl_argument_number_of(&steps, arguments, "steps", 1, VL_BANDWIDTH_TURNS / runs))
        return VL_EXIT_USAGE;
    request.steps = (size_t)steps;
    request.runs = (size_t)runs;
    enum vl_exit result = refuse_flag(arguments, "seeds", "balance");
    if (result == VL_EXIT_OK)
        result = refuse_flag(arguments, "alphas", "balance");
    if (result == VL_EXIT_OK)
        result = vl_bandwidth_read_rates(&request, rates);
    if (result == VL_EXIT_OK)
        result = try_places(page, json);
    if (result != VL_EXIT_OK)
        return result;
    if (asprintf(&command, "vialata study bandwidth --runs %zu --steps %zu --rates %s",
                 request.runs, request.steps, rates) < 0)
        return vl_say_status(VL_ENOMEM);
    request.command = command;
    result = vl_bandwidth_run(&study, &request);
    if (result == VL_EXIT_OK)
        result = tell_roads(study, page, json);
    vl_bandwidth_free(study);
    free(command);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    if (strcmp(arguments->words[0], "balance") == 0)
        return study_balance(arguments);
    if (strcmp(arguments->words[0], "bandwidth") == 0)
        return study_bandwidth(arguments);
    return vl_say(VL_EXIT_USAGE, _("There is no study `%1$s`: choose `%2$s` or `%3$s`."),
                  arguments->words[0], "balance", "bandwidth");
}

static const struct vl_flag flags[] = {
    {"steps", "N", N_("balance: steps of every run (700); bandwidth: timed steps (5)")},
    {"seeds", "N", N_("balance: seeds that each way is trained from (3)")},
    {"alphas", "A,A,...", N_("balance: weights of the auxiliary loss (0.001,0.01,0.1,1,10)")},
    {"runs", "N", N_("bandwidth: how often all roads are measured, one after the other (1)")},
    {"rates", "R,R,...", N_("bandwidth: rates of the road (100mbit, doubled up to 3200mbit)")},
    {"out", "FILE", N_("the page to write (study-balance.html, study-bandwidth.html)")},
    {"json", "FILE", N_("write all numbers to this file too, with all digits")},
    {0},
};

const struct vl_command vl_command_study = {
    .name = "study",
    .takes = "balance|bandwidth",
    .least = 1,
    .most = 1,
    .summary = N_("Train a small model in several ways and compare them, on a page you can keep: "
                  "how experts are balanced, or how broad a road data parallelism needs to beat a "
                  "pipeline. It takes some minutes."),
    .flags = flags,
    .run = run,
};
