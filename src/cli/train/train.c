#include "cli/train/train.h"

#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/run/job.h"
#include "cli/run/with_labs.h"
#include "cli/shared/progress.h"
#include "cli/shared/say.h"
#include "cli/train/launch.h"
#include "report/training/training_page.h"
#include "report/verdict/replay.h"
#include "sandbox/interrupt.h"
#include "train/options/options_parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Refuse wrong usage here, before anything is started. */
int vl_trainer_ranks(enum vl_trainer_command command, const struct vl_arguments *arguments,
                     struct vl_options *options)
{
    struct vl_problem problem = {.status = VL_OK};
    if (vl_options_parse(options, command, arguments->count, arguments->words, &problem) == VL_OK &&
        options->labs_from == NULL)
        return vl_options_ranks(options);
    if (options->labs_from != NULL) /* only this program may give it: it states whose code runs */
        vl_problem_set(&problem, VL_EINVAL, "option_unknown",
                       _("`vialata %1$s` does not know `%2$s`: `vialata %1$s --help` lists what "
                         "it takes."),
                       "train", "--labs-from");
    vl_say(VL_EXIT_USAGE, "%s", problem.message);
    return 0;
}

/* ---- one run ---- */

struct training {
    struct vl_options options;
    struct vl_progress progress;
    struct vl_with_labs with;
    struct vl_training_page page;
    bool has_ended; /* the trainer has told its end */
};

static void follow(void *context, const json_t *event)
{
    struct training *training = context;
    /* All ranks run by now and no longer need the program's file. Removing it here leaves nothing
     * behind, however the run ends. */
    if (json_object_get(event, "run") != NULL)
        vl_assembly_remove(&training->with.assembly);
    if (json_object_get(event, "stopped") != NULL)
        training->has_ended = true;
    if (vl_interrupt_seen())
        vl_interrupt_end(); /* a signal that the job does not catch, such as a closed pipe */
    vl_progress_event(&training->progress, event);
    if (training->options.page != NULL)
        vl_training_page_event(&training->page, event);
}

/* The caller frees it. */
static char *labs_text(const struct vl_with_labs *with)
{
    json_t *all = vl_with_labs_json(with);
    char *text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    return text;
}

static enum vl_exit start(struct training *training, const struct vl_arguments *arguments)
{
    char *labs = training->options.with != NULL ? labs_text(&training->with) : NULL;
    const char **words = calloc((size_t)arguments->count + 2, sizeof *words);
    struct vl_job job = {.command = "train",
                         .program = training->with.assembly.program,
                         .words = words,
                         .count = arguments->count,
                         .ranks = vl_options_ranks(&training->options),
                         .ends_cleanly = 1,
                         .event = follow,
                         .context = training};
    struct vl_words launch = {0};
    enum vl_exit status = VL_EXIT_FAULT;
    if (words == NULL || (labs == NULL && training->options.with != NULL)) {
        vl_say(status, "%s", vl_status_text(VL_ENOMEM));
    } else {
        for (int i = 0; i < arguments->count; i++)
            words[i] = arguments->words[i];
        if (labs != NULL) {
            words[job.count++] = "--labs-from";
            words[job.count++] = labs;
        }
        status = vl_launch_set(&job, &launch, &training->options);
        if (status == VL_EXIT_OK)
            status = vl_job_run(&job);
        if (status == VL_EXIT_OK && !training->has_ended) /* srun has 0 for a node that failed */
            status = vl_say(VL_EXIT_FAULT, _("The ranks ended before the run did: a node may have "
                                             "failed. What they last said is above."));
    }
    vl_words_free(&launch);
    free(words);
    free(labs);
    return status;
}

/* ---- the page to keep ---- */

/* The command line that runs it again. */
static char *command_text(const struct vl_arguments *arguments)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return NULL;
    fputs("./vialata train", stream);
    for (int i = 0; i < arguments->count; i++) {
        fputc(' ', stream);
        vl_shell_word_show(stream, arguments->words[i]);
    }
    return fclose(stream) == 0 ? text : NULL;
}

