#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/shared/labs.h"
#include "cli/shared/pager.h"
#include "cli/shared/say.h"
#include "cli/shared/texts.h"
#include "report/draw/terminal.h"
#include "report/verdict/summary.h"
#include <stdio.h>
#include <stdlib.h>

#define NAME_COLUMNS   34
#define FILE_COLUMNS   14
#define POINTS_COLUMNS 12

static void put_points(const struct vl_terminal *terminal, double points, int decimals)
{
    char number[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -POINTS_COLUMNS,
                    points > 0 ? vl_number_text(number, points, decimals) : "");
}

/* What everything in the lab is worth, from the same catalogue that the grader uses. */
static void put_table(const struct vl_terminal *terminal, const struct vl_lab *lab)
{
    double total = 0;
    fprintf(terminal->stream, "\n%s\n\n", _("What is graded"));
    vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS, _("Function"));
    vl_terminal_put(terminal, VL_STYLE_PLAIN, FILE_COLUMNS, _("File"));
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -POINTS_COLUMNS, _("Right"));
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -POINTS_COLUMNS, _("Fast"));
    fputc('\n', terminal->stream);
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *function = &lab->functions[i];
        vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS, function->name);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, FILE_COLUMNS,
                        function->file != NULL ? function->file : "");
        if (function->points > 0 || function->speed_points > 0) {
            put_points(terminal, function->points, 0);
            put_points(terminal, function->speed_points, 0);
        } else {
            vl_terminal_put(terminal, VL_STYLE_DIM, -POINTS_COLUMNS,
                            function->group == VL_GROUP_BONUS ? _("bonus") : _("given"));
        }
        fputc('\n', terminal->stream);
        total += function->points + function->speed_points;
    }
    vl_terminal_put(terminal, VL_STYLE_PLAIN, NAME_COLUMNS + FILE_COLUMNS, _("Together"));
    put_points(terminal, total, 0);
    fputc('\n', terminal->stream);
}

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    struct vl_terminal terminal;
    char *shown = NULL;
    size_t size;
    int source;
    if (lab == NULL)
        return VL_EXIT_USAGE;
    char *text = vl_text_of_lab(lab, "README", &source);
    if (text == NULL)
        return vl_say(
            VL_EXIT_LACK,
            _("The explanation of lab %02d is not here: build the texts with `./vialata`."),
            lab->number);
    FILE *stream = open_memstream(&shown, &size);
    if (stream == NULL) {
        free(text);
        return vl_say_status(VL_ENOMEM);
    }
    vl_terminal_open(&terminal, stream);
    if (source) /* on standard error: the text itself stays as it is */
        vl_say(VL_EXIT_OK, _("The texts are not built for this language, so this is the English "
                             "source: `./vialata` builds them."));
    fputs(text, stream);
    put_table(&terminal, lab);
    fclose(stream);
    vl_pager_show(shown);
    free(shown);
    free(text);
    return VL_EXIT_OK;
}

static const struct vl_flag flags[] = {{0}};

const struct vl_command vl_command_explain = {
    .name = "explain",
    .takes = "LAB",
    .least = 1,
    .most = 1,
    .summary = N_("Read a lab: what it is about, what to write, and what is graded."),
    .flags = flags,
    .run = run,
};
