/* What `vialata batch` is asked to do. */
#include "cli/class/batch.h"

#include "base/text.h"
#include "class/book/case_words.h"
#include "class/book/hiding.h"
#include "cli/class/slurm/slurm_program.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/secret.h"
#include "grade/run/grade.h"
#include "sandbox/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AT_ONCE_MOST  256
#define SIMILAR_LEAST 30 /* percent: with less, everything is alike */

static enum vl_exit refuse_time(const char *flag, const char *value)
{
    return vl_say(VL_EXIT_USAGE,
                  _("`%1$s` takes a date and a time, such as 2026-12-01T18:00, and `%2$s` is not "
                    "one."),
                  flag, value);
}

/* When it is due, and what each day beyond the late days costs. */
static enum vl_exit read_due(struct vl_batch_request *request, const struct vl_arguments *arguments)
{
    char text[VL_DUE_TEXT];
    const char *due = vl_argument(arguments, "due");
    uint64_t percent = 0;
    if (!vl_argument_number_of(&percent, arguments, "late-penalty", 1, 100))
        return VL_EXIT_USAGE;
    if (due == NULL && percent > 0)
        return vl_say(VL_EXIT_USAGE, _("`--late-penalty` needs `--due TIME` as well."));
    if (due == NULL)
        return VL_EXIT_OK;
    if (!vl_due_read(&request->due.at, due))
        return refuse_time("--due", due);
    request->due.penalty = (double)percent / 100;
    printf(_("Due: %s, in this machine's time zone.\n"), vl_due_text(text, request->due.at));
    return VL_EXIT_OK;
}

static bool is_known(const struct vl_batch_request *request, const char *word)
{
    bool known = strcmp(word, VL_HIDING_ALL) == 0;
    for (size_t k = 0; k < request->lab_count && !known; k++)
        known = vl_case_word_is_known(word, request->labs[k]);
    return known;
}

/* What is hidden now: a word that means nothing would show what should be hidden. */
static enum vl_exit read_hidden(struct vl_batch_request *request,
                                const struct vl_arguments *arguments)
{
    const char *hide = vl_argument(arguments, "hide"),
               *until = vl_argument(arguments, "hide-until");
    time_t end = 0;
    if (until != NULL && !vl_due_read(&end, until))
        return refuse_time("--hide-until", until);
    if (hide == NULL && until == NULL)
        return VL_EXIT_OK;
    vl_case_words_split(&request->hidden, hide != NULL ? hide : VL_HIDING_ALL);
    if (request->hidden.failed)
        return vl_say_status(VL_ENOMEM);
    for (size_t i = 0; i < request->hidden.count; i++)
        if (!is_known(request, request->hidden.list[i]))
            return vl_say(VL_EXIT_USAGE,
                          _("`--hide %s` means nothing here: name a function or a case of these "
                            "labs, or `all`."),
                          request->hidden.list[i]);
    if (until != NULL && time(NULL) >= end)
        vl_words_free(&request->hidden);
    return VL_EXIT_OK;
}

/* Without `--jobs`, Slurm decides how many are graded at once. */
static enum vl_exit read_slurm(struct vl_batch_request *request,
                               const struct vl_arguments *arguments)
{
    request->slurm = vl_argument(arguments, "slurm") != NULL;
    request->sbatch = vl_argument(arguments, "sbatch");
    if (request->sbatch != NULL && !request->slurm)
        return vl_say(VL_EXIT_USAGE,
                      _("`--sbatch` has options for Slurm: add `--slurm`, or drop `--sbatch`."));
    if (request->slurm && vl_argument(arguments, "jobs") == NULL)
        request->at_once = 0;
    const char *lacks = request->slurm ? vl_slurm_lacks() : NULL;
    if (lacks != NULL)
        return vl_say(VL_EXIT_LACK,
                      _("There is no program `%s` here, and `--slurm` needs it: install Slurm's "
                        "commands, or drop `--slurm`."),
                      lacks);
    return VL_EXIT_OK;
}

/* Said once, rather than by every grading. */
static enum vl_exit check_secret(const char *path)
{
    struct vl_secret secret;
    enum vl_exit result = vl_secret_read(&secret, path);
    vl_secret_free(&secret);
    return result;
}

enum vl_exit vl_batch_request_read(struct vl_batch_request *request,
                                   const struct vl_arguments *arguments)
{
    const char *labs = vl_argument(arguments, "labs");
    uint64_t at_once = (uint64_t)vl_machine_cores(), budget = 0, similar = 0;
    request->out = vl_argument(arguments, "out");
    request->roster = vl_argument(arguments, "roster");
    request->seed = vl_argument(arguments, "seed");
    request->secret = vl_argument(arguments, "secret");
    request->no_speed = vl_argument(arguments, "no-speed") != NULL;
    request->no_grading = vl_argument(arguments, "no-grading") != NULL;
    request->regrade = vl_argument(arguments, "regrade");
    request->trust = vl_argument(arguments, "trust") != NULL;
    request->named = vl_argument(arguments, "named") != NULL;
    request->pseudonyms = vl_argument(arguments, "pseudonyms") != NULL;
    if (labs == NULL || request->out == NULL)
        return vl_say(VL_EXIT_USAGE, _("`vialata batch` needs to know which labs, and where the "
                                       "results go: `vialata batch FOLDER --labs 01 --out "
                                       "RESULTS`."));
    if (!vl_argument_number_of(&at_once, arguments, "jobs", 1, AT_ONCE_MOST) ||
        !vl_argument_number_of(&budget, arguments, "budget", VL_GRADE_BUDGET_LEAST,
                               VL_GRADE_BUDGET_MOST) ||
        !vl_argument_number_of(&similar, arguments, "similar", SIMILAR_LEAST, 100))
        return VL_EXIT_USAGE;
    if (request->no_grading && request->regrade != NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`--regrade` and `--no-grading` exclude each other: choose one of them."));
    if (request->seed != NULL && request->secret != NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`--secret` and `--seed` each give a seed: choose one of them."));
    request->at_once = (size_t)at_once;
    request->budget = (double)budget;
    request->similar = (int)similar;
    enum vl_exit result = check_secret(request->secret);
    if (result == VL_EXIT_OK)
        result = read_slurm(request, arguments);
    if (result == VL_EXIT_OK)
        result = read_due(request, arguments);
    if (result == VL_EXIT_OK)
        result = vl_labs_named(request->labs, &request->lab_count, labs);
    return result == VL_EXIT_OK ? read_hidden(request, arguments) : result;
}

void vl_batch_request_free(struct vl_batch_request *request)
{
    vl_words_free(&request->hidden);
    free(request->labs);
}
