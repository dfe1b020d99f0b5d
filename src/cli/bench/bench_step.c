#include "base/number.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"
#include <stdio.h>
#include <unistd.h>

#define SHAPE_COLUMNS 26
#define RATE_COLUMNS  10
#define RATIO_COLUMNS 7

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void put_number(const struct vl_terminal *terminal, int columns, double value, int decimals)
{
    char number[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -columns, vl_number_text(number, value, decimals));
}

/* GF/s of the step, of its products alone, and of one large product; the ratios say how much of the other
 * two the step reaches. */
static void put_table(const json_t *shapes)
{
    struct vl_terminal terminal;
    const json_t *shape;
    size_t i;
    char name[128];
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
        snprintf(name, sizeof name, "L%g D%g H%g T%g B%g V%g", number_at(shape, "layers"),
                 number_at(shape, "width"), number_at(shape, "heads"), number_at(shape, "sequence"),
                 number_at(shape, "batch"), number_at(shape, "vocabulary"));
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, SHAPE_COLUMNS, name);
        put_number(&terminal, RATE_COLUMNS, number_at(shape, "tokens_per_second"), 0);
        put_number(&terminal, RATIO_COLUMNS, number_at(shape, "gflops"), 1);
        put_number(&terminal, RATE_COLUMNS, number_at(shape, "products_gflops"), 1);
        put_number(&terminal, RATIO_COLUMNS, number_at(shape, "of_products"), 2);
        put_number(&terminal, RATE_COLUMNS, number_at(shape, "sgemm_gflops"), 1);
        put_number(&terminal, RATIO_COLUMNS, number_at(shape, "ratio"), 2);
        putchar('\n');
    }
}

static void show(void *context, const json_t *event)
{
    const int *json = context;
    const json_t *shapes = json_object_get(event, "shapes");
    if (shapes == NULL)
        return;
    if (*json) {
        json_dumpf(event, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        put_table(shapes);
    }
}

enum vl_exit vl_bench_show_step(const struct vl_arguments *arguments)
{
    int json = vl_argument(arguments, "json") != NULL;
    if (isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about half a minute."));
    struct vl_job job = {.command = "bench-step", .ranks = 1, .event = show, .context = &json};
    return vl_job_run(&job);
}
