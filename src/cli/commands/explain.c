#include "base/text.h"
#include "cli/command.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/pager.h"
#include "cli/shared/parts.h"
#include "cli/shared/say.h"
#include "cli/shared/texts.h"
#include "report/draw/terminal_page.h"
#include "report/verdict/typed.h"

#include <stdlib.h>
#include <string.h>

static void put_part(const struct vl_terminal *terminal, const struct vl_part *part)
{
    char *text = vl_part_text(part);
    if (text != NULL)
        vl_terminal_page(terminal, text);
    free(text);
}

static void put_next(const struct vl_terminal *terminal, const struct vl_lab *lab,
                     const struct vl_part *next, size_t number)
{
    char *title = strndup(next->title, next->title_length);
    if (title != NULL)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Read on with “%s”:"), title);
    vl_typed(terminal->stream, "explain %02d %zu", lab->number, number);
    free(title);
}

static void put_contents(const struct vl_terminal *terminal, const struct vl_part *parts,
                         size_t count)
{
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        _("The parts of this lab. Read one with its number, or all of them with `--all`:"));
    fputc('\n', terminal->stream);
    for (size_t i = 1; i < count; i++) {
        char *line = vl_text_format("  %2zu  %.*s", i, (int)parts[i].title_length, parts[i].title);
        if (line != NULL)
            vl_terminal_hang(terminal, VL_STYLE_PLAIN, 0, 6, line, strlen(line));
        free(line);
    }
    fputc('\n', terminal->stream);
}

enum reading { FROM_THE_BEGINNING, ONE_PART, EVERYTHING };

static void put_page(const struct vl_terminal *terminal, const struct vl_lab *lab,
                     const struct vl_part *parts, size_t count, enum reading reading, size_t number)
{
    if (reading != ONE_PART)
        put_part(terminal, &parts[0]);
    if (reading == FROM_THE_BEGINNING)
        put_contents(terminal, parts, count);
    if (reading == EVERYTHING)
        for (size_t i = 1; i < count; i++)
            put_part(terminal, &parts[i]);
    else if (number < count)
        put_part(terminal, &parts[number]);
    if (reading != EVERYTHING && number + 1 < count)
        put_next(terminal, lab, &parts[number + 1], number + 1);
}

/* What is read goes to standard output, through a pager on a terminal. */
static enum vl_exit show(const struct vl_lab *lab, const struct vl_part *parts, size_t count,
                         enum reading reading, size_t number)
{
    char *shown = NULL;
    size_t length;
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout); /* its width */
    terminal.stream = open_memstream(&shown, &length);
    if (terminal.stream == NULL)
        return vl_say_status(VL_ENOMEM);
    put_page(&terminal, lab, parts, count, reading, number);
    if (fclose(terminal.stream) != 0) {
        free(shown);
        return vl_say_status(VL_ENOMEM);
    }
    vl_pager_show(shown);
    free(shown);
    return VL_EXIT_OK;
}

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    struct vl_part parts[VL_PARTS_MOST];
    enum reading reading = vl_argument(arguments, "all") != NULL ? EVERYTHING : FROM_THE_BEGINNING;
    uint64_t number = 1;
    int source;
    if (lab == NULL)
        return VL_EXIT_USAGE;
    char *text = vl_text_of_lab(lab, "README", &source);
    if (text == NULL)
        return vl_say(
            VL_EXIT_LACK,
            _("The explanation of lab %02d is not here: build the texts with `./vialata`."),
            lab->number);
    size_t count = vl_parts_of(parts, text);
    if (arguments->count > 1) {
        reading = ONE_PART;
        if (!vl_argument_number(&number, "vialata explain LAB", arguments->words[1], 1,
                                count - 1)) {
            free(text);
            return VL_EXIT_USAGE;
        }
    }
    if (source) /* on standard error: the text itself stays as it is */
        vl_say(VL_EXIT_OK, _("The texts are not built for this language, so this is the English "
                             "source: `./vialata` builds them."));
    enum vl_exit result = show(lab, parts, count, reading, number);
    free(text);
    return result;
}

static const struct vl_flag flags[] = {
    {"all", NULL, N_("all parts of the lab, one after another")},
    {0},
};

const struct vl_command vl_command_explain = {
    .name = "explain",
    .takes = "LAB [PART]",
    .least = 1,
    .most = 2,
    .summary = N_("Read a lab: what it is about, what to write, and what is graded."),
    .flags = flags,
    .run = run,
};
