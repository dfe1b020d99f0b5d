#include "base/number.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/figures.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WAY_COLUMNS = 34, NUMBER_COLUMNS = 12 };

/* The trainer's word for a way, and what a person reads. */
static const struct {
    const char *way;
    const char *text;
} ways[] = {
    {"alone", N_("one core")},
    {"tp", N_("tensor parallel")},
    {"tp sequence", N_("tensor and sequence parallel")},
    {"pp 1f1b", N_("pipeline, 1F1B")},
    {"pp zb-h1", N_("pipeline, ZB-H1")},
    {"dp", N_("data parallel")},
};

static const char *text_of(const char *way)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (way != NULL && strcmp(ways[i].way, way) == 0)
            return _(ways[i].text);
    return way != NULL ? way : "";
}

static void put_number(const struct vl_terminal *terminal, const json_t *row, const char *key,
                       double scale, int decimals)
{
    char number[VL_NUMBER_TEXT] = "";
    const json_t *value = json_object_get(row, key);
    if (value != NULL)
        vl_number_text(number, scale * json_number_value(value), decimals);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -NUMBER_COLUMNS, number);
}

static void put_table(const json_t *rows)
{
    struct vl_terminal terminal;
    const json_t *row;
    size_t i;
    vl_terminal_open(&terminal, stdout);
    puts(_("L6 D512 H8 T256 V4096, a batch of 8 sequences; two ranks, one core each."));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, WAY_COLUMNS, _("Way"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("tokens/s"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("speed-up"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("idle %"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("predicted"));
    putchar('\n');
    json_array_foreach(rows, i, row)
    {
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, WAY_COLUMNS,
                        text_of(json_string_value(json_object_get(row, "way"))));
        put_number(&terminal, row, "tokens_per_second", 1, 0);
        put_number(&terminal, row, "ratio", 1, 2);
        put_number(&terminal, row, "measured_idle", 100, 1);
        put_number(&terminal, row, "predicted_idle", 100, 1);
        putchar('\n');
    }
    puts(_("Idle: share of total time in which a stage waits. Predicted: by the schedule, with the "
           "measured times of its tasks."));
}

/* Lab 10's planner against what was measured, which shows what the planner leaves out. */
static void put_plan(const json_t *rows)
{
    struct vl_terminal terminal;
    const json_t *row;
    size_t i;
    vl_terminal_open(&terminal, stdout);
    putchar('\n');
    puts(_("The planner of lab 10, given the speed of one core and the road between the two:"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, WAY_COLUMNS, _("Way"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("speed-up"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("planned"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -NUMBER_COLUMNS, _("gap %"));
    putchar('\n');
    json_array_foreach(rows, i, row)
    {
        double ratio = json_number_value(json_object_get(row, "ratio"));
        double planned = json_number_value(json_object_get(row, "planned_ratio"));
        if (planned <= 0.0 || ratio <= 0.0)
            continue;
        char off[VL_NUMBER_TEXT];
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, WAY_COLUMNS,
                        text_of(json_string_value(json_object_get(row, "way"))));
        put_number(&terminal, row, "ratio", 1, 2);
        put_number(&terminal, row, "planned_ratio", 1, 2);
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, -NUMBER_COLUMNS,
                        vl_number_text(off, 100.0 * (planned / ratio - 1.0), 1));
        putchar('\n');
    }
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0,
                          _("The planner ignores four things: embedding and head in the balance of "
                            "the stages, the update, the additions of the ring, and the memory "
                            "bandwidth that two busy cores share."));
}

static void put_all(const json_t *rows)
{
    put_table(rows);
    put_plan(rows);
}

static void show(void *context, const json_t *event)
{
    const int *json = context;
    vl_bench_tell(event, "parallel", *json, put_all);
}

enum vl_exit vl_bench_show_parallel(const struct vl_arguments *arguments)
{
    int json = vl_argument(arguments, "json") != NULL;
    if (isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about a minute and a half."));
    struct vl_job job = {.command = "bench-parallel", .ranks = 2, .event = show, .context = &json};
    return vl_job_run(&job);
}
