#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/shared/labs.h"
#include "cli/shared/state.h"
#include "cli/workspace/workspace.h"
#include "report/draw/terminal.h"
#include <stdlib.h>
#include <string.h>

#define SLUG_COLUMNS  20
#define TITLE_COLUMNS 36

/* The score of the last verdict on a lab; without one, whether the lab is started. */
static void status_text(char *text, size_t size, const struct vl_lab *lab, int is_started,
                        enum vl_style *style)
{
    char score[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    *style = VL_STYLE_DIM;
    json_t *verdict = vl_state_recall(lab);
    const char *status = json_string_value(json_object_get(verdict, "status"));
    if (status == NULL || strcmp(status, "not_started") == 0) {
        snprintf(text, size, "%s", is_started ? _("started") : _("ready for you"));
    } else {
        double points = json_number_value(json_object_get(verdict, "score"));
        double max_points = json_number_value(json_object_get(verdict, "max_score"));
        *style = strcmp(status, "passed") == 0 ? VL_STYLE_GOOD : VL_STYLE_PLAIN;
        snprintf(text, size, _("%1$s out of %2$s"),
                 vl_number_text(score, points, points == (int)points ? 0 : 1),
                 vl_number_text(most, max_points, 0));
    }
    json_decref(verdict);
}

static int run(const struct vl_arguments *arguments)
{
    (void)arguments;
    struct vl_terminal terminal;
    char number[16], status[128];
    enum vl_style style;
    char *workspace = vl_workspace_folder();
    vl_terminal_open(&terminal, stdout);
    for (size_t i = 0; i < vl_lab_count; i++) {
        const struct vl_lab *lab = vl_labs[i];
        if (!vl_lab_is_here(lab))
            continue;
        snprintf(number, sizeof number, "%02d", lab->number);
        status_text(status, sizeof status, lab,
                    workspace != NULL && vl_workspace_has(workspace, lab), &style);
        vl_terminal_put(&terminal, VL_STYLE_BOLD, 4, number);
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, SLUG_COLUMNS, lab->slug);
        vl_terminal_put(&terminal, VL_STYLE_PLAIN, TITLE_COLUMNS, _(lab->title));
        vl_terminal_put(&terminal, style, 0, status);
        fputc('\n', stdout);
    }
    free(workspace);
    printf("\n%s\n",
           _("Read a lab with `vialata explain 01`, begin it with `vialata start 01`, and "
             "grade yours with `vialata grade 01`."));
    return VL_EXIT_OK;
}

static const struct vl_flag flags[] = {{0}};

const struct vl_command vl_command_list = {
    .name = "list",
    .takes = "",
    .summary = N_("List the ten labs, and how far you are in each."),
    .flags = flags,
    .run = run,
};
