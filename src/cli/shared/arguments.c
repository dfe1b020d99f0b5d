#include "cli/shared/arguments.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 3 /* edits: with this many it is another word */

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's distance, one row at a time. */
static size_t edits(const char *a, const char *b)
{
    size_t row[64], n = strlen(b);
    if (n >= sizeof row / sizeof *row || strlen(a) >= sizeof row / sizeof *row)
        return FAR;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t above = row[j + 1];
            row[j + 1] = least_of(row[j] + 1, above + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
        }
    }
    return row[n];
}

const char *vl_arguments_nearest(const char *word,
                                 const char *(*name_of)(size_t i, const void *context),
                                 const void *context)
{
    const char *nearest = NULL;
    size_t distance = FAR;
    for (size_t i = 0; name_of(i, context) != NULL; i++) {
        const char *name = name_of(i, context);
        size_t now = edits(word, name);
        if (now < distance && now < strlen(name)) {
            distance = now;
            nearest = name;
        }
    }
    return nearest;
}

/* Those of the command, and then the ones that every command takes. */
static const char *flag_name(size_t i, const void *context)
{
    static const char *const always[] = {"help", "lang", NULL};
    const struct vl_flag *flags = context;
    size_t own = 0;
    while (own < i && flags[own].name != NULL)
        own++;
    return flags[own].name != NULL ? flags[own].name : always[i - own];
}

static size_t flag_count(const struct vl_command *command)
{
    size_t count = 0;
    while (command->flags[count].name != NULL)
        count++;
    return count;
}

static size_t flag_place(const struct vl_command *command, const char *name, size_t length)
{
    size_t i = 0;
    while (command->flags[i].name != NULL && (strlen(command->flags[i].name) != length ||
                                              strncmp(command->flags[i].name, name, length) != 0))
        i++;
    return i;
}

