/*
 * `vialata bench step --operators`: the roofline of a step, as a table and as a picture.
 */
#include "base/number.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/figures.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include "report/draw/roofline_picture.h"
#include "report/draw/terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_COLUMNS 29
#define COLUMNS      9
#define PICTURES     4
#define REST         "rest" /* what the trainer calls it */

/* What was asked, and what the trainer has told. */
struct told {
    int json;
    const char *svg;
    enum vl_exit result;
};

/* ---- the table ---- */

static void put_head(const struct vl_terminal *terminal)
{
    const char *const heads[] = {"ms", _("of step"), "MFLOP", _("MB"), _("FLOP/B"), _("of roof")};
    vl_terminal_put(terminal, VL_STYLE_BOLD, NAME_COLUMNS, _("operator"));
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        vl_terminal_put(terminal, VL_STYLE_BOLD, -COLUMNS, heads[i]);
    putchar('\n');
}

static void put_share(const struct vl_terminal *terminal, double share, int decimals)
{
    char number[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -COLUMNS, vl_number_percent(number, share, decimals));
}

/* The rest has a time and no formula. */
static void put_row(const struct vl_terminal *terminal, const json_t *row, double step)
{
    const char *name = json_string_value(json_object_get(row, "operator"));
    int rest = name != NULL && strcmp(name, REST) == 0;
    vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS,
                    rest           ? _("the rest")
                    : name != NULL ? name
                                   : "");
    vl_bench_put(terminal, COLUMNS, 1e3 * vl_bench_number(row, "seconds"), 2);
    put_share(terminal, vl_bench_number(row, "seconds") / step, 1);
    if (!rest) {
        vl_bench_put(terminal, COLUMNS, 1e-6 * vl_bench_number(row, "flops"), 1);
        vl_bench_put(terminal, COLUMNS, 1e-6 * vl_bench_number(row, "bytes"), 1);
        vl_bench_put(terminal, COLUMNS, vl_bench_number(row, "intensity"), 2);
        put_share(terminal, vl_bench_number(row, "share"), 0);
    }
    putchar('\n');
}

static void put_shape(const struct vl_terminal *terminal, const json_t *shape)
{
    char name[VL_BENCH_SHAPE_NAME], step[VL_NUMBER_TEXT], sgemm[VL_NUMBER_TEXT],
        memory[VL_NUMBER_TEXT], ridge[VL_NUMBER_TEXT], flops[VL_NUMBER_TEXT],
        counted[VL_NUMBER_TEXT];
    double seconds = vl_bench_number(shape, "seconds"),
           gflops = vl_bench_number(shape, "sgemm_gflops"),
           gbytes = vl_bench_number(shape, "memory_gb_per_second");
    const json_t *row;
    size_t i;
    vl_bench_shape_name(name, shape);
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         /* TRANSLATORS: a model's shape, then numbers */
                         _("%1$s: a step takes %2$s ms. The roof is %3$s GFLOP/s (sgemm) or %4$s "
                           "GB/s (memory), whichever allows less: below %5$s FLOPs per byte memory "
                           "is the limit."),
                         name, vl_number_text(step, 1e3 * seconds, 1),
                         vl_number_text(sgemm, gflops, 1), vl_number_text(memory, gbytes, 1),
                         vl_number_text(ridge, gflops / gbytes, 1));
    put_head(terminal);
    json_array_foreach(json_object_get(shape, "operators"), i, row) put_row(terminal, row, seconds);
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        _("All operators together do %1$s GFLOP. `vl_flops_per_token` counts "
          "%2$s GFLOP: all of attention, masked or not, and only products."),
        vl_number_text(flops, 1e-9 * vl_bench_number(shape, "flops"), 2),
        vl_number_text(counted, 1e-9 * vl_bench_number(shape, "counted_flops"), 2));
}

static void put_table(const json_t *shapes)
{
    struct vl_terminal terminal;
    const json_t *shape;
    size_t i;
    vl_terminal_open(&terminal, stdout);
    json_array_foreach(shapes, i, shape)
    {
        if (i > 0)
            putchar('\n');
        put_shape(&terminal, shape);
    }
}

/* ---- the picture ---- */

static void fill_part(struct vl_roofline *part, const char *title, const json_t *shape)
{
    const json_t *row;
    size_t i;
    *part = (struct vl_roofline){.title = title,
                                 .gflops = vl_bench_number(shape, "sgemm_gflops"),
                                 .gbytes = vl_bench_number(shape, "memory_gb_per_second")};
    json_array_foreach(json_object_get(shape, "operators"), i, row)
    {
        double seconds = vl_bench_number(row, "seconds");
        const struct vl_roofline_point point = {
            .name = json_string_value(json_object_get(row, "operator")),
            .intensity = vl_bench_number(row, "intensity"),
            .gflops = seconds > 0 ? 1e-9 * vl_bench_number(row, "flops") / seconds : 0,
            .share = vl_bench_number(row, "share")};
        vl_roofline_add(part, &point);
    }
}

static enum vl_exit write_svg(const char *path, const json_t *shapes)
{
    struct vl_roofline *parts = calloc(PICTURES, sizeof *parts);
    char titles[PICTURES][128], *svg = NULL;
    size_t count = json_array_size(shapes) < PICTURES ? json_array_size(shapes) : PICTURES;
    enum vl_status status = parts != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        const json_t *shape = json_array_get(shapes, i);
        vl_bench_shape_name(titles[i], shape);
        fill_part(&parts[i], titles[i], shape);
    }
    if (status == VL_OK)
        status = vl_roofline_svg(&svg, parts, count);
    enum vl_exit result = vl_write_text(path, status, svg);
    free(svg);
    free(parts);
    return result;
}

static void show(void *context, const json_t *event)
{
    struct told *told = context;
    const json_t *shapes = json_object_get(event, "roofline");
    if (shapes == NULL)
        return;
    if (told->json) {
        json_dumpf(event, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        put_table(shapes);
    }
    if (told->svg != NULL)
        told->result = write_svg(told->svg, shapes);
}

enum vl_exit vl_bench_show_operators(const struct vl_arguments *arguments)
{
    struct told told = {.json = vl_argument(arguments, "json") != NULL,
                        .svg = vl_argument(arguments, "svg"),
                        .result = VL_EXIT_OK};
    if (isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about half a minute."));
    struct vl_job job = {.command = "bench-operators", .ranks = 1, .event = show, .context = &told};
    enum vl_exit result = vl_job_run(&job);
    return result == VL_EXIT_OK ? told.result : result;
}
