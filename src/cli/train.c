#include "cli/train.h"

#include "base/text.h"
#include "cli/job.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "train/options.h"

/* Refuse wrong usage here, before anything is started. */
int vl_trainer_ranks(enum vl_trainer_command command, const struct vl_arguments *arguments,
                     struct vl_options *options)
{
    struct vl_problem problem = {.status = VL_OK};
    if (vl_options_parse(options, command, arguments->count, arguments->words, &problem) == VL_OK)
        return vl_options_ranks(options);
    vl_say(VL_EXIT_USAGE, "%s", problem.message);
    return 0;
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_options options;
    struct vl_progress progress;
    int ranks = vl_trainer_ranks(VL_TRAIN, arguments, &options);
    if (ranks == 0)
        return VL_EXIT_USAGE;
    vl_progress_open(&progress, stdout);
    struct vl_job job = {.command = "train",
                         .words = (const char *const *)arguments->words,
                         .count = arguments->count,
                         .ranks = ranks,
                         .ends_cleanly = 1,
                         .event = vl_progress_event,
                         .context = &progress};
    enum vl_exit status = vl_job_run(&job);
    vl_progress_close(&progress);
    if (status == VL_EXIT_OK && options.save == NULL && progress.last > 0)
        vl_say(VL_EXIT_OK, _("The model was not kept: `--save FILE` keeps one."));
    return status;
}

static const struct vl_flag flags[] = {
    {"steps", "N", N_("stop after this step, counted from the very first (300)")},
    {"batch", "N", N_("sequences in the global batch (8)")},
    {"seed", "N", N_("seed of the first weights and of the batches (1)")},
    {"data", "FILE", N_("learn from this text instead of the course's own")},
    {"log", "FILE", N_("write one JSON object a step to this file")},
    {"save", "FILE", N_("keep the model in this file (safetensors)")},
    {"save-every", "N", N_("steps between two saves; the end is always saved (100)")},
    {"resume", "FILE", N_("resume the run that is kept in this file")},
    {"horizon", "N", N_("steps that the learning rate is planned for (300)")},
    {"warmup", "N", N_("steps in which the learning rate rises (60)")},
    {"lr", "X", N_("the highest learning rate (0.001)")},
    {"dp", "N", N_("replicas that share the batch (1)")},
    {"ep", "N", N_("ranks that share the experts, each with a part of the batch (1)")},
    {"zero", "0|1|2|3", N_("share out over them: 1 optimizer state, 2 gradients too, 3 all (0)")},
    {"accumulate", "N", N_("micro-batches of each replica in a step (1)")},
    {"bucket", "BYTES", N_("least bytes of gradients that are sent together (each layer)")},
    {"flat", NULL, N_("send gradients after backward, not while it runs")},
    {"tp", "N", N_("ranks that share the matrices of every layer (1)")},
    {"sequence-parallel", NULL, N_("share the tokens between these matrices too")},
    {"pp", "N", N_("stages of a pipeline, each with some of the layers (1)")},
    {"micro-batches", "N", N_("the same as --accumulate (2 for each stage, 1 without stages)")},
    {"schedule", "NAME|FILE",
     N_("afab, 1f1b, interleaved, zb-h1, or a file with a line a stage (1f1b)")},
    {"chunks", "N", N_("chunks of the model on each stage (1)")},
    {"stage-layers", "N,N,...", N_("layers of each stage or chunk, in order (evenly)")},
    {"recompute", "none|selective|full", N_("forget activations and compute them again (none)")},
    {"meter", NULL, N_("write the bytes sent in every step to the log")},
    {"trace", "FILE", N_("write what every rank did in the last step; `timeline` draws it")},
    {"with", "labs", N_("train on your own code, in each lab that you have finished")},
    {"page", "FILE.html", N_("write a page to keep: layout, curves, and whose code it was")},
    {"layers", "N", N_("layers of the model (4)")},
    {"width", "N", N_("width of the model (128)")},
    {"heads", "N", N_("attention heads (4)")},
    {"ff", "N", N_("width of the feed-forward part (8/3 of the width, rounded up)")},
    {"experts", "E", N_("experts in every layer, beside a shared one; --ff is that of one (0)")},
    {"top-k", "K",
     N_("experts that a token chooses (2); --ff is by default divided by K + 1, rounded up")},
    {"balance", "none|aux|bias", N_("how the load of the experts is kept even (bias)")},
    {"bias-speed", "X", N_("what this bias moves in a step (0.001)")},
    {"aux-alpha", "X", N_("what the auxiliary loss is where load is even (0.01)")},
    {"aux-scope", "global|micro-batch|sequence",
     N_("over which tokens the auxiliary loss counts (global)")},
    {"interference", NULL, N_("write to the log how its gradient stands to the language model's")},
    {"sequence", "N", N_("bytes in a sequence (128)")},
    {0},
};

const struct vl_command vl_command_train = {
    .name = "train",
    .takes = "",
    .summary = N_("Train a model, and follow its loss. Ctrl-C ends after the step and saves."),
    .flags = flags,
    .trainer = 1,
    .run = run,
};
