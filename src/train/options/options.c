#include "train/options/options.h"

#include "base/number.h"
#include "base/text.h"
#include "engine/schedule/schedule_text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { COUNT, REAL, TEXT, SWITCH };

#define IN_TRAIN  1u
#define IN_EVAL   2u
#define IN_SAMPLE 4u

/* Largest seed and step: exact in every program that reads the log, JavaScript included. */
#define EXACT 9007199254740992.0

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts of both kinds are read alike");

struct rule {
    const char *name;
    unsigned commands;
    enum kind kind;
    size_t offset; /* in struct vl_options */
    double least, most;
    enum vl_option option;
};

#define AT(field) offsetof(struct vl_options, field)
static const struct rule rules[] = {
    {"--steps", IN_TRAIN, COUNT, AT(steps), 1, 1e9, VL_OPTION_OTHER},
    {"--batch", IN_TRAIN, COUNT, AT(batch), 1, 4096, VL_OPTION_BATCH},
    {"--seed", IN_TRAIN | IN_SAMPLE, COUNT, AT(seed), 0, EXACT, VL_OPTION_SEED},
    {"--horizon", IN_TRAIN, COUNT, AT(horizon), 1, 1e9, VL_OPTION_HORIZON},
    {"--warmup", IN_TRAIN, COUNT, AT(warmup), 0, 1e9, VL_OPTION_WARMUP},
    {"--lr", IN_TRAIN, REAL, AT(lr), 1e-9, 10, VL_OPTION_LR},
    {"--layers", IN_TRAIN, COUNT, AT(shape.layers), 1, 256, VL_OPTION_LAYERS},
    {"--width", IN_TRAIN, COUNT, AT(shape.width), 2, 16384, VL_OPTION_WIDTH},
    {"--heads", IN_TRAIN, COUNT, AT(shape.heads), 1, 256, VL_OPTION_HEADS},
    {"--ff", IN_TRAIN, COUNT, AT(shape.ff), 1, 65536, VL_OPTION_FF},
    {"--sequence", IN_TRAIN, COUNT, AT(shape.sequence), 1, 8192, VL_OPTION_SEQUENCE},
    {"--experts", IN_TRAIN, COUNT, AT(experts.experts), 1, 1024, VL_OPTION_EXPERTS},
    {"--top-k", IN_TRAIN, COUNT, AT(experts.chosen), 1, 1024, VL_OPTION_TOP_K},
    {"--balance", IN_TRAIN, TEXT, AT(balance), 0, 0, VL_OPTION_BALANCE},
    {"--bias-speed", IN_TRAIN, REAL, AT(bias_speed), 1e-9, 1, VL_OPTION_BIAS_SPEED},
    {"--aux-alpha", IN_TRAIN, REAL, AT(aux_alpha), 1e-9, 100, VL_OPTION_AUX_ALPHA},
    {"--aux-scope", IN_TRAIN, TEXT, AT(aux_scope), 0, 0, VL_OPTION_AUX_SCOPE},
    {"--interference", IN_TRAIN, SWITCH, AT(interference), 0, 0, VL_OPTION_INTERFERENCE},
    {"--log", IN_TRAIN, TEXT, AT(log), 0, 0, VL_OPTION_OTHER},
    {"--save", IN_TRAIN, TEXT, AT(save), 0, 0, VL_OPTION_OTHER},
    {"--save-every", IN_TRAIN, COUNT, AT(save_every), 1, 1e9, VL_OPTION_OTHER},
    {"--resume", IN_TRAIN, TEXT, AT(resume), 0, 0, VL_OPTION_OTHER},
    {"--dp", IN_TRAIN, COUNT, AT(replicas), 1, 256, VL_OPTION_OTHER},
    {"--ep", IN_TRAIN, COUNT, AT(expert_ranks), 1, 256, VL_OPTION_EP},
    {"--zero", IN_TRAIN, COUNT, AT(zero), 0, 3, VL_OPTION_OTHER},
    {"--accumulate", IN_TRAIN, COUNT, AT(accumulate), 1, 4096, VL_OPTION_ACCUMULATE},
    {"--bucket", IN_TRAIN, COUNT, AT(bucket_bytes), 0, 1e12, VL_OPTION_OTHER},
    {"--flat", IN_TRAIN, SWITCH, AT(flat), 0, 0, VL_OPTION_OTHER},
    {"--tp", IN_TRAIN, COUNT, AT(tensor), 1, 256, VL_OPTION_OTHER},
    {"--sequence-parallel", IN_TRAIN, SWITCH, AT(sequence_parallel), 0, 0, VL_OPTION_OTHER},
    {"--pp", IN_TRAIN, COUNT, AT(stages), 1, VL_SCHEDULE_STAGES, VL_OPTION_OTHER},
    {"--micro-batches", IN_TRAIN, COUNT, AT(micro_batches), 1, 4096, VL_OPTION_MICRO_BATCHES},
    {"--schedule", IN_TRAIN, TEXT, AT(schedule), 0, 0, VL_OPTION_SCHEDULE},
    {"--chunks", IN_TRAIN, COUNT, AT(chunks), 1, 256, VL_OPTION_CHUNKS},
    {"--stage-layers", IN_TRAIN, TEXT, AT(stage_layers), 0, 0, VL_OPTION_STAGE_LAYERS},
    {"--meter", IN_TRAIN, SWITCH, AT(meter), 0, 0, VL_OPTION_OTHER},
    {"--recompute", IN_TRAIN, TEXT, AT(recompute), 0, 0, VL_OPTION_OTHER},
    {"--trace", IN_TRAIN, TEXT, AT(trace), 0, 0, VL_OPTION_OTHER},
    {"--page", IN_TRAIN, TEXT, AT(page), 0, 0, VL_OPTION_OTHER},
    {"--with", IN_TRAIN, TEXT, AT(with), 0, 0, VL_OPTION_OTHER},
    {"--labs-from", IN_TRAIN, TEXT, AT(labs_from), 0, 0, VL_OPTION_OTHER},
    {"--data", IN_TRAIN | IN_EVAL, TEXT, AT(data), 0, 0, VL_OPTION_DATA},
    {"--checkpoint", IN_EVAL | IN_SAMPLE, TEXT, AT(checkpoint), 0, 0, VL_OPTION_OTHER},
    {"--prompt", IN_SAMPLE, TEXT, AT(prompt), 0, 0, VL_OPTION_OTHER},
    {"--bytes", IN_SAMPLE, COUNT, AT(bytes), 1, 1e6, VL_OPTION_OTHER},
    {"--temperature", IN_SAMPLE, REAL, AT(temperature), 0, 100, VL_OPTION_OTHER},
    {"--loads", IN_EVAL, SWITCH, AT(loads), 0, 0, VL_OPTION_OTHER},
    {"--json", IN_EVAL, SWITCH, AT(json), 0, 0, VL_OPTION_OTHER},
    {"--events", IN_TRAIN | IN_EVAL | IN_SAMPLE, SWITCH, AT(events), 0, 0, VL_OPTION_OTHER},
};
#define RULES (sizeof rules / sizeof *rules)

