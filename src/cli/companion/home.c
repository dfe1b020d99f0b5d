/* `vialata` alone: where the student is, and what comes next. */
#include "cli/companion/home.h"

#include "base/path.h"
#include "base/text.h"
#include "cli/companion/journey.h"
#include "cli/companion/overview.h"
#include "cli/shared/help.h"
#include "cli/shared/say.h"
#include "cli/workspace/workspace.h"
#include "report/draw/terminal.h"
#include "report/verdict/typed.h"

#include <stdlib.h>
#include <unistd.h>

static bool is_begun(const char *workspace)
{
    return workspace != NULL && access(workspace, F_OK) == 0 && vl_journey_lab() != NULL;
}

enum vl_exit vl_home(void)
{
    struct vl_step step;
    char *workspace = vl_workspace_folder();
    bool begun = is_begun(workspace);
    char *shown = begun ? vl_path_shown(workspace) : NULL;
    enum vl_status status = VL_OK;
    if (begun) {
        struct vl_terminal terminal;
        vl_terminal_open(&terminal, stdout);
        vl_terminal_sentence(&terminal, VL_STYLE_BOLD, _("Your labs, in %s"), shown);
        fputc('\n', stdout);
        vl_overview_put(stdout);
        status = vl_journey_next(&step);
        if (status == VL_OK)
            vl_journey_tell(stdout, &step, NULL);
        printf("%s\n", _("All commands:"));
        vl_typed(stdout, "--help");
    } else {
        vl_help_print();
    }
    free(shown);
    free(workspace);
    return status == VL_OK ? VL_EXIT_OK : vl_say_status(status);
}
