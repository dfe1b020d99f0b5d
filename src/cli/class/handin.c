#include "cli/class/handin.h"

#include "base/path.h"
#include "base/text.h"
#include "class/intake/archive.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/secret.h"
#include "cli/workspace/workspace.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The shapes in predict.c are those of the student that the workspace was started for. */
static enum vl_exit find_student(struct vl_handin *handin, const char *asked)
{
    enum vl_exit result = vl_student_check(asked);
    handin->student = vl_workspace_student();
    if (result != VL_EXIT_OK)
        return result;
    if (handin->student != NULL && asked != NULL && strcmp(handin->student, asked) != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("The workspace %1$s was started for %2$s, so it cannot be handed in for "
                        "%3$s: drop `--student`."),
                      handin->workspace, handin->student, asked);
    if (handin->student != NULL)
        return VL_EXIT_OK;
    if (asked == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("Whose work is it? Add the name that your course knows you by: `vialata "
                        "handin %02d --student NAME`."),
                      handin->lab->number);
    handin->student = strdup(asked);
    return handin->student != NULL ? VL_EXIT_OK : vl_say_status(VL_ENOMEM);
}

static enum vl_exit check_out(const char *out)
{
    struct stat info;
    size_t n = out != NULL ? strlen(out) : 0;
    if (out == NULL || (stat(out, &info) == 0 && S_ISDIR(info.st_mode)) ||
        (n > 4 && strcasecmp(out + n - 4, ".zip") == 0))
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`--out` takes a folder, or the name of an archive that ends in `.zip`, and %s "
                    "is neither."),
                  out);
}

static enum vl_exit in_scratch(struct vl_handin *handin)
{
    enum vl_status status = vl_scratch_create(&handin->scratch);
    if (status == VL_OK)
        status = vl_scratch_folder(&handin->copies, handin->scratch, "copies");
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK, _("Files could not be copied (%m): is TMPDIR a folder that you "
                                      "may write to, with free space in it?"));
    if (status != VL_OK)
        return vl_say_status(status);
    enum vl_exit result = vl_handin_look(handin);
    return result == VL_EXIT_OK ? vl_handin_write(handin) : result;
}

/* An interruption waits until the scratch folder is removed. */
static enum vl_exit hand_in(struct vl_handin *handin)
{
    vl_interrupt_begin();
    enum vl_exit result = in_scratch(handin);
    if (handin->scratch != NULL)
        vl_scratch_remove(handin->scratch);
    vl_interrupt_end();
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_handin handin = {.lab = vl_lab_named(arguments->words[0]),
                               .out = vl_argument(arguments, "out"),
                               .anyway = vl_argument(arguments, "anyway") != NULL,
                               .now = time(NULL)};
    if (handin.lab == NULL)
        return VL_EXIT_USAGE;
    enum vl_exit result = vl_workspace_require(handin.lab);
    if (result != VL_EXIT_OK)
        return result;
    handin.workspace = vl_workspace_folder();
    handin.own = vl_workspace_lab(handin.lab, NULL);
    result = handin.workspace != NULL && handin.own != NULL
                 ? find_student(&handin, vl_argument(arguments, "student"))
                 : vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK)
        result = check_out(handin.out);
    if (result == VL_EXIT_OK)
        result = hand_in(&handin);
    vl_manifest_free(&handin.manifest);
    free(handin.copies);
    free(handin.scratch);
    free(handin.student);
    free(handin.own);
    free(handin.workspace);
    return result;
}

static const struct vl_flag flags[] = {
    {"student", "NAME", N_("whose work it is; by default, whom the workspace was started for")},
    {"out", "FILE", N_("the archive, or a folder for it; by default in the workspace")},
    {"anyway", NULL, N_("hand it in even if files are missing or still as they were given")},
    {0},
};

const struct vl_command vl_command_handin = {
    .name = "handin",
    .takes = "LAB",
    .least = 1,
    .most = 1,
    .summary = N_("Make the archive of a lab to hand in, with a receipt."),
    .flags = flags,
    .run = run,
};
