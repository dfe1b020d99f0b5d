#include "train/run/run.h"

#include "base/text.h"
#include "comm/meter.h"
#include "comm/span.h"
#include "engine/mesh/mesh.h"
#include "engine/mesh/replicated.h"
#include "train/corpus/corpus.h"
#include "train/log/describe.h"
#include "train/log/log.h"
#include "train/options/options_experts.h"
#include "train/run/keep.h"
#include "train/run/peak.h"
#include "train/run/resume.h"
#include "train/run/schedule.h"
#include "train/run/setup.h"
#include "train/run/stages.h"
#include "train/run/trace.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_NORM 1.0 /* of the global gradient; larger ones are scaled down */

static const struct vl_adamw adamw = {
    .beta1 = 0.9f, .beta2 = 0.95f, .eps = 1e-8f, .weight_decay = 0.1f};

struct run {
    const struct vl_options *options;
    struct vl_training_state state;
    struct vl_rate_schedule schedule;
    struct vl_corpus corpus;
    struct vl_mesh mesh;
    struct vl_stages stages;
    struct vl_replicated part;
    struct vl_peak peak;
    double elsewhere;   /* the share of the ranks that are on other machines */
    size_t first, rows; /* this replica's rows of the batch */
    struct vl_keep_locks locks;
    struct vl_log log;
    FILE *events;              /* of the first rank; the others are silent */
    int32_t *tokens, *targets; /* (batch, T) each, of this step, whole on every rank */
    uint64_t saved_step;       /* the newest step on disk */
    struct vl_problem *problem;
};

/* ---- signals set a flag, which is checked between steps ---- */

static volatile sig_atomic_t asked_to_stop;

static void note_signal(int number)
{
    (void)number;
    asked_to_stop = 1;
}

