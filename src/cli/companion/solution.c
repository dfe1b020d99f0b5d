/* The course's own way to write a function, once the student's is right. */
#include "base/file.h"
#include "base/function_text.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/companion/functions.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/workspace/standing.h"
#include "grade/build/lab_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BYTES ((size_t)1 << 20)

static enum vl_exit show(const struct vl_lab *lab, const struct vl_lab_function *function)
{
    int given = 0;
    size_t n = 0, length = 0;
    char *bytes = NULL;
    char *path = vl_reference_path(lab, function->file, &given);
    if (path != NULL)
        vl_file_read(&bytes, &n, path, MOST_BYTES);
    const char *text = bytes != NULL ? vl_function_text(&length, bytes, function->name) : NULL;
    if (text != NULL)
        printf("%.*s\n", (int)length, text);
    free(path);
    free(bytes);
    if (text != NULL)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_LACK, _("The solution of `%s` is not in this copy of the course."),
                  function->name);
}

/* May it be seen? Whoever gives up is not asked why. */
static enum vl_exit may_see(struct vl_standing *standing, const struct vl_lab_function *function,
                            bool gives_up)
{
    if (vl_standing_has(standing, function) && vl_standing_points(standing).graded)
        return VL_EXIT_OK;
    if (!gives_up)
        return vl_say(
            VL_EXIT_USAGE,
            _("`%1$s` is not right yet: `vialata hint %2$02d 3 --function %1$s` says almost "
              "everything. To see its solution all the same, add `--give-up`."),
            function->name, standing->lab->number);
    vl_standing_give_up(standing, function->name);
    vl_standing_write(standing); /* without a workspace there is nothing to keep it in */
    return VL_EXIT_OK;
}

static int run(const struct vl_arguments *arguments)
{
    const struct vl_lab *lab = vl_lab_named(arguments->words[0]);
    struct vl_standing standing;
    if (lab == NULL)
        return VL_EXIT_USAGE;
    const struct vl_lab_function *function = vl_function_named(lab, arguments->words[1]);
    if (function == NULL)
        return vl_function_refuse(lab, arguments->words[1]);
    if (function->file == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`%s` asks for several functions together: name one of them."),
                      function->name);
    enum vl_status status = vl_standing_read(&standing, lab);
    enum vl_exit result =
        status == VL_OK ? may_see(&standing, function, vl_argument(arguments, "give-up") != NULL)
                        : vl_say_status(status);
    vl_standing_free(&standing);
    if (result == VL_EXIT_OK)
        result = show(lab, function);
    return (int)result;
}

static const struct vl_flag flags[] = {
    {"give-up", NULL, N_("show it before yours is right; this is noted")},
    {0},
};

const struct vl_command vl_command_solution = {
    .name = "solution",
    .takes = "LAB FUNCTION",
    .least = 2,
    .most = 2,
    .summary = N_("Show how the course writes a function, once yours is right."),
    .flags = flags,
    .run = run,
};
