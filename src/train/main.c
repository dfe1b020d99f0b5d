/*
 * vialata-trainer: train | eval | sample | bench-..., started by `vialata` under mpirun with the
 * ranks the layout needs. Its results and, with --events, its problems are JSON lines on standard
 * output; the program that started it shows them to the person.
 */
#include "base/place.h"
#include "base/text.h"
#include "train/bench/bench.h"
#include "train/kernels.h"
#include "train/log/log.h"
#include "train/options/options_parse.h"
#include "train/run/evaluate.h"
#include "train/run/run.h"
#include "train/run/sample.h"

#include <cblas.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void start_language(void)
{
    vl_place_start(); /* if it fails, the machine's own locales are used */
    char *share = vl_place_path("share", NULL);
    const char *wanted = getenv("VIALATA_LANG");
    vl_text_start(wanted != NULL && wanted[0] != '\0' ? wanted : NULL, share);
    free(share);
}

/* One thread per rank: more would compete with other ranks, and change the order of sums. */
static void choose_threads(void)
{
    const char *wanted = getenv("VIALATA_BLAS_THREADS");
    int threads = wanted != NULL ? atoi(wanted) : 1;
    openblas_set_num_threads(threads > 0 ? threads : 1);
}

static enum vl_status run_train(struct vl_options *options, struct vl_problem *problem)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *events = options->events && rank == 0 ? stdout : NULL;
    return vl_run_train(options, MPI_COMM_WORLD, events, problem);
}

static json_t *list_of(const double *values, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_real(values[i]));
    return list;
}

static void add_loads(json_t *told, const struct vl_evaluation *found)
{
    json_t *loads = json_array();
    for (size_t layer = 0; layer < found->layers; layer++)
        json_array_append_new(loads,
                              list_of(found->loads + layer * found->experts, found->experts));
    json_object_set_new(told, "max_violation", list_of(found->violation, found->layers));
    json_object_set_new(told, "loads", loads);
}

static enum vl_status run_eval(struct vl_options *options, struct vl_problem *problem)
{
    struct vl_evaluation found;
    enum vl_status status = vl_evaluate(&found, options, problem);
    if (status == VL_OK) {
        json_t *told = json_pack("{s:f, s:I, s:I}", "loss", found.loss, "windows",
                                 (json_int_t)found.windows, "bytes", (json_int_t)found.bytes);
        if (found.loads != NULL)
            add_loads(told, &found);
        vl_log_print(stdout, told);
    }
    vl_evaluation_free(&found);
    return status;
}

static enum vl_status run_sample(struct vl_options *options, struct vl_problem *problem)
{
    return vl_sample(options, stdout, problem);
}

static const struct {
    const char *name;
    enum vl_trainer_command command;
    enum vl_status (*run)(struct vl_options *options, struct vl_problem *problem);
} commands[] = {
    {"train", VL_TRAIN, run_train},
    {"eval", VL_EVAL, run_eval},
    {"sample", VL_SAMPLE, run_sample},
};

/* Every rank has the same arguments and refuses them: all end, and only the first says why. */
static enum vl_status refuse_together(struct vl_problem *problem, int rank)
{
    problem->everywhere = 1;
    if (rank > 0)
        vl_problem_silence(problem);
    return problem->status;
}

static enum vl_status refuse_ranks(struct vl_problem *problem, int wanted, int ranks,
                                   const char *command)
{
    return vl_problem_set(problem, VL_EINVAL, "ranks",
                          _("This layout and the number of ranks do not fit: it needs %1$d, and "
                            "%2$d were started. Start it with `vialata %3$s`, which chooses the "
                            "number itself."),
                          wanted, ranks, command);
}

static enum vl_status obey(struct vl_options *options, int argc, char **argv, int rank, int ranks,
                           struct vl_problem *problem)
{
    if (argc > 1 && vl_bench_is_known(argv[1]))
        return vl_bench_run(argv[1], argc > 2 ? argv[argc - 1] : "", MPI_COMM_WORLD, problem);
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        if (vl_options_parse(options, commands[i].command, argc - 2, argv + 2, problem) != VL_OK)
            return refuse_together(problem, rank);
        if (ranks != vl_options_ranks(options)) {
            refuse_ranks(problem, vl_options_ranks(options), ranks, argv[1]);
            return refuse_together(problem, rank);
        }
        return commands[i].run(options, problem);
    }
    vl_problem_set(problem, VL_EINVAL, "command_unknown",
                   _("vialata-trainer is started by `vialata train`, `eval`, `sample` or "
                     "`bench`: use one of these."));
    return refuse_together(problem, rank);
}

/* A wrong option must be reported as an event too, so this is looked up before parsing. */
static bool wants_events(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--events") == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 1;
    struct vl_options options = {0};
    struct vl_problem problem = {.status = VL_OK};
    if (vl_kernels_take != NULL)
        vl_kernels_take(argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    start_language();
    choose_threads();
    enum vl_status status = obey(&options, argc, argv, rank, ranks, &problem);
    if (status != VL_OK && problem.message[0] != '\0') {
        if (wants_events(argc, argv))
            vl_log_print_problem(stdout, "error", &problem);
        else
            fprintf(stderr, "%s\n", problem.message);
    }
    if (status != VL_OK && !problem.everywhere && ranks > 1) /* the others wait for this one */
        MPI_Abort(MPI_COMM_WORLD, vl_problem_exit(&problem));
    vl_place_end();
    MPI_Finalize();
    return vl_problem_exit(&problem);
}
