#include "base/text.h"
#include "cli/companion/functions.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/texts.h"
#include "cli/workspace/standing.h"
#include "report/draw/terminal_page.h"
#include "report/verdict/typed.h"
#include <stdlib.h>
#include <string.h>

#define LEVELS 3

static void put_hint(const struct vl_terminal *terminal, const char *function, const char *hint)
{
    char *page = vl_text_format("   %s\n", hint); /* as its other lines are indented */
    vl_terminal_put(terminal, VL_STYLE_BOLD, 0, function);
    fputc('\n', terminal->stream);
    if (page != NULL)
        vl_terminal_page(terminal, page);
    free(page);
    fputc('\n', terminal->stream);
}

/* Hints of one function, or of all if 'only' is NULL. Returns how many there were. */
static int put_hints(const char *hints, const struct vl_lab *lab, const char *only, int level)
{
    struct vl_terminal terminal;
    int count = 0;
    vl_terminal_open(&terminal, stdout);
    for (size_t i = 0; i < lab->function_count; i++) {
        const char *name = lab->functions[i].name;
        char *hint =
            only == NULL || strcmp(only, name) == 0 ? vl_hint_find(hints, name, level) : NULL;
        if (hint != NULL) {
            put_hint(&terminal, name, hint);
            count++;
        }
        free(hint);
    }
    return count;
}

/* The one that a grading has left to write; NULL before the first. */
static const char *next_function(const struct vl_lab *lab)
{
    struct vl_standing standing;
    const struct vl_lab_function *next = NULL;
    if (vl_standing_read(&standing, lab) == VL_OK && vl_standing_points(&standing).graded)
        next = vl_standing_next(&standing, true);
    vl_standing_free(&standing);
    return next != NULL ? next->name : NULL;
}

/* For whoever wants to know later; nothing depends on it. */
static void remember(const struct vl_lab *lab, const char *function, int level)
{
    struct vl_standing standing;
    enum vl_status status = vl_standing_read(&standing, lab);
    for (size_t i = 0; status == VL_OK && i < lab->function_count; i++)
        if (function == NULL || strcmp(function, lab->functions[i].name) == 0)
            vl_standing_add_hint(&standing, lab->functions[i].name, level);
    if (status == VL_OK)
        vl_standing_write(&standing);
    vl_standing_free(&standing);
}

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    const char *word = vl_argument(arguments, "function"), *function = NULL;
    uint64_t level = 1;
    int source;
    if (lab == NULL)
        return VL_EXIT_USAGE;
    if (arguments->count > 1 &&
        !vl_argument_number(&level, "vialata hint LAB", arguments->words[1], 1, LEVELS))
        return VL_EXIT_USAGE;
    if (word != NULL && vl_function_named(lab, word) == NULL)
        return vl_function_refuse(lab, word);
    if (word != NULL)
        function = vl_function_named(lab, word)->name;
    char *hints = vl_text_of_lab(lab, "hints", &source);
    if (hints == NULL)
        return vl_say(VL_EXIT_LACK,
                      _("The hints of lab %02d are not here: build the texts with `./vialata`."),
                      lab->number);
    if (word == NULL && arguments->count < 2)
        function = next_function(lab);
    int count = put_hints(hints, lab, function, (int)level);
    if (count > 0)
        remember(lab, function, (int)level);
    free(hints);
    if (count == 0 && function != NULL)
        return vl_say(VL_EXIT_OK,
                      _("There is no hint for `%1$s`: `vialata explain %2$02d` says what it does."),
                      function, lab->number);
    if (level < LEVELS) {
        printf(_("Still stuck? Level %d says more:\n"), (int)level + 1);
        vl_typed(stdout, "hint %02d %d%s%s", lab->number, (int)level + 1,
                 function != NULL ? " --function " : "", function != NULL ? function : "");
    }
    return VL_EXIT_OK;
}

static const struct vl_flag flags[] = {
    {"function", "NAME", N_("hints for this function alone")},
    {0},
};

const struct vl_command vl_command_hint = {
    .name = "hint",
    .takes = "LAB [1-3]",
    .least = 1,
    .most = 2,
    .summary =
        N_("Get a hint: 1 a question, 2 a direction, 3 almost the answer. Hints cost nothing."),
    .flags = flags,
    .run = run,
};
