/* `vialata bench peers`: our training step compared with PyTorch's, if this machine has PyTorch. */
#include "base/path.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/figures.h"
#include "cli/mpi/tool_output.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHAPE_COLUMNS 26
#define RATE_COLUMNS  11
#define RATIO_COLUMNS 8

static void put_table(const json_t *shapes)
{
    struct vl_terminal terminal;
    const json_t *shape;
    size_t i;
    char name[VL_BENCH_SHAPE_NAME];
    vl_terminal_open(&terminal, stdout);
    vl_terminal_sentence(
        &terminal, VL_STYLE_PLAIN,
        _("One core, float32; tokens per second and GFLOP/s of Vialata, then of PyTorch %s. Both "
          "learn the same batch from the same weights, and their losses agree."),
        json_string_value(json_object_get(json_array_get(shapes, 0), "version")));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, SHAPE_COLUMNS, _("Shape"));
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATE_COLUMNS, "Vialata");
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATIO_COLUMNS, "GF/s");
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATE_COLUMNS, "PyTorch");
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATIO_COLUMNS, "GF/s");
    vl_terminal_put(&terminal, VL_STYLE_BOLD, -RATIO_COLUMNS, _("ratio"));
    putchar('\n');
    json_array_foreach(shapes, i, shape)
    {
        vl_bench_shape_name(name, shape);
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, SHAPE_COLUMNS, name);
        vl_bench_put(&terminal, RATE_COLUMNS, vl_bench_number(shape, "tokens_per_second"), 0);
        vl_bench_put(&terminal, RATIO_COLUMNS, vl_bench_number(shape, "gflops"), 1);
        vl_bench_put(&terminal, RATE_COLUMNS, vl_bench_number(shape, "peer_tokens_per_second"), 0);
        vl_bench_put(&terminal, RATIO_COLUMNS, vl_bench_number(shape, "peer_gflops"), 1);
        vl_bench_put(&terminal, RATIO_COLUMNS, vl_bench_number(shape, "ratio"), 2);
        putchar('\n');
    }
}

static void show(void *context, const json_t *event)
{
    const int *json = context;
    vl_bench_tell(event, "peers", *json, put_table);
}

static bool has_torch(char *python)
{
    char *const words[] = {python, (char *)"-c", (char *)"import torch; print(torch.__version__)",
                           NULL};
    char *version = python != NULL ? vl_tool_output(words) : NULL;
    bool has = version != NULL && version[0] != '\0';
    free(version);
    return has;
}

/* The first Python in PATH, or the system's own; fresh. NULL if neither has PyTorch. */
static char *find_python(void)
{
    static const char *const names[] = {"python3", "/usr/bin/python3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *python = vl_path_program(names[i]);
        if (has_torch(python))
            return python;
        free(python);
    }
    return NULL;
}

enum vl_exit vl_bench_show_peers(const struct vl_arguments *arguments)
{
    int json = vl_argument(arguments, "json") != NULL;
    char *python = find_python();
    if (python == NULL)
        return vl_say(VL_EXIT_LACK,
                      _("No Python here has PyTorch, so there is nothing to compare with: install "
                        "Debian's `python3-torch`, or put a Python that has it first in `PATH`."));
    if (isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about a minute."));
    const char *const words[] = {python};
    struct vl_job job = {.command = "bench-peers",
                         .words = words,
                         .count = 1,
                         .ranks = 1,
                         .event = show,
                         .context = &json};
    enum vl_exit result = vl_job_run(&job);
    free(python);
    return result;
}
