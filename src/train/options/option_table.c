#include "train/options/option_table.h"

#include "base/text.h"
#include "engine/schedule/schedule_text.h"

#include <string.h>

/* Largest seed and step: exact in every program that reads the log, JavaScript included. */
#define EXACT 9007199254740992.0

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts of both types are read the same way");

/* How an option is read follows from the type of its field. */
#define KIND_OF(field)                                                                             \
    _Generic(((struct vl_options *)NULL)->field,                                                   \
        unsigned long: VL_OPTION_COUNT,                                                            \
        unsigned long long: VL_OPTION_COUNT,                                                       \
        double: VL_OPTION_REAL,                                                                    \
        const char *: VL_OPTION_TEXT,                                                              \
        bool: VL_OPTION_SWITCH)
#define FIELD(field)               .kind = KIND_OF(field), .offset = offsetof(struct vl_options, field)
#define BETWEEN(smallest, largest) .least = (smallest), .most = (largest)
#define TRAIN(sentence)            .help[VL_TRAIN] = (sentence)
#define EVAL(sentence)             .help[VL_EVAL] = (sentence)
#define SAMPLE(sentence)           .help[VL_SAMPLE] = (sentence)

/* clang-format off: two lines for each option, what it is and what it does. */
const struct vl_option_rule vl_option_rules[] = {
    /* ---- eval and sample ---- */
    {"--checkpoint", "FILE", FIELD(checkpoint), EVAL(N_("the model, as `train --save` wrote it")),
     SAMPLE(N_("the model, as `train --save` wrote it"))},
    {"--prompt", "TEXT", FIELD(prompt), SAMPLE(N_("the text that the model continues"))},
    {"--bytes", "N", FIELD(bytes), BETWEEN(1, 1e6), SAMPLE(N_("how many bytes to write (300)"))},
    {"--temperature", "X", FIELD(temperature), BETWEEN(0, 100),
     SAMPLE(N_("0 takes the likeliest byte each time; higher values take more risks (0.8)"))},

    /* ---- train: the run ---- */
    {"--steps", "N", FIELD(steps), BETWEEN(1, 1e9),
     TRAIN(N_("stop after this step, counted from the very first (300)"))},
    {"--batch", "N", FIELD(batch), BETWEEN(1, 4096), .option = VL_OPTION_BATCH,
     TRAIN(N_("sequences in the global batch (8)"))},
    {"--seed", "N", FIELD(seed), BETWEEN(0, EXACT), .option = VL_OPTION_SEED,
     TRAIN(N_("seed of the first weights and of the batches (1)")),
     SAMPLE(N_("seed of the choices (1)"))},
    {"--data", "FILE", FIELD(data), .option = VL_OPTION_DATA,
     TRAIN(N_("learn from this text instead of the course's own")),
     EVAL(N_("the text to measure the loss on; the course's own by default"))},
    {"--log", "FILE", FIELD(log), TRAIN(N_("write one JSON object per step to this file"))},
    {"--save", "FILE", FIELD(save), TRAIN(N_("keep the model in this file (safetensors)"))},
    {"--save-every", "N", FIELD(save_every), BETWEEN(1, 1e9),
     TRAIN(N_("steps between two saves; the end is always saved (100)"))},
    {"--resume", "FILE", FIELD(resume), TRAIN(N_("resume the run that is kept in this file"))},
    {"--horizon", "N", FIELD(horizon), BETWEEN(1, 1e9), .option = VL_OPTION_HORIZON,
     TRAIN(N_("steps that the learning rate is planned for (300)"))},
    {"--warmup", "N", FIELD(warmup), BETWEEN(0, 1e9), .option = VL_OPTION_WARMUP,
     TRAIN(N_("steps in which the learning rate rises (60)"))},
    {"--lr", "X", FIELD(lr), BETWEEN(1e-9, 10), .option = VL_OPTION_LR,
     TRAIN(N_("the highest learning rate (0.001)"))},

    /* ---- train: the layout ---- */
    {"--dp", "N", FIELD(replicas), BETWEEN(1, 256), TRAIN(N_("replicas that share the batch (1)"))},
    {"--ep", "N", FIELD(expert_ranks), BETWEEN(1, 256), .option = VL_OPTION_EP,
     TRAIN(N_("ranks that share the experts, each with a part of the batch (1)"))},
    {"--zero", "0|1|2|3", FIELD(zero), BETWEEN(0, 3),
     TRAIN(N_("share out over them: 1 optimizer state, 2 gradients too, 3 all (0)"))},
    {"--accumulate", "N", FIELD(accumulate), BETWEEN(1, 4096), .option = VL_OPTION_ACCUMULATE,
     TRAIN(N_("micro-batches of each replica in a step (1)"))},
    {"--bucket", "BYTES", FIELD(bucket_bytes), BETWEEN(0, 1e12),
     TRAIN(N_("send gradients together in at least this many bytes (each layer)"))},
    {"--flat", NULL, FIELD(flat), TRAIN(N_("send gradients after backward, not while it runs"))},
    {"--node-replicas", "N", FIELD(node_replicas), BETWEEN(1, 256),
     TRAIN(N_("with --flat: sum gradients in two levels, with N replicas on each node"))},
    {"--tp", "N", FIELD(tensor), BETWEEN(1, 256),
     TRAIN(N_("ranks that share the matrices of every layer (1)"))},
    {"--sequence-parallel", NULL, FIELD(sequence_parallel),
     TRAIN(N_("share the tokens between these matrices too"))},
    {"--pp", "N", FIELD(stages), BETWEEN(1, VL_SCHEDULE_STAGES),
     TRAIN(N_("stages of a pipeline, each with some of the layers (1)"))},
    {"--micro-batches", "N", FIELD(micro_batches), BETWEEN(1, 4096),
     .option = VL_OPTION_MICRO_BATCHES,
     TRAIN(N_("the same as --accumulate (2 for each stage, 1 without stages)"))},
    {"--schedule", "NAME|FILE", FIELD(schedule), .option = VL_OPTION_SCHEDULE,
     TRAIN(N_("afab, 1f1b, interleaved, zb-h1, or a file with a line per stage (1f1b)"))},
    {"--chunks", "N", FIELD(chunks), BETWEEN(1, 256), .option = VL_OPTION_CHUNKS,
     TRAIN(N_("chunks of the model on each stage (1)"))},
    {"--stage-layers", "N,N,...", FIELD(stage_layers), .option = VL_OPTION_STAGE_LAYERS,
     TRAIN(N_("layers of each stage or chunk, in order (evenly)"))},
    {"--recompute", "none|selective|full", FIELD(recompute),
     TRAIN(N_("forget activations and compute them again (none)"))},

    /* ---- train: who starts the ranks, and where ---- */
    {"--launcher", "mpirun|srun", FIELD(launcher),
     TRAIN(N_("who starts the ranks; srun is for a cluster with Slurm (mpirun)"))},
    {"--hostfile", "FILE", FIELD(hostfile),
     TRAIN(N_("start the ranks on these hosts: one per line, such as `node1 slots=4`"))},

    /* ---- train: what else to write, and whose code ---- */
    {"--meter", NULL, FIELD(meter), TRAIN(N_("write the bytes sent in every step to the log"))},
    {"--trace", "FILE", FIELD(trace),
     TRAIN(N_("write what every rank did in the last step; `timeline` draws it"))},
    {"--with", "labs", FIELD(with),
     TRAIN(N_("train on your own code, in each lab that you have finished"))},
    {"--page", "FILE.html", FIELD(page),
     TRAIN(N_("write a page you can keep: layout, curves, and whose code it was"))},

    /* ---- train: the model ---- */
    {"--layers", "N", FIELD(shape.layers), BETWEEN(1, 256), .option = VL_OPTION_LAYERS,
     TRAIN(N_("layers of the model (4)"))},
    {"--width", "N", FIELD(shape.width), BETWEEN(2, 16384), .option = VL_OPTION_WIDTH,
     TRAIN(N_("width of the model (128)"))},
    {"--heads", "N", FIELD(shape.heads), BETWEEN(1, 256), .option = VL_OPTION_HEADS,
     TRAIN(N_("attention heads (4)"))},
    {"--ff", "N", FIELD(shape.ff), BETWEEN(1, 65536), .option = VL_OPTION_FF,
     TRAIN(N_("width of the feed-forward part (8/3 of the width, rounded up)"))},
    {"--experts", "E", FIELD(experts.experts), BETWEEN(1, 1024), .option = VL_OPTION_EXPERTS,
     TRAIN(N_("experts in every layer, in addition to a shared one; --ff is that of one (0)"))},
    {"--top-k", "K", FIELD(experts.chosen), BETWEEN(1, 1024), .option = VL_OPTION_TOP_K,
     TRAIN(N_("experts that a token chooses (2); --ff is by default divided by K + 1, rounded "
              "up"))},
    {"--expert-groups", "N", FIELD(experts.groups), BETWEEN(1, 1024),
     .option = VL_OPTION_EXPERT_GROUPS,
     TRAIN(N_("experts in N groups, such as one for each node (no groups)"))},
    {"--group-limit", "G", FIELD(experts.limit), BETWEEN(1, 1024), .option = VL_OPTION_GROUP_LIMIT,
     TRAIN(N_("of these, the groups that a token may use (all)"))},
    {"--balance", "none|aux|bias", FIELD(balance), .option = VL_OPTION_BALANCE,
     TRAIN(N_("how the load of the experts is kept even (bias)"))},
    {"--bias-speed", "X", FIELD(bias_speed), BETWEEN(1e-9, 1), .option = VL_OPTION_BIAS_SPEED,
     TRAIN(N_("how far this bias moves in a step (0.001)"))},
    {"--aux-alpha", "X", FIELD(aux_alpha), BETWEEN(1e-9, 100), .option = VL_OPTION_AUX_ALPHA,
     TRAIN(N_("what the auxiliary loss is where load is even (0.01)"))},
    {"--aux-scope", "global|micro-batch|sequence", FIELD(aux_scope), .option = VL_OPTION_AUX_SCOPE,
     TRAIN(N_("over which tokens the auxiliary loss counts (global)"))},
    {"--interference", NULL, FIELD(interference), .option = VL_OPTION_INTERFERENCE,
     TRAIN(N_("write to the log how its gradient compares with the language model's"))},
    {"--sequence", "N", FIELD(shape.sequence), BETWEEN(1, 8192), .option = VL_OPTION_SEQUENCE,
     TRAIN(N_("bytes in a sequence (128)"))},

    /* ---- eval ---- */
    {"--loads", NULL, FIELD(loads),
     EVAL(N_("of a model with experts: how much of the work each of them got"))},
    {"--json", NULL, FIELD(json), EVAL(N_("the result as JSON, with all digits"))},

    /* ---- from one program to the other ---- */
    {"--labs-from", "JSON", FIELD(labs_from), TRAIN(VL_OPTION_HIDDEN)},
    {"--events", NULL, FIELD(events), TRAIN(VL_OPTION_HIDDEN), EVAL(VL_OPTION_HIDDEN),
     SAMPLE(VL_OPTION_HIDDEN)},
    {0},
};
/* clang-format on */

bool vl_option_is_shown(const struct vl_option_rule *rule, enum vl_trainer_command command)
{
    return rule->help[command] != NULL && rule->help[command][0] != '\0';
}

/* "--batch" of "--batch=8" is 7 characters long. */
static bool is_named(const char *word, const char *name)
{
    size_t length = strcspn(word, "=");
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

const struct vl_option_rule *vl_option_find(enum vl_trainer_command command, const char *word)
{
    for (const struct vl_option_rule *rule = vl_option_rules; rule->name != NULL; rule++)
        if (rule->help[command] != NULL && is_named(word, rule->name))
            return rule;
    return NULL;
}

const char *vl_option_name(enum vl_option option)
{
    const struct vl_option_rule *rule = vl_option_rules;
    while (rule->name != NULL && rule->option != option)
        rule++;
    return rule->name;
}
