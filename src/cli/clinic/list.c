/* vialata clinic: all cases, and how far one is with each. */
#include "base/text.h"
#include "cli/clinic/visit.h"
#include "cli/shared/arguments.h"
#include "cli/shared/write.h"
#include "clinic/credit.h"
#include "report/draw/terminal.h"

#include <stdio.h>
#include <string.h>

#define TITLE_COLUMNS 44
#define NAME_COLUMNS  20

static void put_status(const struct vl_terminal *terminal, const struct vl_clinic_chart *chart)
{
    char text[200];
    int points = vl_clinic_chart_points(chart);
    if (chart->diagnoses == 0 && !chart->repaired && !chart->given_up)
        return;
    snprintf(text, sizeof text, _("%1$d of %2$d"), points, VL_CREDIT_WHOLE + VL_CREDIT_REPAIR);
    vl_terminal_put(terminal, chart->whole && chart->repaired ? VL_STYLE_GOOD : VL_STYLE_PLAIN, 0,
                    text);
}

static void put_cases(const struct vl_terminal *terminal)
{
    char number[16];
    for (size_t i = 0; i < vl_clinic_count; i++) {
        struct vl_clinic_chart chart = vl_clinic_chart_recall(vl_clinic_cases[i]);
        snprintf(number, sizeof number, "%02d", vl_clinic_cases[i]->number);
        vl_terminal_put(terminal, VL_STYLE_BOLD, 4, number);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, TITLE_COLUMNS, _(vl_clinic_cases[i]->title));
        put_status(terminal, &chart);
        fputc('\n', terminal->stream);
    }
}

enum vl_exit vl_clinic_list(const struct vl_arguments *arguments)
{
    struct vl_terminal terminal;
    const char *json = vl_argument(arguments, "json");
    if (json != NULL)
        return vl_write_json(json, vl_clinic_chart_json());
    vl_terminal_open(&terminal, stdout);
    vl_terminal_paragraph(
        &terminal, VL_STYLE_PLAIN, 0,
        _("Programs on several ranks that do not work. Find out which ranks go wrong, at which "
          "line, and why; then repair them."));
    fputc('\n', stdout);
    put_cases(&terminal);
    fputc('\n', stdout);
    vl_terminal_paragraph(
        &terminal, VL_STYLE_PLAIN, 0,
        _("Begin with `vialata clinic 1`. `vialata clinic --causes` explains what "
          "can be wrong."));
    return VL_EXIT_OK;
}

enum vl_exit vl_clinic_causes(void)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    for (int cause = VL_CAUSE_NONE + 1; cause < VL_CAUSES; cause++) {
        vl_terminal_put(&terminal, VL_STYLE_BOLD, NAME_COLUMNS,
                        vl_cause_name((enum vl_cause)cause));
        fputc('\n', stdout);
        vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 4,
                              _(vl_cause_meaning((enum vl_cause)cause)));
    }
    return VL_EXIT_OK;
}
