#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/figures.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include <stdio.h>
#include <unistd.h>

#define SHAPE_COLUMNS 26
#define RATE_COLUMNS  10
#define RATIO_COLUMNS 7

/* GF/s of the step, of its products alone, and of one large product; the ratios say how much of the other
 * two the step reaches. */
static void put_table(const json_t *shapes)
{
    struct vl_terminal terminal;
    const json_t *shape;
    size_t i;
    char name[VL_BENCH_SHAPE_NAME];
    vl_terminal_open(&terminal, stdout);
    vl_terminal_put(&terminal, VL_STYLE_BOLD, SHAPE_COLUMNS, _("Shape"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATE_COLUMNS, _("tokens/s"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATIO_COLUMNS, "GF/s");
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATE_COLUMNS, _("products"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATIO_COLUMNS, _("ratio"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATE_COLUMNS, "sgemm");
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATIO_COLUMNS, _("ratio"));
    putchar('\n');
    json_array_foreach(shapes, i, shape)
    {
        vl_bench_shape_name(name, shape);
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, SHAPE_COLUMNS, name);
        vl_bench_put(&terminal, RATE_COLUMNS, vl_bench_number(shape, "tokens_per_second"), 0);
        vl_bench_put(&terminal, RATIO_COLUMNS, vl_bench_number(shape, "gflops"), 1);
        vl_bench_put(&terminal, RATE_COLUMNS, vl_bench_number(shape, "products_gflops"), 1);
        vl_bench_put(&terminal, RATIO_COLUMNS, vl_bench_number(shape, "of_products"), 2);
        vl_bench_put(&terminal, RATE_COLUMNS, vl_bench_number(shape, "sgemm_gflops"), 1);
        vl_bench_put(&terminal, RATIO_COLUMNS, vl_bench_number(shape, "ratio"), 2);
        putchar('\n');
    }
}

static void show(void *context, const json_t *event)
{
    const int *json = context;
    vl_bench_tell(event, "shapes", *json, put_table);
}

enum vl_exit vl_bench_show_step(const struct vl_arguments *arguments)
{
    int json = vl_argument(arguments, "json") != NULL;
    if (isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about half a minute."));
    struct vl_job job = {.command = "bench-step", .ranks = 1, .event = show, .context = &json};
    return vl_job_run(&job);
}