static const char *const command_names[] = {"train", "eval", "sample"};

static const char *const recompute_names[] = {[VL_RECOMPUTE_NONE] = "none",
                                              [VL_RECOMPUTE_SELECTIVE] = "selective",
                                              [VL_RECOMPUTE_FULL] = "full"};
#define RECOMPUTES (sizeof recompute_names / sizeof *recompute_names)

static void set_defaults(struct vl_options *options)
{
    memset(options, 0, sizeof *options);
    options->steps = 300;
    options->batch = 8;
    options->seed = 1;
    options->horizon = 300;
    options->warmup = 60;
    options->save_every = 100;
    options->replicas = options->tensor = options->stages = options->expert_ranks = 1;
    options->experts.scale = 1.0f;
    options->balance = "bias";
    options->bias_speed = 0.001;
    options->aux_alpha = 0.01;
    options->aux_scope = "global";
    options->accumulate = options->chunks = 1;
    options->recompute = recompute_names[0];
    /* Gentle on purpose: at three times this rate rounding grows a thousandfold in a hundred steps,
     * and two layouts of one run could not be told from two runs. */
    options->lr = 1e-3;
    options->shape = (struct vl_shape){
        .layers = 4, .width = 128, .heads = 4, .vocabulary = 256, .sequence = 128};
    options->prompt = "";
    options->bytes = 300;
    options->temperature = 0.8;
}