static void listen_to_signals(void)
{
    static const int ends[] = {SIGUSR1, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    asked_to_stop = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &action, NULL);
    /* The run must not die with unsaved steps because the reader of its events is gone, or a file
     * may not grow: then writing fails, and that is noticed. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fresh_state(struct run *run)
{
    const struct vl_options *o = run->options;
    run->state = (struct vl_training_state){.seed = o->seed,
                                            .batch = o->batch,
                                            .warmup = o->warmup,
                                            .horizon = o->horizon,
                                            .peak_rate = o->lr,
                                            .max_norm = MAX_NORM,
                                            .adamw = adamw,
                                            .bias_speed = vl_options_bias_speed(o),
                                            .aux_alpha = vl_options_auxiliary(o).alpha,
                                            .aux_scope = vl_options_auxiliary(o).scope};
}

/* ---- the loop ---- */

/* Nonzero on all ranks if 'here' is on any. Not metered. */
static int any_rank(const struct run *run, int here)
{
    int anywhere = here;
    if (run->mesh.world != MPI_COMM_NULL)
        PMPI_Allreduce(&here, &anywhere, 1, MPI_INT, MPI_MAX, run->mesh.world);
    return anywhere;
}

/* If any rank failed, all fail; the first of those that failed reports why. */
static enum vl_status agree(const struct run *run, enum vl_status status)
{
    const int nobody = INT_MAX;
    int teller = status == VL_OK ? nobody : run->mesh.rank, first = teller;
    if (run->mesh.world != MPI_COMM_NULL)
        PMPI_Allreduce(&teller, &first, 1, MPI_INT, MPI_MIN, run->mesh.world);
    if (first == nobody)
        return VL_OK;
    run->problem->everywhere = 1;
    if (first != run->mesh.rank)
        vl_problem_silence(run->problem);
    return status != VL_OK ? status : VL_EINTERNAL;
}

static enum vl_status save(struct run *run)
{
    if (run->options->save == NULL || run->saved_step == run->state.step)
        return VL_OK;
    enum vl_status status =
        agree(run, vl_keep_save(run->options, &run->part, &run->state, run->problem));
    if (status != VL_OK)
        return status;
    run->saved_step = run->state.step;
    vl_log_line(&run->log,
                json_pack("{s:o, s:I}", "saved", vl_log_text(run->options->save), "step",
                          (json_int_t)run->state.step),
                run->problem);
    return VL_OK;
}

static enum vl_status compute(struct run *run, struct vl_step_result *result, double rate)
{
    const struct vl_training_state *s = &run->state;
    const struct vl_options *o = run->options;
    size_t sequence = o->shape.sequence;
    struct vl_adamw settings = s->adamw;
    const struct vl_model_batch batch = {run->tokens + run->first * sequence,
                                         run->targets + run->first * sequence, run->rows,
                                         o->accumulate, s->batch};
    settings.lr = (float)rate;
    vl_corpus_batch(run->tokens, run->targets, &run->corpus, s->seed, s->step + 1, s->batch,
                    sequence);
    enum vl_status status = vl_model_set_part(run->part.model, &batch);
    if (status == VL_OK)
        status = vl_replicated_step(&run->part, o->accumulate, &settings, (float)s->max_norm,
                                    s->step + 1, result);
    return status == VL_OK ? VL_OK : vl_problem_status(run->problem, status);
}

static enum vl_status one_step(struct run *run)
{
    struct vl_training_state *s = &run->state;
    struct vl_step_result result = {0};
    uint64_t step = s->step + 1;
    double rate = vl_schedule_rate(&run->schedule, step), start = seconds_now();

    vl_span_clear();
    vl_meter_reset();
    enum vl_status status = compute(run, &result, rate);
    if (status != VL_OK)
        return status;
    /* The same bits on every rank, so all of them find it or none. */
    if (!isfinite(result.loss) || !isfinite(result.gradient_norm)) {
        vl_problem_set(run->problem, VL_EINVAL, "loss_not_finite",
                       _("At step %llu the loss was no longer a number, so the run ends; "
                         "what was saved before stays as it was. Choose a smaller `--lr` or "
                         "a longer `--warmup`."),
                       (unsigned long long)step);
        if (run->mesh.rank > 0)
            vl_problem_silence(run->problem);
        run->problem->everywhere = 1;
        return VL_EINVAL;
    }
    s->step = step;
    vl_log_line(&run->log,
                vl_describe_step(run->options, s, &run->mesh, &run->part, &run->peak, &result, rate,
                                 seconds_now() - start),
                run->problem); /* must_stop looks at a failure */
    return VL_OK;
}

static enum vl_status write_trace(const struct run *run)
{
    const struct vl_options *o = run->options;
    int stages[VL_MOST_RANKS] = {0};
    for (int rank = 0; rank < run->mesh.ranks; rank++) {
        struct vl_mesh other;
        vl_mesh_look(&other, &run->mesh, rank);
        stages[rank] = other.stage;
    }
    const struct vl_trace_pipeline pipeline = {o->schedule, &run->stages.schedule, stages};
    return vl_trace_write(o->trace, run->mesh.world, run->state.step,
                          run->mesh.pp > 1 ? &pipeline : NULL, run->problem);
}

/* Asked between two steps, so that nothing learned is lost. */
static int must_stop(const struct run *run)
{
    return any_rank(run, asked_to_stop || run->log.unheard || run->log.status != VL_OK);
}

/* A log that lost a line ends the run, but what was learned has been saved. */
static enum vl_status tell_end(struct run *run, double seconds)
{
    int early = run->state.step < run->options->steps;
    if (run->log.status == VL_OK)
        vl_log_line(&run->log,
                    json_pack("{s:s, s:I, s:f}", "stopped", early ? "signal" : "steps", "step",
                              (json_int_t)run->state.step, "seconds", seconds),
                    run->problem);
    if (run->log.status != VL_OK && run->options->save != NULL && early)
        vl_problem_saved(run->problem, run->options->save, run->state.step);
    return agree(run, run->log.status);
}

static enum vl_status loop(struct run *run)
{
    const struct vl_options *o = run->options;
    double start = seconds_now();
    json_t *about =
        vl_describe_run(o, &run->state, &run->mesh, &run->stages, &run->part, &run->peak);
    enum vl_status status = agree(run, vl_log_line(&run->log, about, run->problem));
    int stop = 0;
    while (status == VL_OK && run->state.step < o->steps && !stop) {
        status = one_step(run);
        if (status == VL_OK && run->state.step % o->save_every == 0)
            status = save(run);
        if (status == VL_OK)
            stop = must_stop(run);
    }
    if (status == VL_OK)
        status = save(run);
    if (status == VL_OK && o->trace != NULL)
        status = agree(run, write_trace(run));
    return status == VL_OK ? tell_end(run, seconds_now() - start) : status;
}

/* ---- before the first step ---- */

static enum vl_status find_part(struct run *run)
{
    const struct vl_options *o = run->options;
    const struct vl_sharing how = {.mesh = &run->mesh,
                                   .zero = (int)o->zero,
                                   .overlap = !o->flat,
                                   .bucket_bytes = o->bucket_bytes,
                                   .node_replicas = (int)o->node_replicas,
                                   .recompute = vl_options_recompute(o),
                                   .sequence_parallel = o->sequence_parallel,
                                   .schedule = &run->stages.schedule,
                                   .borders = run->stages.borders,
                                   .experts = o->experts,
                                   .bias_speed = run->state.bias_speed,
                                   .auxiliary = vl_options_auxiliary(o)};
    size_t replicas = (size_t)vl_options_replicas(o);
    size_t most = ((size_t)o->batch + replicas - 1) / replicas;
    const struct vl_setup_load load = {.rows = (most + o->accumulate - 1) / o->accumulate,
                                       .live = run->stages.live,
                                       .replicas = replicas,
                                       .expert_ranks = o->expert_ranks,
                                       .zero = (int)o->zero,
                                       .tensor = o->tensor,
                                       .stages = o->stages,
                                       .recompute = how.recompute,
                                       .elsewhere = run->elsewhere};
    enum vl_status status = vl_setup_check_memory(&o->shape, &o->experts, &load, run->problem);
    if (status != VL_OK)
        return status;
    status = vl_replicated_create(&run->part, &o->shape, load.rows, &how);
    if (status == VL_OK)
        status = vl_replica_rows(&run->first, &run->rows, (size_t)o->batch, run->mesh.replica,
                                 run->mesh.dp);
    return status == VL_OK ? VL_OK : vl_problem_status(run->problem, status);
}

static enum vl_status make_buffers(struct run *run)
{
    const struct vl_options *o = run->options;
    size_t tokens = (size_t)o->batch * o->shape.sequence;
    run->tokens = malloc(tokens * sizeof *run->tokens);
    run->targets = malloc(tokens * sizeof *run->targets);
    if (run->tokens == NULL || run->targets == NULL)
        return vl_problem_status(run->problem, VL_ENOMEM);
    if (o->trace != NULL && vl_span_record(VL_TRACE_SPANS) != VL_OK)
        return vl_problem_status(run->problem, VL_ENOMEM);
    return VL_OK;
}

/* Ranks that can share memory are on one machine. */
static void count_elsewhere(struct run *run, MPI_Comm comm)
{
    MPI_Comm machine;
    int here, all;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_size(comm, &all);
    MPI_Comm_free(&machine);
    run->elsewhere = 1 - (double)here / all;
}

/* What each rank prepares by itself. */
static enum vl_status prepare_alone(struct run *run, struct vl_options *options,
                                    struct vl_checkpoint **checkpoint)
{
    enum vl_status status = VL_OK;
    if (options->resume != NULL) {
        status = vl_setup_checkpoint(checkpoint, options->resume, run->problem);
        if (status == VL_OK)
            status = vl_resume_merge(options, *checkpoint, run->problem);
    }
    if (status == VL_OK)
        status = vl_corpus_open(&run->corpus, options->data, options->shape.sequence, run->problem);
    if (status == VL_OK && *checkpoint != NULL) {
        run->state = *vl_checkpoint_state(*checkpoint);
        status = vl_resume_check_text(options, &run->state, run->corpus.fingerprint, run->problem);
    } else if (status == VL_OK) {
        fresh_state(run);
    }
    run->state.text = run->corpus.fingerprint;
    run->schedule = (struct vl_rate_schedule){
        .peak = options->lr, .warmup = options->warmup, .horizon = options->horizon};
    if (status == VL_OK)
        status = vl_stages_create(&run->stages, options, run->problem);
    if (status == VL_OK)
        status = find_part(run);
    if (status == VL_OK)
        status = make_buffers(run);
    if (status == VL_OK && *checkpoint != NULL)
        status = vl_keep_load(&run->part, *checkpoint, options->resume, run->problem);
    if (status == VL_OK && run->mesh.rank == 0)
        status = vl_keep_prepare(&run->locks, options, run->events, run->problem);
    if (status == VL_OK && run->mesh.rank == 0)
        status = vl_log_open(&run->log, options->log, run->events, run->state.step, run->problem);
    return status;
}

static enum vl_status prepare(struct run *run, struct vl_options *options)
{
    struct vl_checkpoint *checkpoint = NULL;
    enum vl_status status = agree(run, prepare_alone(run, options, &checkpoint));
    vl_checkpoint_close(checkpoint);
    if (status != VL_OK)
        return status;
    status = vl_peak_measure(&run->peak, run->mesh.world, &options->shape, &options->experts);
    if (status == VL_OK && options->resume == NULL)
        status = vl_replicated_initialise(&run->part, options->seed);
    return status == VL_OK ? VL_OK : vl_problem_status(run->problem, status);
}

enum vl_status vl_run_train(struct vl_options *options, MPI_Comm comm, FILE *events,
                            struct vl_problem *problem)
{
    struct run run = {
        .options = options, .events = events, .problem = problem, .saved_step = UINT64_MAX};
    enum vl_status status = vl_mesh_create(&run.mesh, comm, (int)vl_options_replicas(options),
                                           (int)options->stages, (int)options->tensor);
    /* The checkpoint is not open yet, so it may have experts. */
    if (status == VL_OK && (options->experts.experts > 0 || options->resume != NULL))
        status = vl_mesh_share_experts(&run.mesh, (int)options->expert_ranks);
    if (status != VL_OK)
        return vl_problem_status(problem, status);
    listen_to_signals();
    count_elsewhere(&run, comm);
    status = prepare(&run, options);
    if (status == VL_OK)
        status = loop(&run);
    vl_log_close(&run.log);
    vl_keep_release(&run.locks);
    vl_corpus_close(&run.corpus);
    vl_replicated_free(&run.part);
    vl_stages_free(&run.stages);
    vl_span_record(0);
    free(run.tokens);
    free(run.targets);
    vl_mesh_free(&run.mesh);
    return status;
}
