#include "cli/bench/bench.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include <string.h>

static const struct {
    const char *name;
    enum vl_exit (*show)(const struct vl_arguments *arguments);
} benches[] = {{"step", vl_bench_show_step},
               {"peers", vl_bench_show_peers},
               {"roads", vl_bench_show_roads},
               {"parallel", vl_bench_show_parallel},
               {"mpi", vl_bench_show_mpi}};

static int run(const struct vl_arguments *arguments)
{
    const char *name = arguments->words[0];
    int hosts = vl_argument(arguments, "two-hosts") != NULL;
    int operators = vl_argument(arguments, "operators") != NULL;
    int rate = vl_argument(arguments, "rate") != NULL;
    if (hosts && !operators && strcmp(name, "roads") == 0)
        return vl_bench_show_hosts(arguments);
    if (operators && !hosts && !rate && strcmp(name, "step") == 0)
        return vl_bench_show_operators(arguments);
    if (hosts || operators || rate || vl_argument(arguments, "svg") != NULL)
        return vl_say(
            VL_EXIT_USAGE,
            _("`--two-hosts` and `--rate` belong to `vialata bench roads`, and `--operators` "
              "to `vialata bench step`. `--svg` needs `--two-hosts` or `--operators`."));
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (strcmp(name, benches[i].name) == 0)
            return benches[i].show(arguments);
    return vl_say(VL_EXIT_USAGE,
                  _("`%1$s` is not a benchmark: choose `%2$s`, `%3$s`, `%4$s`, `%5$s` or `%6$s`."),
                  name, benches[0].name, benches[1].name, benches[2].name, benches[3].name,
                  benches[4].name);
}

static const struct vl_flag flags[] = {
    {"json", NULL, N_("the result as JSON, with all digits")},
    {"two-hosts", NULL, N_("roads: on two hosts with a narrow road between them")},
    {"rate", "RATE", N_("two hosts: how wide that road is, as `tc` writes it (1gbit)")},
    {"operators", NULL, N_("step: each operator under the machine's roof")},
    {"svg", "FILE",
     N_("draw a picture too: the timelines (two hosts) or the roofline (operators)")},
    {0},
};

const struct vl_command vl_command_bench = {
    .name = "bench",
    .takes = "step|peers|roads|parallel|mpi",
    .least = 1,
    .most = 1,
    .summary =
        N_("Measure this machine: the training step compared with its matrix product or with "
           "PyTorch's, the roads between ranks, a model on two cores, or what it costs to watch "
           "MPI's calls."),
    .flags = flags,
    .run = run,
};
