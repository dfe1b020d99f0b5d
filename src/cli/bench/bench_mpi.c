/* What `vialata mpi` costs: MPI's smallest calls, alone and watched, in turns. */
#include "base/number.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/mpi/watched_job.h"
#include "cli/mpi/watched_launcher.h"
#include "cli/mpi/watched_report.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include "sandbox/interrupt.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 5, KINDS = 16, NAME = 64, CALL_COLUMNS = 36, NUMBER_COLUMNS = 12 };

struct kind {
    char names[NAME]; /* of the calls, in MPI's words */
    int calls;
    double microseconds[2][PAIRS]; /* alone, watched */
};

struct measured {
    struct kind kind[KINDS];
    int kinds;
};

/* ---- measuring ---- */

/* What vialata-latency printed in one run. */
static bool take(struct measured *measured, const char *text, bool watched, int pair)
{
    int kinds = 0;
    for (const char *line = text; kinds < KINDS; kinds++) {
        struct kind *kind = &measured->kind[kinds];
        if (sscanf(line, "%lf %d %63[^\n]", &kind->microseconds[watched][pair], &kind->calls,
                   kind->names) != 3)
            break;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    bool alike = kinds > 0 && (measured->kinds == 0 || measured->kinds == kinds);
    measured->kinds = kinds;
    return alike;
}

static enum vl_exit run_once(struct measured *measured, const struct vl_watched_launcher *launcher,
                             char *program, bool watched, int pair)
{
    char *const words[] = {program, NULL};
    struct vl_watched_job job;
    struct vl_printed printed;
    enum vl_exit result = VL_EXIT_LACK;
    enum vl_status status = vl_printed_open(&printed);
    enum vl_status opened = vl_watched_open(&job, 1, false);
    job.printed = &printed;
    job.plain = !watched;
    if (status == VL_OK && (status = opened) == VL_OK)
        status = vl_watched_run(&job, launcher, words);
    if (status != VL_OK)
        result = vl_watched_refuse(status);
    else if (job.end == VL_WATCHED_INTERRUPTED)
        result = VL_EXIT_LACK;
    else if (job.status != 0 || !take(measured, printed.text, watched, pair))
        vl_say(VL_EXIT_LACK, _("vialata-latency did not finish: %s"), printed.text);
    else
        result = VL_EXIT_OK;
    vl_watched_close(&job);
    vl_printed_close(&printed);
    return result;
}

static enum vl_exit measure(struct measured *measured, const struct vl_watched_launcher *launcher,
                            char *program)
{
    enum vl_exit result = VL_EXIT_OK;
    for (int run = 0; run < 2 * PAIRS && result == VL_EXIT_OK; run++)
        result = run_once(measured, launcher, program, run % 2 != 0, run / 2);
    return result;
}

/* ---- showing ---- */

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double middle(const double values[PAIRS])
{
    double sorted[PAIRS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, PAIRS, sizeof *sorted, compare);
    return sorted[PAIRS / 2];
}

/* What one call of MPI takes longer. */
static double more(const struct kind *kind)
{
    return (middle(kind->microseconds[true]) - middle(kind->microseconds[false])) / kind->calls;
}

static void put_number(struct vl_terminal *terminal, double value)
{
    char number[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -NUMBER_COLUMNS, vl_number_text(number, value, 3));
}

static void put_table(const struct measured *measured)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    puts(_("One rank, messages of 8 bytes to itself; microseconds."));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, CALL_COLUMNS, _("Call"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("alone"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("watched"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("per call"));
    putchar('\n');
    for (int i = 0; i < measured->kinds; i++) {
        const struct kind *kind = &measured->kind[i];
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, CALL_COLUMNS, kind->names);
        put_number(&terminal, middle(kind->microseconds[false]));
        put_number(&terminal, middle(kind->microseconds[true]));
        put_number(&terminal, more(kind));
        putchar('\n');
    }
    puts(_("Per call: how much longer one call takes while `vialata mpi` watches it."));
}

static void put_json(const struct measured *measured)
{
    json_t *rows = json_array();
    for (int i = 0; i < measured->kinds; i++) {
        const struct kind *kind = &measured->kind[i];
        json_array_append_new(
            rows, json_pack("{s:s, s:i, s:f, s:f, s:f}", "names", kind->names, "calls", kind->calls,
                            "plain_us", middle(kind->microseconds[false]), "watched_us",
                            middle(kind->microseconds[true]), "more_us_per_call", more(kind)));
    }
    json_t *whole = json_pack("{s:o}", "mpi", rows);
    json_dumpf(whole, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(whole);
}

enum vl_exit vl_bench_show_mpi(const struct vl_arguments *arguments)
{
    struct measured measured = {.kinds = 0};
    char *program = vl_place_path("bin", "vialata-latency");
    struct vl_watched_launcher launcher;
    enum vl_exit result = vl_watched_launcher_set(&launcher, "mpirun", 1);
    vl_interrupt_begin();
    if (result != VL_EXIT_OK)
        ;
    else if (program == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (access(program, X_OK) != 0)
        result = vl_say(VL_EXIT_LACK, _("vialata-latency is not built: `./vialata` builds it."));
    else
        result = measure(&measured, &launcher, program);
    vl_interrupt_end();
    if (result == VL_EXIT_OK && vl_argument(arguments, "json") != NULL)
        put_json(&measured);
    else if (result == VL_EXIT_OK)
        put_table(&measured);
    free(program);
    vl_watched_launcher_free(&launcher);
    return result;
}