/* "--batch" of "--batch=8" is 7 characters long. */
static size_t name_length(const char *word)
{
    return strcspn(word, "=");
}

static int is_named(const char *word, const char *name)
{
    return strlen(name) == name_length(word) && strncmp(word, name, strlen(name)) == 0;
}

static const struct rule *find_rule(const char *word, unsigned command)
{
    for (size_t i = 0; i < RULES; i++)
        if ((rules[i].commands & command) != 0 && is_named(word, rules[i].name))
            return &rules[i];
    return NULL;
}

static enum vl_status refuse_unknown(const char *word, enum vl_trainer_command command,
                                     struct vl_problem *problem)
{
    return vl_problem_set(problem, VL_EINVAL, "option_unknown",
                          _("`vialata %1$s` does not know `%2$s`: `vialata %1$s --help` lists what "
                            "it takes."),
                          command_names[command], word);
}

static enum vl_status refuse_range(const struct rule *rule, struct vl_problem *problem)
{
    char least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    if (rule->kind == COUNT)
        return vl_problem_set(
            problem, VL_EINVAL, "option_value", _("`%1$s` takes a whole number from %2$s to %3$s."),
            rule->name, vl_number_text(least, rule->least, 0), vl_number_text(most, rule->most, 0));
    return vl_problem_set(problem, VL_EINVAL, "option_value",
                          _("`%1$s` takes a number from %2$s to %3$s, written with a decimal "
                            "point."),
                          rule->name, vl_number_short(least, rule->least, 3),
                          vl_number_short(most, rule->most, 3));
}

/* Digits alone, with no sign, blank or exponent: those are mistakes more often than meant. */
static int read_count(uint64_t *value, const char *text)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return 0;
    *value = strtoull(text, &end, 10); /* too many digits give the largest number there is */
    return *end == '\0';
}

static int read_real(double *value, const char *text)
{
    char *end;
    if ((text[0] < '0' || text[0] > '9') && text[0] != '.')
        return 0;
    *value = strtod(text, &end);
    return *end == '\0';
}

static enum vl_status store(struct vl_options *options, const struct rule *rule, const char *value,
                            struct vl_problem *problem)
{
    char *field = (char *)options + rule->offset;
    uint64_t count;
    double real;
    switch (rule->kind) {
    case COUNT:
        if (!read_count(&count, value) || (double)count < rule->least || (double)count > rule->most)
            return refuse_range(rule, problem);
        memcpy(field, &count, sizeof count);
        break;
    case REAL:
        if (!read_real(&real, value) || real < rule->least || real > rule->most)
            return refuse_range(rule, problem);
        memcpy(field, &real, sizeof real);
        break;
    case TEXT:
        memcpy(field, &value, sizeof value);
        break;
    case SWITCH:
        memcpy(field, &(int){1}, sizeof(int));
        break;
    }
    options->given |= 1u << rule->option;
    return VL_OK;
}

/* The value of the option at argv[*at], in the same word or the next; NULL if there is none. */
static const char *value_of(const struct rule *rule, int argc, char *const *argv, int *at)
{
    const char *word = argv[*at];
    size_t length = name_length(word);
    if (rule->kind == SWITCH)
        return word[length] == '\0' ? "" : NULL;
    if (word[length] == '=')
        return word + length + 1;
    if (*at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0)
        return NULL;
    return argv[++*at];
}

