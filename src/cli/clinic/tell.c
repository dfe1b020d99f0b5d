/* What is told of a case: its story, hints, and in the end the answer. */
#include "base/text.h"
#include "cli/clinic/visit.h"
#include "cli/shared/say.h"
#include "clinic/credit.h"
#include "report/draw/terminal.h"

#include <stdio.h>
#include <stdlib.h>

static void put_command(const struct vl_terminal *terminal, const char *what, const char *format,
                        int number)
{
    char command[200];
    snprintf(command, sizeof command, format, number);
    vl_terminal_paragraph(terminal, VL_STYLE_DIM, 2, what);
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 6, command);
}

enum vl_exit vl_clinic_story(struct vl_clinic_visit *visit)
{
    struct vl_terminal terminal;
    int number = visit->item->number;
    vl_terminal_open(&terminal, stdout);
    vl_terminal_sentence(&terminal, VL_STYLE_BOLD, "%02d  %s", number, _(visit->item->title));
    fputc('\n', stdout);
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, _(visit->item->story));
    fputc('\n', stdout);
    vl_terminal_sentence(&terminal, VL_STYLE_PLAIN, _("The program: %1$s, for %2$d ranks."),
                         visit->shelf.shown, visit->item->ranks);
    put_command(&terminal, _("Run it:"), "vialata clinic %d --run", number);
    put_command(&terminal, _("Say which ranks go wrong, at which line, and why:"),
                "vialata clinic %d --rank R --line L --cause CAUSE", number);
    put_command(&terminal, _("What the causes mean:"), "vialata clinic --causes", number);
    put_command(&terminal, _("A hint:"), "vialata clinic %d --hint", number);
    put_command(&terminal, _("When you have repaired it:"), "vialata clinic %d --check", number);
    return VL_EXIT_OK;
}

enum vl_exit vl_clinic_hint(struct vl_clinic_visit *visit)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    if (visit->chart.hints < VL_CLINIC_HINTS && visit->item->hints[visit->chart.hints] != NULL)
        visit->chart.hints++;
    for (int i = 0; i < visit->chart.hints; i++)
        vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, _(visit->item->hints[i]));
    return vl_clinic_chart_keep(visit->item, &visit->chart);
}

void vl_clinic_explain(const struct vl_clinic_visit *visit)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    fputc('\n', stdout);
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, _(visit->item->explained));
    fputc('\n', stdout);
}

static void put_ranks(char text[200], const struct vl_clinic_case *item)
{
    int length = 0;
    if (item->who == VL_CLINIC_ALL) {
        snprintf(text, 200, "%s", "all");
        return;
    }
    for (int rank = 0; rank < item->ranks; rank++)
        if ((item->who & VL_CLINIC_RANK(rank)) != 0)
            length +=
                snprintf(text + length, 200 - (size_t)length, "%s%d", length > 0 ? "," : "", rank);
}

enum vl_exit vl_clinic_answer(struct vl_clinic_visit *visit)
{
    struct vl_terminal terminal;
    char ranks[200];
    const struct vl_clinic_case *item = visit->item;
    visit->chart.given_up = !visit->chart.whole || visit->chart.given_up;
    enum vl_exit result = vl_clinic_chart_keep(item, &visit->chart);
    vl_terminal_open(&terminal, stdout);
    put_ranks(ranks, item);
    vl_terminal_sentence(&terminal, VL_STYLE_BOLD, "--rank %s --line %d --cause %s", ranks,
                         vl_place_line(visit->shelf.given, item->places[0]),
                         vl_cause_name(item->cause));
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, _(vl_cause_meaning(item->cause)));
    vl_clinic_explain(visit);
    return result;
}

enum vl_exit vl_clinic_reset(struct vl_clinic_visit *visit)
{
    char *backup = NULL;
    enum vl_exit result = vl_clinic_shelf_reset(&backup, &visit->shelf);
    if (result == VL_EXIT_OK && backup != NULL)
        printf(_("%1$s is as the course gave it. Yours is in %2$s.\n"), visit->shelf.shown, backup);
    else if (result == VL_EXIT_OK)
        printf(_("%s is as the course gave it: you have not changed it.\n"), visit->shelf.shown);
    free(backup);
    return result;
}
