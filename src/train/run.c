#include "train/run.h"

#include "base/file.h"
#include "base/text.h"
#include "train/corpus.h"
#include "train/log.h"
#include "train/resume.h"
#include "train/schedule.h"
#include "train/setup.h"

#include "version.h"
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
    struct vl_schedule schedule;
    struct vl_corpus corpus;
    struct vl_model *model;
    struct vl_log log;
    FILE *events;
    int32_t *tokens, *targets; /* (batch, T) each, of this step */
    uint64_t saved_step;       /* the newest step on disk */
    struct vl_problem *problem;
};

/* ---- signals: a flag, looked at between steps ---- */

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
    /* A reader of our events who goes away must not take the unsaved steps along. */
    signal(SIGPIPE, SIG_IGN);
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
                                            .adamw = adamw};
}

/* ---- what is told ---- */

static json_t *describe_run(const struct run *run)
{
    const struct vl_options *o = run->options;
    const struct vl_training_state *s = &run->state;
    json_t *shape =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "layers", (json_int_t)o->shape.layers, "width",
                  (json_int_t)o->shape.width, "heads", (json_int_t)o->shape.heads, "ff",
                  (json_int_t)o->shape.ff, "vocabulary", (json_int_t)o->shape.vocabulary,
                  "sequence", (json_int_t)o->shape.sequence);
    json_t *optimizer = json_pack(
        "{s:s, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "name", "adamw", "peak_learning_rate",
        s->peak_rate, "warmup", (json_int_t)s->warmup, "learning_rate_floor",
        s->peak_rate * VL_SCHEDULE_FLOOR, "beta1", (double)s->adamw.beta1, "beta2",
        (double)s->adamw.beta2, "eps", (double)s->adamw.eps, "weight_decay",
        (double)s->adamw.weight_decay, "max_norm", s->max_norm);
    return json_pack(
        "{s:{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, "
        "s:o, s:o}}",
        "run", "version", VL_VERSION, "commit", VL_COMMIT, "ranks", vl_options_ranks(o), "dp", 1,
        "tp", 1, "pp", 1, "ep", 1, "zero", 0, "schedule", "none", "seed", (json_int_t)s->seed,
        "batch", (json_int_t)s->batch, "steps", (json_int_t)o->steps, "horizon",
        (json_int_t)s->horizon, "resumed_from", (json_int_t)s->step, "data",
        vl_log_text(o->data != NULL ? o->data : "course"), "parameters",
        (json_int_t)vl_model_learner(run->model)->count, "state_bytes",
        (json_int_t)vl_model_state_bytes(run->model), "shape", shape, "optimizer", optimizer);
}

static enum vl_status save(struct run *run)
{
    const char *path = run->options->save;
    if (path == NULL || run->saved_step == run->state.step)
        return VL_OK;
    enum vl_status status = vl_checkpoint_save(path, run->model, &run->state);
    if (status != VL_OK)
        return status == VL_EIO ? vl_problem_writing(run->problem, path)
                                : vl_problem_status(run->problem, status);
    run->saved_step = run->state.step;
    return vl_log_line(
        &run->log,
        json_pack("{s:o, s:I}", "saved", vl_log_text(path), "step", (json_int_t)run->state.step),
        run->problem);
}

/* Before the first step: a place that cannot be written to is known at once and not after an hour.
 */
static enum vl_status prepare_save(struct run *run)
{
    struct vl_file_new trial;
    const char *path = run->options->save;
    int foreign = 0;
    if (path == NULL)
        return VL_OK;
    enum vl_status status = vl_file_begin(&trial, path);
    if (status == VL_OK) {
        vl_file_drop(&trial);
        status = vl_checkpoint_describe(path, &run->options->shape, &foreign);
    }
    if (status != VL_OK)
        return status == VL_EIO ? vl_problem_writing(run->problem, path)
                                : vl_problem_status(run->problem, status);
    if (foreign) {
        struct vl_problem warning;
        vl_problem_set(&warning, VL_OK, "config_foreign",
                       _("The config.json beside %s is not from vialata and stays as it is: other "
                         "tools will not know this model by it."),
                       path);
        if (run->events != NULL)
            vl_log_print_problem(run->events, "warning", &warning);
        else
            fprintf(stderr, "%s\n", warning.message);
    }
    return VL_OK;
}

/* ---- the loop ---- */

static enum vl_status one_step(struct run *run)
{
    struct vl_training_state *s = &run->state;
    const struct vl_shape *shape = &run->options->shape;
    struct vl_adamw settings = s->adamw;
    struct vl_step_result result = {0};
    uint64_t step = s->step + 1;
    double start = seconds_now(), rate = vl_schedule_rate(&run->schedule, step);

