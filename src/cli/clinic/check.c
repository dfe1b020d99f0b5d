/* vialata clinic N --check: the repaired program prints what it should, on several numbers of ranks, and leaves
 * nothing undone. */
#include "base/path.h"
#include "base/text.h"
#include "cli/clinic/lines.h"
#include "cli/clinic/trial.h"
#include "cli/clinic/visit.h"
#include "cli/mpi/watched_report.h"
#include "cli/shared/say.h"
#include "clinic/credit.h"
#include "clinic/repair.h"
#include "report/draw/terminal.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED  "VIALATA_CLINIC_SEED" /* clinic.h */
#define LINES 20                    /* of what a program printed, are shown */
#define LINE  200                   /* bytes of each */

struct test {
    struct vl_clinic_visit *visit;
    char *folder;
    char *mine, *right; /* programs */
    struct vl_terminal terminal;
};

/* ---- building ---- */

static enum vl_exit build_right(const struct test *test)
{
    const struct vl_clinic_shelf *shelf = &test->visit->shelf;
    char *text = NULL;
    enum vl_exit result = vl_say_status(vl_clinic_repair(&text, test->visit->item, shelf->given));
    if (result == VL_EXIT_OK)
        result = vl_clinic_trial_build(test->right, text, shelf->name, shelf->header);
    free(text);
    return result == VL_EXIT_BELOW ? VL_EXIT_FAULT : result; /* the compiler has said why */
}

static enum vl_exit build(struct test *test)
{
    enum vl_status status = vl_scratch_create(&test->folder);
    if (status == VL_EIO)
        return vl_watched_refuse(status);
    if (status == VL_OK) {
        test->mine = vl_path_join(test->folder, "mine");
        test->right = vl_path_join(test->folder, "right");
    }
    if (test->mine == NULL || test->right == NULL)
        return vl_say_status(VL_ENOMEM);
    const struct vl_clinic_shelf *shelf = &test->visit->shelf;
    enum vl_exit result = vl_clinic_trial_build(test->mine, shelf->own, shelf->name, shelf->header);
    return result == VL_EXIT_OK ? build_right(test) : result;
}

/* ---- one run ---- */

static enum vl_exit refuse(const struct test *test, int ranks, const char *why)
{
    vl_terminal_sentence(&test->terminal, VL_STYLE_BAD,
                         VL_NGETTEXT("On %d rank:", "On %d ranks:", (unsigned long)ranks), ranks);
    vl_terminal_paragraph(&test->terminal, VL_STYLE_PLAIN, 2, why);
    return VL_EXIT_BELOW;
}

static enum vl_exit refuse_difference(const struct test *test, int ranks,
                                      const struct vl_line_difference *difference)
{
    char *why = NULL;
    int written;
    if (difference->got != NULL && difference->wanted != NULL)
        written = asprintf(&why, _("It prints “%1$s”, where “%2$s” would be right."),
                           difference->got, difference->wanted);
    else if (difference->got != NULL)
        written = asprintf(&why, _("It prints “%s”, which should not be there."), difference->got);
    else
        written = asprintf(&why, _("It does not print “%s”."), difference->wanted);
    enum vl_exit result = written < 0 ? vl_say_status(VL_ENOMEM) : refuse(test, ranks, why);
    if (written >= 0)
        free(why);
    return result;
}

/* Its last lines: there may be many, and long ones. */
static void put_last_lines(const struct test *test, const char *printed)
{
    const char *at = printed + strlen(printed);
    int lines = 0;
    while (at > printed && (lines += at[-1] == '\n') <= LINES)
        at--;
    while (*at != '\0') {
        char line[LINE];
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < LINE ? length : LINE - 1), at);
        vl_terminal_paragraph(&test->terminal, VL_STYLE_DIM, 4, line);
        at += length + (at[length] == '\n');
    }
}

static enum vl_exit refuse_status(const struct test *test, const struct vl_clinic_trial *trial)
{
    refuse(test, trial->ranks, _("It does not end with status 0. The last lines it printed:"));
    put_last_lines(test, trial->printed);
    return VL_EXIT_BELOW;
}

static enum vl_exit refuse_lines(const struct test *test, const struct vl_clinic_trial *mine,
                                 const struct vl_clinic_trial *right)
{
    struct vl_line_difference difference = {0};
    enum vl_exit result =
        vl_say_status(vl_lines_differ(&difference, mine->printed, right->printed));
    if (result == VL_EXIT_OK && (difference.got != NULL || difference.wanted != NULL))
        result = refuse_difference(test, mine->ranks, &difference);
    vl_line_difference_free(&difference);
    return result;
}

