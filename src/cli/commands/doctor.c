/* What this machine has, what it lacks, and what to do about that. */
#include "base/text.h"
#include "base/utf8.h"
#include "cli/shared/arguments.h"
#include "cli/shared/checks.h"
#include "report/draw/terminal.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_COLUMNS 26

static void put_check(const struct vl_terminal *terminal, const struct vl_check *check)
{
    /* TRANSLATORS: three short words in a column: there; not there, needed; not there, useful */
    const char *word = check->found ? _("ok") : check->needed ? _("missing") : _("optional");
    vl_terminal_put(terminal,
                    check->found    ? VL_STYLE_GOOD
                    : check->needed ? VL_STYLE_BAD
                                    : VL_STYLE_DIM,
                    12, word);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS, _(check->name));
    char *clean = vl_utf8_clean(check->what);
    fprintf(terminal->stream, "%s\n", clean != NULL ? clean : "");
    free(clean);
    if (!check->found)
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 14, _(check->remedy));
}

static void put_json(const struct vl_check *checks, size_t count, int lacks)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char *clean = vl_utf8_clean(checks[i].what);
        json_array_append_new(
            list,
            json_pack("{ss sb sb ss so}", "id", checks[i].id, "found", checks[i].found, "needed",
                      checks[i].needed, "what", clean != NULL ? clean : "", "remedy",
                      checks[i].found ? json_null() : json_string(_(checks[i].remedy))));
        free(clean);
    }
    json_t *all =
        json_pack("{ss sb so}", "schema", "vialata.doctor/1", "ready", !lacks, "checks", list);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_check checks[VL_CHECKS_MOST];
    struct vl_terminal terminal;
    int lacks = 0;
    size_t count = vl_checks_make(checks);
    for (size_t i = 0; i < count; i++)
        lacks |= checks[i].needed && !checks[i].found;
    if (vl_argument(arguments, "json") != NULL) {
        put_json(checks, count, lacks);
        return lacks ? VL_EXIT_LACK : VL_EXIT_OK;
    }
    vl_terminal_open(&terminal, stdout);
    for (size_t i = 0; i < count; i++)
        put_check(&terminal, &checks[i]);
    putchar('\n');
    vl_terminal_paragraph(&terminal, VL_STYLE_BOLD, 0,
                          !lacks ? _("This machine is ready.")
                          : vl_checks_can_build()
                              ? _("Something is missing: `./vialata` installs what it can.")
                              : _("Something is missing: install what is named above."));
    return lacks ? VL_EXIT_LACK : VL_EXIT_OK;
}

static const struct vl_flag flags[] = {
    {"json", NULL, N_("the same as JSON")},
    {0},
};

const struct vl_command vl_command_doctor = {
    .name = "doctor",
    .takes = "",
    .summary = N_("Say what this machine has, what it lacks, and how many ranks it can time."),
    .flags = flags,
    .run = run,
};
