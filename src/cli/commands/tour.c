#include "base/text.h"
#include "cli/commands/sample.h"
#include "cli/run/job.h"
#include "cli/shared/grading.h"
#include "cli/shared/labs.h"
#include "cli/shared/progress.h"
#include "cli/shared/say.h"
#include "cli/shared/state.h"
#include "report/draw/terminal.h"
#include "report/verdict/replay.h"
#include "report/verdict/typed.h"
#include <stdio.h>
#include <stdlib.h>

#define TOUR_MODEL "tour.safetensors"

static void put_heading(const struct vl_terminal *terminal, const char *heading,
                        const char *explanation)
{
    fputc('\n', stdout);
    vl_terminal_put(terminal, VL_STYLE_BOLD, 0, heading);
    fputc('\n', stdout);
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, explanation);
    fputc('\n', stdout);
    fflush(stdout);
}

static enum vl_exit grade_reference(void)
{
    struct vl_verdict verdict;
    struct vl_grade_request request = {
        .lab = vl_lab_first_here(), .reference = 1, .origin = {.seed = VL_GRADE_SEED}};
    enum vl_exit status = vl_grading_run(&verdict, &request, stdout, false);
    vl_verdict_free(&verdict);
    return status;
}

static enum vl_exit train(const char *model)
{
    struct vl_progress progress;
    const char *const words[] = {"--save", model};
    vl_progress_open(&progress, stdout);
    struct vl_job job = {.command = "train",
                         .words = words,
                         .count = 2,
                         .ranks = 1,
                         .ends_cleanly = 1,
                         .event = vl_progress_event,
                         .context = &progress};
    enum vl_exit status = vl_job_run(&job);
    long last = progress.last, steps = progress.steps;
    vl_progress_close(&progress);
    /* Ended with Ctrl-C: the tour ends there too. */
    return status == VL_EXIT_OK && last < steps ? (enum vl_exit)130 : status;
}

static enum vl_exit sample(const char *model)
{
    const char *const words[] = {"--checkpoint", model, "--bytes", "240"};
    struct vl_job job = {
        .command = "sample", .words = words, .count = 4, .ranks = 1, .event = vl_sample_event};
    enum vl_exit status = vl_job_run(&job);
    fputc('\n', stdout);
    return status;
}

static void put_first(const struct vl_terminal *terminal)
{
    char *heading =
        vl_text_format(_("First: grade the reference of lab %02d"), vl_lab_first_here()->number);
    put_heading(terminal, heading != NULL ? heading : "",
                _("The same cases will judge your own code. This is the finished one, so that you "
                  "see what the goal looks like."));
    free(heading);
}

static void put_next(const struct vl_terminal *terminal, const char *model)
{
    put_heading(terminal, _("What to do next"),
                _("Everything that ran just now is yours to write. Begin with the first lab:"));
    int first = vl_lab_first_here()->number;
    vl_typed(stdout, "list");
    vl_typed(stdout, "explain %02d", first);
    vl_typed(stdout, "start %02d", first);
    vl_typed(stdout, "grade %02d", first);
    fputs("    ", stdout);
    vl_typed_program(stdout);
    fputs(" sample --prompt Vialata --checkpoint ", stdout);
    vl_shell_word_show(stdout, model);
    fputc('\n', stdout);
}

static int run(const struct vl_arguments *arguments)
{
    (void)arguments;
    struct vl_terminal terminal;
    char *model = vl_state_path(TOUR_MODEL);
    if (model == NULL)
        return vl_say(VL_EXIT_LACK, _("The tour has no folder to keep its model in (%m). Set "
                                      "VIALATA_STATE to a folder that can be written to."));
    vl_terminal_open(&terminal, stdout);
    vl_terminal_paragraph(&terminal, VL_STYLE_BOLD, 0,
                          _("Welcome to Vialata, where you build what trains large language "
                            "models."));
    put_first(&terminal);
    enum vl_exit status = grade_reference();
    enum vl_exit graded = status;
    if (status <= VL_EXIT_BELOW) {
        put_heading(&terminal, _("Second: train on the course's own text"),
                    _("These very functions now train a small model, byte by byte, in five "
                      "languages. Watch the loss fall."));
        status = train(model);
    }
    if (status == VL_EXIT_OK) {
        put_heading(&terminal, _("Third: let it write"),
                    _("A model this small, after seconds of training, has learnt the look of words "
                      "and little more. That is what the other labs are for."));
        status = sample(model);
    }
    if (status == VL_EXIT_OK) {
        put_next(&terminal, model);
        status = graded;
    }
    free(model);
    return status;
}

static const struct vl_flag flags[] = {{0}};

const struct vl_command vl_command_tour = {
    .name = "tour",
    .takes = "",
    .summary = N_("See it all work in two minutes: a graded lab, a training run, a text."),
    .flags = flags,
    .run = run,
};