    settings.lr = (float)rate;
    vl_corpus_batch(run->tokens, run->targets, &run->corpus, s->seed, step, s->batch,
                    shape->sequence);
    enum vl_status status = vl_model_set_batch(run->model, run->tokens, run->targets, s->batch, 1);
    if (status == VL_OK)
        status = vl_training_step(vl_model_learner(run->model), 1, &settings, (float)s->max_norm,
                                  step, &result);
    if (status != VL_OK)
        return vl_problem_status(run->problem, status);
    if (!isfinite(result.loss) || !isfinite(result.gradient_norm))
        return vl_problem_set(run->problem, VL_EINVAL, "loss_not_finite",
                              _("At step %llu the loss was no longer a number, so the run ends; "
                                "what was saved before stays as it was. Choose a smaller `--lr` or "
                                "a longer `--warmup`."),
                              (unsigned long long)step);
    s->step = step;
    double seconds = seconds_now() - start;
    return vl_log_line(&run->log,
                       json_pack("{s:I, s:f, s:f, s:f, s:f}", "step", (json_int_t)step, "loss",
                                 result.loss, "tokens_per_second",
                                 (double)(s->batch * shape->sequence) / seconds, "gradient_norm",
                                 result.gradient_norm, "learning_rate", rate),
                       run->problem);
}

static enum vl_status loop(struct run *run)
{
    const struct vl_options *o = run->options;
    double start = seconds_now();
    enum vl_status status = vl_log_line(&run->log, describe_run(run), run->problem);
    while (status == VL_OK && run->state.step < o->steps && !asked_to_stop && !run->log.unheard) {
        status = one_step(run);
        if (status == VL_OK && run->state.step % o->save_every == 0)
            status = save(run);
    }
    if (status == VL_OK)
        status = save(run);
    if (status != VL_OK)
        return status;
    const char *why = run->state.step < o->steps ? "signal" : "steps";
    return vl_log_line(&run->log,
                       json_pack("{s:s, s:I, s:f}", "stopped", why, "step",
                                 (json_int_t)run->state.step, "seconds", seconds_now() - start),
                       run->problem);
}

static enum vl_status make_model(struct run *run, const struct vl_checkpoint *checkpoint)
{
    const struct vl_options *o = run->options;
    enum vl_status status = vl_setup_model(&run->model, &o->shape, o->batch, 1, run->problem);
    if (status != VL_OK)
        return status;
    size_t tokens = o->batch * o->shape.sequence;
    run->tokens = malloc(tokens * sizeof *run->tokens);
    run->targets = malloc(tokens * sizeof *run->targets);
    if (run->tokens == NULL || run->targets == NULL)
        return vl_problem_status(run->problem, VL_ENOMEM);
    if (checkpoint != NULL)
        return vl_setup_weights(checkpoint, o->resume, run->model, run->problem);
    vl_model_initialise(run->model, o->seed);
    return VL_OK;
}

static enum vl_status prepare(struct run *run, struct vl_options *options)
{
    struct vl_checkpoint *checkpoint = NULL;
    enum vl_status status = VL_OK;
    if (options->resume != NULL) {
        status = vl_setup_checkpoint(&checkpoint, options->resume, run->problem);
        if (status == VL_OK)
            status = vl_resume_merge(options, checkpoint, run->problem);
    }
    if (status == VL_OK)
        status = vl_corpus_open(&run->corpus, options->data, options->shape.sequence, run->problem);
    if (status == VL_OK && checkpoint != NULL) {
        run->state = *vl_checkpoint_state(checkpoint);
        status = vl_resume_check_text(options, &run->state, run->corpus.fingerprint, run->problem);
    } else if (status == VL_OK) {
        fresh_state(run);
    }
    run->state.text = run->corpus.fingerprint;
    run->schedule = (struct vl_schedule){
        .peak = options->lr, .warmup = options->warmup, .horizon = options->horizon};
    if (status == VL_OK)
        status = make_model(run, checkpoint);
    vl_checkpoint_close(checkpoint);
    if (status == VL_OK)
        status = prepare_save(run);
    return status == VL_OK
               ? vl_log_open(&run->log, options->log, run->events, run->state.step, run->problem)
               : status;
}

enum vl_status vl_run_train(struct vl_options *options, FILE *events, struct vl_problem *problem)
{
    struct run run = {
        .options = options, .events = events, .problem = problem, .saved_step = UINT64_MAX};
    listen_to_signals();
    enum vl_status status = prepare(&run, options);
    if (status == VL_OK)
        status = loop(&run);
    vl_log_close(&run.log);
    vl_corpus_close(&run.corpus);
    vl_model_free(run.model);
    free(run.tokens);
    free(run.targets);
    return status;
}
