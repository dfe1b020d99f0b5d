/* vialata clinic N --run [--report]: the student's program runs as it is. */
#include "base/path.h"
#include "base/text.h"
#include "cli/clinic/trial.h"
#include "cli/clinic/visit.h"
#include "cli/mpi/watched_report.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include "sandbox/scratch/scratch.h"
#include "wire/board.h"

#include <stdio.h>
#include <stdlib.h>

/* How it ended, and nothing that one could see only from inside. */
static void tell_end(const struct vl_clinic_trial *trial)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    fputc('\n', stdout);
    if (vl_watched_tell_stop(&terminal, trial->end, trial->seconds))
        return;
    if (trial->status != 0)
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

/* The report is paid for once there is something to report on. */
static enum vl_exit note_report(struct vl_clinic_visit *visit)
{
    if (visit->chart.report)
        return VL_EXIT_OK;
    visit->chart.report = true;
    return vl_clinic_chart_keep(visit->item, &visit->chart);
}

static enum vl_exit run_in(struct vl_clinic_visit *visit, const char *folder, int ranks,
                           bool report)
{
    char *program = vl_path_join(folder, "program");
    struct vl_clinic_trial trial = {.program = program, .ranks = ranks, .report = report};
    enum vl_exit result = program != NULL
                              ? vl_clinic_trial_build(program, visit->shelf.own, visit->shelf.name,
                                                      visit->shelf.header)
                              : vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK && report)
        result = note_report(visit);
    if (result == VL_EXIT_OK)
        result = vl_clinic_trial_run(&trial);
    bool ended = trial.end == VL_WATCHED_ENDED && trial.finding.code == NULL;
    if (result == VL_EXIT_OK && report && ended && trial.status == 0 && trial.begun == ranks)
        tell_nothing_found();
    else if (result == VL_EXIT_OK && (!report || ended))
        tell_end(&trial);
    vl_clinic_trial_free(&trial);
    free(program);
    return result;
}

static enum vl_exit run_on(struct vl_clinic_visit *visit, int ranks, bool report)
{
    char *folder = NULL;
    enum vl_exit result = vl_watched_refuse(vl_scratch_create(&folder));
    if (result != VL_EXIT_OK)
        return result;
    result = run_in(visit, folder, ranks, report);
    vl_scratch_remove(folder);
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
    return run_on(visit, (int)ranks, report);
}