static enum vl_exit refuse_flag(const struct vl_command *command, const char *word)
{
    char name[64];
    size_t length = strcspn(word + 2, "=");
    if (length >= sizeof name)
        length = sizeof name - 1;
    memcpy(name, word + 2, length);
    name[length] = '\0';
    const char *nearest =
        word[1] == '-' ? vl_arguments_nearest(name, flag_name, command->flags) : NULL;
    if (nearest != NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`vialata %1$s` does not know `%2$s`: did you mean `--%3$s`?"),
                      command->name, word, nearest);
    return vl_say(
        VL_EXIT_USAGE,
        _("`vialata %1$s` does not know `%2$s`: `vialata %1$s --help` lists what it takes."),
        command->name, word);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool may_repeat(const struct vl_flag *flag)
{
    size_t n = strlen(flag->value);
    return n > 4 && strcmp(flag->value + n - 4, " ...") == 0;
}

static enum vl_exit keep_value(struct vl_arguments *arguments, size_t place, const char *value)
{
    const char *before = arguments->values[place];
    if (before != NULL && may_repeat(&arguments->command->flags[place])) {
        vl_words_add(&arguments->joined, "%s,%s", before, value);
        if (arguments->joined.failed)
            return vl_say_status(VL_ENOMEM);
        value = arguments->joined.list[arguments->joined.count - 1];
    }
    arguments->values[place] = value;
    return VL_EXIT_OK;
}

static enum vl_exit read_flag(struct vl_arguments *arguments, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    if (is_help(word)) {
        arguments->help = true;
        return VL_EXIT_OK;
    }
    const char *name = word + (word[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    size_t place = flag_place(arguments->command, name, length);
    const struct vl_flag *flag = &arguments->command->flags[place];
    const char *equals = name[length] == '=' ? name + length + 1 : NULL;
    if (flag->name == NULL || (word[1] != '-' && length > 1))
        return refuse_flag(arguments->command, word);
    if (flag->value == NULL) {
        if (equals != NULL)
            return vl_say(VL_EXIT_USAGE, _("`--%s` takes no value."), flag->name);
        arguments->values[place] = "";
        return VL_EXIT_OK;
    }
    if (equals == NULL && *at + 1 < argc)
        equals = argv[++*at];
    if (equals == NULL || equals[0] == '\0')
        return vl_say(VL_EXIT_USAGE, _("`--%1$s` needs a value after it: `--%1$s %2$s`."),
                      flag->name, flag->value);
    return keep_value(arguments, place, equals);
}

static enum vl_exit check_count(const struct vl_arguments *arguments)
{
    const struct vl_command *command = arguments->command;
    if (arguments->help)
        return VL_EXIT_OK;
    if (arguments->count < command->least)
        return vl_say(VL_EXIT_USAGE, _("This command needs more arguments: `vialata %1$s %2$s`."),
                      command->name, command->takes);
    if (arguments->count > command->most)
        return vl_say(VL_EXIT_USAGE,
                      _("`vialata %1$s` has no use for `%2$s`: `vialata %1$s --help` lists what it "
                        "takes."),
                      command->name, arguments->words[command->most]);
    return VL_EXIT_OK;
}

enum vl_exit vl_arguments_read(struct vl_arguments *arguments, const struct vl_command *command,
                               int argc, char **argv)
{
    *arguments = (struct vl_arguments){.command = command, .words = argv};
    if (command->flags == NULL) {
        for (int i = 0; i < argc; i++)
            arguments->help = arguments->help || is_help(argv[i]);
        arguments->count = argc;
        return VL_EXIT_OK;
    }
    arguments->values = calloc(flag_count(command) + 1, sizeof *arguments->values);
    if (arguments->values == NULL)
        return vl_say(VL_EXIT_FAULT, "%s", vl_status_text(VL_ENOMEM));
    for (int i = 0, ended = 0; i < argc; i++) {
        if (!ended && strcmp(argv[i], "--") == 0) {
            ended = 1;
            continue;
        }
        if (ended || argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[arguments->count++] = argv[i];
            continue;
        }
        enum vl_exit status = read_flag(arguments, argc, argv, &i);
        if (status != VL_EXIT_OK)
            return status;
    }
    return check_count(arguments);
}

void vl_arguments_free(struct vl_arguments *arguments)
{
    free(arguments->values);
    vl_words_free(&arguments->joined);
    arguments->values = NULL;
}

const char *vl_argument(const struct vl_arguments *arguments, const char *flag)
{
    size_t place = flag_place(arguments->command, flag, strlen(flag));
    return arguments->command->flags[place].name != NULL ? arguments->values[place] : NULL;
}

int vl_argument_number(uint64_t *number, const char *name, const char *text, uint64_t least,
                       uint64_t most)
{
    char *end = NULL;
    errno = 0;
    if (text[0] >= '0' && text[0] <= '9')
        *number = strtoull(text, &end, 10);
    if (end != NULL && *end == '\0' && errno == 0 && *number >= least && *number <= most)
        return 1;
    vl_say(VL_EXIT_USAGE,
           _("`%1$s` takes a whole number from %2$llu to %3$llu, and `%4$s` is not one."), name,
           (unsigned long long)least, (unsigned long long)most, text);
    return 0;
}

bool vl_argument_number_of(uint64_t *number, const struct vl_arguments *arguments, const char *flag,
                           uint64_t least, uint64_t most)
{
    char name[32];
    const char *text = vl_argument(arguments, flag);
    snprintf(name, sizeof name, "--%s", flag);
    return text == NULL || vl_argument_number(number, name, text, least, most);
}

void vl_arguments_take_language(int *argc, char **argv, const char **language)
{
    int kept = 0;
    *language = NULL;
    for (int i = 0; i < *argc; i++) {
        if (strncmp(argv[i], "--lang=", 7) == 0)
            *language = argv[i] + 7;
        else if (strcmp(argv[i], "--lang") == 0)
            *language = i + 1 < *argc ? argv[++i] : "";
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    *argc = kept;
}
