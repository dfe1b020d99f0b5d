/* vialata clinic N --run [--report]: the student's program runs as it is. */
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/clinic/trial.h"
#include "cli/clinic/visit.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include "sandbox/scratch/scratch.h"
#include "wire/board.h"

#include <stdio.h>
#include <stdlib.h>

/* Without the report: how it ended, and nothing that one could see only from inside. */
static void tell_end(const struct vl_clinic_trial *trial)
{
    struct vl_terminal terminal;
    char seconds[VL_NUMBER_TEXT];
    vl_terminal_open(&terminal, stdout);
    fputc('\n', stdout);
    vl_number_text(seconds, trial->seconds, 1);
    if (trial->end == VL_WATCHED_STANDSTILL)
        vl_terminal_sentence(&terminal, VL_STYLE_BAD,
                             _("Nothing could move any more, so the program was ended after %s "
                               "seconds."),
                             seconds);
    else if (trial->end != VL_WATCHED_ENDED)
        vl_terminal_sentence(&terminal, VL_STYLE_BAD,
                             _("The program was ended after %s seconds, while it still ran."),
                             seconds);
    else if (trial->status != 0)
        vl_terminal_sentence(&terminal, VL_STYLE_BAD, _("The program ended with status %d."),
                             trial->status);
    else
        vl_terminal_sentence(&terminal, VL_STYLE_PLAIN, "%s", _("The program has ended."));
}

static void tell_nothing_found(void)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    fputc('\n', stdout);
    vl_terminal_sentence(&terminal, VL_STYLE_PLAIN, "%s",
                         _("The report finds nothing in how the ranks speak to each other. So look "
                           "at what they compute, and compare it with what they should print."));
}

static enum vl_exit run_on(struct vl_clinic_visit *visit, int ranks, bool report)
{
    char *folder = NULL, *program = NULL;
    enum vl_status status = vl_scratch_create(&folder);
    enum vl_exit result = VL_EXIT_OK;
    if (status == VL_OK && (program = vl_path_join(folder, "program")) == NULL)
        status = VL_ENOMEM;
    if (status != VL_OK)
        return status == VL_EIO ? vl_say(VL_EXIT_LACK, _("The run could not be started: %m."))
                                : vl_say_status(status);
    struct vl_clinic_trial trial = {.program = program, .ranks = ranks, .report = report};
    result =
        vl_clinic_trial_build(program, visit->shelf.own, visit->shelf.name, visit->shelf.header);
    if (result == VL_EXIT_OK)
        result = vl_clinic_trial_run(&trial);
    if (result == VL_EXIT_OK && !report)
        tell_end(&trial);
    else if (result == VL_EXIT_OK && trial.finding.code == NULL && trial.end == VL_WATCHED_ENDED)
        tell_nothing_found();
    vl_clinic_trial_free(&trial);
    vl_scratch_remove(folder);
    free(program);
    free(folder);
    return result;
}

enum vl_exit vl_clinic_look(struct vl_clinic_visit *visit)
{
    uint64_t ranks = (uint64_t)visit->item->ranks;
    bool report = vl_argument(visit->arguments, "report") != NULL;
    if (!vl_argument_number_of(&ranks, visit->arguments, "n", 1, VL_BOARD_RANKS))
        return VL_EXIT_USAGE;
    if (report && visit->chart.diagnoses == 0 && !visit->chart.given_up)
        return vl_say(VL_EXIT_USAGE,
                      _("The report is yours after your first diagnosis: read the program and what "
                        "it prints, and say what you believe with `vialata clinic %d --rank R "
                        "--line L --cause CAUSE`."),
                      visit->item->number);
    if (report && !visit->chart.report) {
        visit->chart.report = true;
        enum vl_exit kept = vl_clinic_chart_keep(visit->item, &visit->chart);
        if (kept != VL_EXIT_OK)
            return kept;
    }
    return run_on(visit, (int)ranks, report);
}
