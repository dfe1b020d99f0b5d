/* What comes next, and a step towards it: the next lab is started. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/companion/journey.h"
#include "cli/shared/say.h"

#include <stdio.h>

static enum vl_exit start(const struct vl_lab *lab)
{
    char number[16], *words[] = {number, NULL};
    const char *values[8] = {NULL};
    snprintf(number, sizeof number, "%d", lab->number);
    return (enum vl_exit)vl_command_start.run(&(struct vl_arguments){
        .command = &vl_command_start, .values = values, .count = 1, .words = words});
}

static int run(const struct vl_arguments *arguments)
{
    (void)arguments;
    struct vl_step step;
    enum vl_status status = vl_journey_next(&step);
    if (status != VL_OK)
        return vl_say_status(status);
    if (step.kind == VL_STEP_START)
        return start(step.lab);
    vl_journey_tell(stdout, &step, NULL);
    return VL_EXIT_OK;
}

static const struct vl_flag flags[] = {{0}};

const struct vl_command vl_command_next = {
    .name = "next",
    .takes = "",
    .summary = N_("Say what comes next; if that is another lab, start it."),
    .flags = flags,
    .run = run,
};