enum vl_status vl_options_check_shape(const struct vl_shape *shape, struct vl_problem *problem)
{
    if (shape->heads == 0 || shape->width % shape->heads != 0)
        return vl_problem_set(problem, VL_ESHAPE, "shape_heads",
                              _("A width of %1$zu cannot be shared by %2$zu heads: choose a width "
                                "that is a multiple of the heads."),
                              shape->width, shape->heads);
    if (shape->width / shape->heads % 2 != 0)
        return vl_problem_set(problem, VL_ESHAPE, "shape_head_width",
                              _("A width of %1$zu with %2$zu heads makes heads of odd width, and "
                                "rotary positions turn pairs: choose another width."),
                              shape->width, shape->heads);
    return VL_OK;
}

/* The mode of that name, RECOMPUTES if there is none. */
static size_t find_recompute(const char *name)
{
    size_t mode = 0;
    while (mode < RECOMPUTES && strcmp(recompute_names[mode], name) != 0)
        mode++;
    return mode;
}

enum vl_recompute vl_options_recompute(const struct vl_options *options)
{
    size_t mode = options->recompute != NULL ? find_recompute(options->recompute) : RECOMPUTES;
    return mode < RECOMPUTES ? (enum vl_recompute)mode : VL_RECOMPUTE_NONE;
}

static enum vl_status check_names(const struct vl_options *options, struct vl_problem *problem)
{
    if (options->with != NULL && strcmp(options->with, "labs") != 0)
        return vl_problem_set(problem, VL_EINVAL, "option_value",
                              _("`--with` takes `labs`: your own code then trains the model, in "
                                "each lab that you have finished."));
    if (find_recompute(options->recompute) == RECOMPUTES)
        return vl_problem_set(problem, VL_EINVAL, "option_value",
                              _("`--recompute` is `none`, `selective` or `full`."));
    return vl_options_check_balance(options, problem);
}

static enum vl_status check_together(struct vl_options *options, enum vl_trainer_command command,
                                     struct vl_problem *problem)
{
    if (command != VL_TRAIN) {
        if (options->checkpoint == NULL)
            return vl_problem_set(problem, VL_EINVAL, "option_missing",
                                  _("`vialata %s` needs `--checkpoint FILE`: a file that `vialata "
                                    "train --save FILE` wrote."),
                                  command_names[command]);
        return VL_OK;
    }
    enum vl_status status = check_names(options, problem);
    if (status != VL_OK)
        return status;
    if (!vl_options_given(options, VL_OPTION_WARMUP) && options->warmup > options->horizon)
        options->warmup = options->horizon;
    if (options->resume == NULL && options->warmup > options->horizon)
        return vl_problem_set(problem, VL_EINVAL, "warmup_long",
                              _("`--warmup` is longer than `--horizon`: the learning rate would "
                                "never reach its peak. Choose a smaller `--warmup`."));
    vl_options_default_experts(options);
    status = vl_options_check_words(options, problem);
    /* With --resume the checkpoint still fills in what was not given. */
    if (status != VL_OK || options->resume != NULL)
        return status;
    status = vl_options_check_shape(&options->shape, problem);
    return status == VL_OK ? vl_options_settle_layout(options, problem) : status;
}

enum vl_status vl_options_parse(struct vl_options *options, enum vl_trainer_command command,
                                int argc, char *const *argv, struct vl_problem *problem)
{
    set_defaults(options);
    for (int i = 0; i < argc; i++) {
        const struct rule *rule = find_rule(argv[i], 1u << command);
        if (rule == NULL)
            return refuse_unknown(argv[i], command, problem);
        const char *value = value_of(rule, argc, argv, &i);
        int empty = value == NULL || (value[0] == '\0' && rule->kind != SWITCH);
        if (empty && rule->offset != AT(prompt))
            return rule->kind == SWITCH
                       ? refuse_unknown(argv[i], command, problem)
                       : vl_problem_set(problem, VL_EINVAL, "option_value",
                                        _("`%s` needs a value after it."), rule->name);
        enum vl_status status = store(options, rule, value != NULL ? value : "", problem);
        if (status != VL_OK)
            return status;
    }
    return check_together(options, command, problem);
}

int vl_options_given(const struct vl_options *options, enum vl_option option)
{
    return (options->given & 1u << option) != 0;
}
