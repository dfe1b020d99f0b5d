#include "cli/study/study_balance.h"

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

static enum vl_exit write_json(const struct vl_study *study, const char *path)
{
    json_t *all = vl_study_json(study);
    char *text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    enum vl_status status = text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    json_decref(all);
    return vl_write_say(status, path, VL_EXIT_LACK);
}

static enum vl_exit tell(const struct vl_study *study, const char *page, const char *json)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_study_table(study, &terminal);
    enum vl_exit result = vl_write_say(vl_study_page(study, page), page, VL_EXIT_LACK);
    if (result == VL_EXIT_OK)
        vl_terminal_sentence(&terminal, VL_STYLE_PLAIN,
                             _("The page with curves and maps is %s: open it with a browser."),
                             page);
    enum vl_exit written = json != NULL ? write_json(study, json) : VL_EXIT_OK;
    return result != VL_EXIT_OK ? result : written;
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
    enum vl_exit result = read_alphas(&request, alphas);
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

static int run(const struct vl_arguments *arguments)
{
    if (strcmp(arguments->words[0], "balance") == 0)
        return study_balance(arguments);
    return vl_say(VL_EXIT_USAGE, _("There is no study `%1$s`: today there is `%2$s`."),
                  arguments->words[0], "balance");
}

static const struct vl_flag flags[] = {
    {"steps", "N", N_("steps of every run (700)")},
    {"seeds", "N", N_("seeds that each way is trained from (3)")},
    {"alphas", "A,A,...", N_("weights of the auxiliary loss (0.001,0.01,0.1,1,10)")},
    {"out", "FILE", N_("the page to write (study-balance.html)")},
    {"json", "FILE", N_("write all numbers to this file too, with all digits")},
    {0},
};

const struct vl_command vl_command_study = {
    .name = "study",
    .takes = "balance",
    .least = 1,
    .most = 1,
    .summary = N_("Train a small model in several ways and compare them, on a page to keep: how "
                  "experts are balanced. It takes some minutes."),
    .flags = flags,
    .run = run,
};