/* What the report says is told here only to whoever may see it. */
static enum vl_exit refuse_finding(const struct test *test, const struct vl_clinic_trial *trial)
{
    const struct vl_clinic_chart *chart = &test->visit->chart;
    if (chart->report || chart->whole || chart->given_up)
        return refuse(test, trial->ranks, trial->finding.message);
    return refuse(test, trial->ranks,
                  _("It prints what it should, but it leaves something undone in MPI."));
}

static enum vl_exit judge(const struct test *test, const struct vl_clinic_trial *mine,
                          const struct vl_clinic_trial *right)
{
    if (mine->end == VL_WATCHED_STANDSTILL)
        return refuse(test, mine->ranks, _("It stands still: no rank can go on."));
    if (mine->end != VL_WATCHED_ENDED)
        return refuse(test, mine->ranks, _("It does not finish."));
    if (mine->status != 0)
        return refuse_status(test, mine);
    if (mine->begun < mine->ranks)
        return refuse(test, mine->ranks,
                      _("Not every rank called MPI_Init of Open MPI, so nothing was watched."));
    enum vl_exit result = refuse_lines(test, mine, right);
    bool wrong = mine->finding.code != NULL && !vl_finding_is_allowed(&mine->finding);
    return result == VL_EXIT_OK && wrong ? refuse_finding(test, mine) : result;
}

/* The one that is right ends well, or this machine is in the way. */
static enum vl_exit run_right(struct vl_clinic_trial *right)
{
    enum vl_exit result = vl_clinic_trial_run(right);
    if (result != VL_EXIT_OK || vl_interrupt_seen())
        return result;
    if (right->end == VL_WATCHED_ENDED && right->status == 0 && right->begun == right->ranks)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_LACK,
                  _("The program of the course, which is right, did not run to its end on %d "
                    "ranks: this machine may be too busy, or its MPI is not Open MPI."),
                  right->ranks);
}

static enum vl_exit run_on(const struct test *test, int ranks)
{
    struct vl_clinic_trial mine = {.program = test->mine, .ranks = ranks, .quiet = true};
    struct vl_clinic_trial right = {.program = test->right, .ranks = ranks, .quiet = true};
    enum vl_exit result = vl_clinic_trial_run(&mine);
    if (result == VL_EXIT_OK && mine.end == VL_WATCHED_ENDED)
        result = run_right(&right);
    if (vl_interrupt_seen())
        result = VL_EXIT_LACK; /* whoever interrupts it knows */
    else if (result == VL_EXIT_OK)
        result = judge(test, &mine, &right);
    vl_clinic_trial_free(&mine);
    vl_clinic_trial_free(&right);
    return result;
}

/* Each number of ranks has other data, so that nothing is right by chance. */
static enum vl_exit run_all(const struct test *test)
{
    enum vl_exit result = VL_EXIT_OK;
    const int *runs = test->visit->item->runs;
    for (int i = 0; i < VL_CLINIC_RUNS && runs[i] > 0 && result == VL_EXIT_OK; i++) {
        char seed[16];
        snprintf(seed, sizeof seed, "%d", 7 * i + 1);
        setenv(SEED, seed, 1);
        result = run_on(test, runs[i]);
    }
    unsetenv(SEED);
    return result;
}

/* ---- the command ---- */

static enum vl_exit tell_passed(struct vl_clinic_visit *visit, const struct vl_terminal *terminal)
{
    visit->chart.repaired = true;
    enum vl_exit result = vl_clinic_chart_keep(visit->item, &visit->chart);
    vl_terminal_sentence(terminal, VL_STYLE_GOOD,
                         _("Repaired: it prints what it should, and nothing is left undone. You "
                           "have %1$d points of %2$d for this case."),
                         vl_clinic_chart_points(&visit->chart), VL_CREDIT_WHOLE + VL_CREDIT_REPAIR);
    if (visit->chart.whole || visit->chart.given_up)
        return result;
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, "%s",
                         _("A diagnosis still earns points: say what was wrong."));
    return result;
}

enum vl_exit vl_clinic_check(struct vl_clinic_visit *visit)
{
    struct test test = {.visit = visit};
    vl_terminal_open(&test.terminal, stdout);
    enum vl_exit result = build(&test);
    if (result == VL_EXIT_OK)
        result = run_all(&test);
    if (result == VL_EXIT_OK)
        result = tell_passed(visit, &test.terminal);
    if (test.folder != NULL)
        vl_scratch_remove(test.folder);
    free(test.folder);
    free(test.mine);
    free(test.right);
    return result;
}
