#include "train/options/options_parse.h"

#include "base/number.h"
#include "base/text.h"
#include "train/options/option_table.h"
#include "train/options/options_experts.h"
#include "train/options/options_launch.h"
#include "train/options/options_layout.h"

#include <stdlib.h>
#include <string.h>

static const char *const command_names[VL_TRAINER_COMMANDS] = {
    [VL_TRAIN] = "train", [VL_EVAL] = "eval", [VL_SAMPLE] = "sample"};

static enum vl_status refuse_unknown(const char *word, enum vl_trainer_command command,
                                     struct vl_problem *problem)
{
    return vl_problem_set(problem, VL_EINVAL, "option_unknown",
                          _("`vialata %1$s` does not know `%2$s`: `vialata %1$s --help` lists what "
                            "it takes."),
                          command_names[command], word);
}

static enum vl_status refuse_range(const struct vl_option_rule *rule, struct vl_problem *problem)
{
    char least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    if (rule->kind == VL_OPTION_COUNT)
        return vl_problem_set(
            problem, VL_EINVAL, "option_value", _("`%1$s` takes a whole number from %2$s to %3$s."),
            rule->name, vl_number_text(least, rule->least, 0), vl_number_text(most, rule->most, 0));
    return vl_problem_set(problem, VL_EINVAL, "option_value",
                          _("`%1$s` takes a number from %2$s to %3$s, written with a decimal "
                            "point."),
                          rule->name, vl_number_short(least, rule->least, 3),
                          vl_number_short(most, rule->most, 3));
}

/* Digits only: a sign, blank or exponent is more often a mistake than intended. */
static bool read_count(uint64_t *value, const char *text)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return 0;
    *value = strtoull(text, &end, 10); /* too many digits give the largest number there is */
    return *end == '\0';
}

static bool read_real(double *value, const char *text)
{
    char *end;
    if ((text[0] < '0' || text[0] > '9') && text[0] != '.')
        return 0;
    *value = strtod(text, &end);
    return *end == '\0';
}

static enum vl_status store(struct vl_options *options, const struct vl_option_rule *rule,
                            const char *value, struct vl_problem *problem)
{
    char *field = (char *)options + rule->offset;
    uint64_t count;
    double real;
    switch (rule->kind) {
    case VL_OPTION_COUNT:
        if (!read_count(&count, value) || (double)count < rule->least || (double)count > rule->most)
            return refuse_range(rule, problem);
        memcpy(field, &count, sizeof count);
        break;
    case VL_OPTION_REAL:
        if (!read_real(&real, value) || real < rule->least || real > rule->most)
            return refuse_range(rule, problem);
        memcpy(field, &real, sizeof real);
        break;
    case VL_OPTION_TEXT:
        memcpy(field, &value, sizeof value);
        break;
    case VL_OPTION_SWITCH:
        memcpy(field, &(bool){true}, sizeof(bool));
        break;
    }
    if (rule->option != VL_OPTION_OTHER)
        options->given[rule->option] = true;
    return VL_OK;
}

/* The value of the option at argv[*at], in the same word or the next; NULL if there is none. */
static const char *value_of(const struct vl_option_rule *rule, int argc, char *const *argv, int *at)
{
    const char *word = argv[*at];
    size_t length = strcspn(word, "=");
    if (rule->kind == VL_OPTION_SWITCH)
        return word[length] == '\0' ? "" : NULL;
    if (word[length] == '=')
        return word + length + 1;
    if (*at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0)
        return NULL;
    return argv[++*at];
}

static enum vl_status check_names(const struct vl_options *options, struct vl_problem *problem)
{
    if (options->with != NULL && strcmp(options->with, "labs") != 0)
        return vl_problem_set(problem, VL_EINVAL, "option_value",
                              _("`--with` takes `labs`: your own code then trains the model, in "
                                "each lab that you have finished."));
    enum vl_status status = vl_options_check_launch(options, problem);
    if (status == VL_OK)
        status = vl_options_check_recompute(options, problem);
    return status == VL_OK ? vl_options_check_balance(options, problem) : status;
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
    vl_options_set_defaults(options);
    for (int i = 0; i < argc; i++) {
        const struct vl_option_rule *rule = vl_option_find(command, argv[i]);
        if (rule == NULL)
            return refuse_unknown(argv[i], command, problem);
        const char *value = value_of(rule, argc, argv, &i);
        bool empty = value == NULL || (value[0] == '\0' && rule->kind != VL_OPTION_SWITCH);
        if (empty && rule->offset != offsetof(struct vl_options, prompt))
            return rule->kind == VL_OPTION_SWITCH
                       ? refuse_unknown(argv[i], command, problem)
                       : vl_problem_set(problem, VL_EINVAL, "option_value",
                                        _("`%s` needs a value after it."), rule->name);
        enum vl_status status = store(options, rule, value != NULL ? value : "", problem);
        if (status != VL_OK)
            return status;
    }
    return check_together(options, command, problem);
}
