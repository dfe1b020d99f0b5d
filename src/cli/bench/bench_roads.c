#include "base/number.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/figures.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include <stdio.h>
#include <unistd.h>

#define COLUMNS 14

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void put(const struct vl_terminal *terminal, double value, int decimals)
{
    char number[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -COLUMNS, vl_number_text(number, value, decimals));
}

static void put_title(const struct vl_terminal *terminal, const char *title)
{
    vl_terminal_put(terminal, VL_STYLE_BOLD, -COLUMNS, title);
}

/* Data bytes over time: what a user of the collective sees. */
static void put_row(const struct vl_terminal *terminal, const json_t *row)
{
    double bytes = number_at(row, "bytes");
    char size[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -COLUMNS, vl_number_bytes(size, (uint64_t)bytes));
    put(terminal, 1e-6 * bytes / number_at(row, "ring"), 0);
    put(terminal, 1e-6 * bytes / number_at(row, "library"), 0);
    put(terminal, number_at(row, "ratio"), 2);
    put(terminal, 1e3 * number_at(row, "ring"), 2);
    put(terminal, 1e3 * number_at(row, "predicted"), 2);
    putchar('\n');
}

static void put_roads(const json_t *roads)
{
    struct vl_terminal terminal;
    const json_t *road = json_object_get(roads, "road"), *row;
    size_t i;
    char text[512], alpha[VL_NUMBER_TEXT], beta[VL_NUMBER_TEXT], wide[VL_NUMBER_TEXT];
    vl_terminal_open(&terminal, stdout);
    snprintf(text, sizeof text,
             _("alpha = %1$s microseconds per message, beta = %2$s nanoseconds per byte (%3$s "
               "MB/s)."),
             vl_number_text(alpha, 1e6 * number_at(road, "alpha"), 2),
             vl_number_text(beta, 1e9 * number_at(road, "beta"), 3),
             vl_number_text(wide, 1e-6 / number_at(road, "beta"), 0));
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, text);
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0,
                          _("All-reduce on two ranks: MB/s of the ring and of MPI_Allreduce, and "
                            "their ratio; then the milliseconds of the ring, measured and as the "
                            "alpha-beta model predicts them (it assumes that adding costs "
                            "nothing)."));
    put_title(&terminal, _("size"));
    put_title(&terminal, _("ring MB/s"));
    put_title(&terminal, _("MPI MB/s"));
    put_title(&terminal, _("ratio"));
    put_title(&terminal, _("ring ms"));
    put_title(&terminal, _("predicted ms"));
    putchar('\n');
    json_array_foreach(json_object_get(roads, "all_reduce"), i, row) put_row(&terminal, row);
}

static void show(void *context, const json_t *event)
{
    const int *json = context;
    vl_bench_tell(event, "roads", *json, put_roads);
}

enum vl_exit vl_bench_show_roads(const struct vl_arguments *arguments)
{
    int json = vl_argument(arguments, "json") != NULL;
    if (isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about ten seconds."));
    struct vl_job job = {.command = "bench-roads", .ranks = 2, .event = show, .context = &json};
    return vl_job_run(&job);
}
