/* What comes next, and a step towards it: the next lab is started. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/companion/journey.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"

#include <stdio.h>

/* As if `vialata start NN` had been typed. */
static enum vl_exit start(const struct vl_lab *lab)
{
    char number[16], *words[] = {number, NULL};
    struct vl_arguments arguments;
    snprintf(number, sizeof number, "%d", lab->number);
    enum vl_exit result = vl_arguments_read(&arguments, &vl_command_start, 1, words);
    if (result == VL_EXIT_OK)
        result = (enum vl_exit)vl_command_start.run(&arguments);
    vl_arguments_free(&arguments);
    return result;
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
