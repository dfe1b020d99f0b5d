#include "base/text.h"
#include "cli/command.h"
#include "cli/shared/labs.h"
#include "cli/shared/pager.h"
#include "cli/shared/say.h"
#include "cli/shared/texts.h"

#include <stdlib.h>

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    int source;
    if (lab == NULL)
        return VL_EXIT_USAGE;
    char *text = vl_text_of_lab(lab, "README", &source);
    if (text == NULL)
        return vl_say(
            VL_EXIT_LACK,
            _("The explanation of lab %02d is not here: build the texts with `./vialata`."),
            lab->number);
    if (source) /* on standard error: the text itself stays as it is */
        vl_say(VL_EXIT_OK, _("The texts are not built for this language, so this is the English "
                             "source: `./vialata` builds them."));
    vl_pager_show(text);
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
