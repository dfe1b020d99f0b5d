#include "base/text.h"
#include "cli/command.h"
#include "cli/companion/overview.h"
#include <stdio.h>

static int run(const struct vl_arguments *arguments)
{
    (void)arguments;
    vl_overview_put(stdout);
    printf("%s\n", _("Read a lab with `vialata explain 01`, begin it with `vialata start 01`, and "
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