/* Written however the run ended, if it made a step. */
static enum vl_exit write_page(const struct training *training,
                               const struct vl_arguments *arguments)
{
    struct vl_training_lab labs[VL_WITH_LABS_MOST];
    const struct vl_with_labs *with = &training->with;
    const char *path = training->options.page;
    for (size_t i = 0; i < with->count; i++)
        labs[i] = (struct vl_training_lab){.number = with->labs[i].lab->number,
                                           .title = _(with->labs[i].lab->title),
                                           .whose = vl_with_labs_whose(&with->labs[i]),
                                           .reason = with->labs[i].reason};
    char *command = command_text(arguments);
    enum vl_status status =
        command != NULL ? vl_training_page_write(&training->page, path, command, labs, with->count)
                        : VL_ENOMEM;
    int why = errno;
    free(command);
    errno = why;
    if (status != VL_OK)
        return vl_say(VL_EXIT_LACK,
                      status == VL_EIO && vl_file_lacks_space(errno)
                          ? _("The page %1$s could not be written: %2$s. Make room, or choose "
                              "another name after `--page`.")
                          : _("The page %1$s could not be written: %2$s."),
                      path, status == VL_EIO ? strerror(errno) : vl_status_text(status));
    vl_terminal_sentence(&training->progress.terminal, VL_STYLE_PLAIN,
                         _("A page you can keep: %s (any browser opens it)."), path);
    return VL_EXIT_OK;
}

/* ---- the whole ---- */

/* A trainer linked elsewhere does not find its tree by its own path. */
static void name_place(void)
{
    char *place = vl_place_path("bin", "..");
    if (place != NULL)
        setenv("VIALATA_PLACE", place, 1);
    free(place);
}

static const struct vl_with_program trainer = {
    .target = &vl_target_trainer,
    .kernels = true,
    .heading = N_("Whose code trains, lab by lab:"),
    .building = N_("Putting yours into the trainer ..."),
    .broken = N_("Lab %1$02d (%2$s) passed, but it does not compile any more, so nothing was "
                 "trained. Grade it again with `vialata grade %1$02d`, or drop `--with labs`."),
    .unlinked = N_("Your labs passed one by one, but they could not be linked together, so "
                   "nothing was trained. Do two of them define one name that begins with `vl_`? "
                   "Make one of the two `static`, or give it another name, and grade that lab "
                   "again.")};

static enum vl_exit prepare_labs(struct training *training)
{
    const struct vl_terminal *terminal = &training->progress.terminal;
    vl_with_labs_decide(&training->with, &trainer);
    vl_with_labs_tell(&training->with, terminal);
    name_place();
    return vl_with_labs_build(&training->with, terminal);
}

static int run(const struct vl_arguments *arguments)
{
    struct training training = {.options = {0}};
    if (vl_trainer_ranks(VL_TRAIN, arguments, &training.options) == 0)
        return VL_EXIT_USAGE;
    const int with_labs = training.options.with != NULL;
    vl_progress_open(&training.progress, stdout);
    if (with_labs)
        vl_interrupt_begin();
    enum vl_exit status = with_labs ? prepare_labs(&training) : VL_EXIT_OK;
    if (status == VL_EXIT_OK && !vl_interrupt_seen())
        status = start(&training, arguments);
    vl_with_labs_free(&training.with);
    if (with_labs)
        vl_interrupt_end();
    vl_progress_close(&training.progress);
    if (training.page.count > 0) {
        enum vl_exit page = write_page(&training, arguments);
        status = status == VL_EXIT_OK ? page : status;
    }
    vl_training_page_free(&training.page);
    if (status == VL_EXIT_OK && training.options.save == NULL && training.progress.last > 0)
        vl_say(VL_EXIT_OK, _("The model was not kept: `--save FILE` keeps one."));
    return status;
}

const struct vl_command vl_command_train = {
    .name = "train",
    .takes = "",
    .summary = N_("Train a model, and follow its loss. Ctrl-C ends after the step and saves."),
    .trainer = VL_TRAIN,
    .run = run,
};
