#include "cli/shared/help.h"

#include "base/text.h"
#include "base/utf8.h"
#include "report/draw/terminal.h"
#include "train/options/option_table.h"
#include <stdio.h>
#include <stdlib.h>

#define NAME_COLUMNS 24

/* "name    what it does", the second part wrapped in a column of its own. */
static void put_entry(const struct vl_terminal *terminal, const char *name, const char *help)
{
    struct vl_terminal rest = *terminal;
    char *text = NULL;
    size_t size;
    fputs("  ", terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_BOLD, NAME_COLUMNS, name);
    rest.stream = open_memstream(&text, &size);
    if (rest.stream == NULL)
        return;
    vl_terminal_paragraph(&rest, VL_STYLE_PLAIN, NAME_COLUMNS + 2, help);
    fclose(rest.stream);
    int beside = vl_utf8_width(name) < NAME_COLUMNS;
    if (!beside)
        fputc('\n', terminal->stream);
    /* the name has taken the place of the first line's indent */
    fputs(text + (beside ? NAME_COLUMNS + 2 : 0), terminal->stream);
    free(text);
}

static void put_flag(const struct vl_terminal *terminal, const char *dashes, const char *name,
                     const char *value, const char *help)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s%s%s", dashes, name, value != NULL ? " " : "",
             value != NULL ? value : "");
    put_entry(terminal, text, _(help));
}

static void put_trainer_options(const struct vl_terminal *terminal, enum vl_trainer_command command)
{
    for (const struct vl_option_rule *rule = vl_option_rules; rule->name != NULL; rule++)
        if (vl_option_is_shown(rule, command))
            put_flag(terminal, "", rule->name, rule->value, rule->help[command]);
}

static void put_flags(const struct vl_terminal *terminal, const struct vl_command *command)
{
    if (command->flags == NULL)
        put_trainer_options(terminal, command->trainer);
    else
        for (const struct vl_flag *flag = command->flags; flag->name != NULL; flag++)
            put_flag(terminal, flag->name[1] != '\0' ? "--" : "-", flag->name, flag->value,
                     flag->help);
    put_entry(terminal, "--lang en|fr|pt|es|sk",
              _("the language to speak; else the environment decides"));
    put_entry(terminal, "--help", _("this help"));
}

void vl_help_print(void)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0,
                          _("Vialata: learn how large language models are trained on many "
                            "machines, by building it."));
    printf("\n%s\n\n", _("Write `vialata COMMAND`, and `vialata COMMAND --help` for more:"));
    for (size_t i = 0; vl_commands[i] != NULL; i++)
        put_entry(&terminal, vl_commands[i]->name, _(vl_commands[i]->summary));
    put_entry(&terminal, "version", _("Say which version this is."));
    printf("\n%s\n", _("New here? Begin with `vialata tour`."));
}

void vl_help_print_command(const struct vl_command *command)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    printf("vialata %s%s%s%s\n\n", command->name, command->takes[0] != '\0' ? " " : "",
           command->takes,
           command->flags == NULL || command->flags->name != NULL ? " [--...]" : "");
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, _(command->summary));
    fputc('\n', stdout);
    put_flags(&terminal, command);
}
