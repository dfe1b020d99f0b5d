/* vialata handout: what an instructor gives to students. */
#include "class/handout/handout.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/book/results.h"
#include "class/handout/made_for.h"
#include "class/handout/tree.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "grade/build/lab_files.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define ZIP ".zip"

struct task {
    struct vl_handout handout;
    bool solutions; /* their sources instead */
    char *out;      /* absolute */
    char *shown;
    bool is_zip;
    char *fresh; /* the folder that is filled, next to 'out' */
};

/* ---- what is asked ---- */

static enum vl_exit read_language(struct task *task, const char *word)
{
    task->handout.language = word != NULL ? vl_text_language_of(word) : NULL;
    if (word == NULL || task->handout.language != NULL)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`%s` is not a language of Vialata: choose en, fr, pt (or pt_BR), es or sk."),
                  word);
}

static enum vl_exit read_results(struct task *task, const char *folder)
{
    task->handout.results = folder;
    if (folder == NULL || vl_is_results(folder))
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("%s has no results of a class: name a folder that `vialata batch` has made "
                    "after `--hard`."),
                  folder);
}

/* Nothing that is there is ever replaced. An empty folder is nothing. */
static enum vl_exit check_out(const struct task *task)
{
    struct stat info;
    if (lstat(task->out, &info) != 0)
        return VL_EXIT_OK;
    if (!task->is_zip && S_ISDIR(info.st_mode) && vl_path_is_empty(task->out))
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("%s is already there: name a new folder, or a new .zip file, after `--out`."),
                  task->shown);
}

static enum vl_exit read_out(struct task *task, const char *out)
{
    size_t length = strlen(out), ending = strlen(ZIP);
    task->is_zip = length > ending && strcasecmp(out + length - ending, ZIP) == 0;
    task->out = vl_path_absolute(out);
    task->shown = strdup(out);
    if (task->out == NULL || task->shown == NULL)
        return vl_say_status(VL_ENOMEM);
    return check_out(task);
}

static enum vl_exit read_task(struct task *task, const struct vl_arguments *arguments)
{
    const char *labs = vl_argument(arguments, "labs"), *out = vl_argument(arguments, "out");
    task->handout.named = vl_argument(arguments, "named") != NULL;
    task->solutions = vl_argument(arguments, "solutions") != NULL;
    if (labs == NULL || out == NULL || out[0] == '\0')
        return vl_say(VL_EXIT_USAGE,
                      _("`vialata handout` needs to know which labs, and where to put them: "
                        "`vialata handout --labs 01-04 --out lab-kit.zip`."));
    if (vl_reference_is_compiled())
        return vl_say(VL_EXIT_USAGE,
                      _("This is a handout itself, without sources: make another one "
                        "where the whole course is."));
    enum vl_exit result = vl_labs_named(task->handout.labs, &task->handout.lab_count, labs);
    if (result == VL_EXIT_OK && task->handout.lab_count == 0)
        result = vl_say(VL_EXIT_USAGE,
                        _("`--labs %s` names no lab: write it as in `--labs 01-04`."), labs);
    if (result == VL_EXIT_OK)
        result = read_language(task, vl_argument(arguments, "language"));
    if (result == VL_EXIT_OK)
        result = read_results(task, vl_argument(arguments, "hard"));
    return result == VL_EXIT_OK ? read_out(task, out) : result;
}

/* ---- doing it ---- */

/* A folder of ours next to 'out', so that it can be renamed. */
static enum vl_status open_fresh(struct task *task)
{
    char *above = strdup(task->out), *slash = above != NULL ? strrchr(above, '/') : NULL;
    enum vl_status status = slash != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        *slash = '\0';
        status = vl_path_make_folders(slash == above ? "/" : above) ? VL_OK : VL_EIO;
    }
    if (status == VL_OK && asprintf(&task->fresh, "%s/.handout-XXXXXX", above) < 0)
        status = VL_ENOMEM;
    if (status == VL_OK && mkdtemp(task->fresh) == NULL) {
        free(task->fresh);
        task->fresh = NULL;
        status = VL_EIO;
    }
    free(above);
    return status;
}

/* "lab-kit" for .../lab-kit.zip: the folder that the archive unpacks to. */
static char *name_in_zip(const char *out)
{
    const char *slash = strrchr(out, '/'), *name = slash != NULL ? slash + 1 : out;
    return strndup(name, strlen(name) - strlen(ZIP));
}

static enum vl_status put_in_place(const struct task *task)
{
    if (!task->is_zip)
        return chmod(task->fresh, 0755) == 0 && rename(task->fresh, task->out) == 0 ? VL_OK
                                                                                    : VL_EIO;
    char *top = name_in_zip(task->out);
    enum vl_status status = top != NULL ? vl_tree_zip(task->out, task->fresh, top) : VL_ENOMEM;
    free(top);
    return status;
}

static enum vl_exit tell(const struct task *task, enum vl_status status, const char *problem)
{
    struct vl_made_for made_for;
    if (problem != NULL)
        return vl_say(VL_EXIT_FAULT, "%s", problem);
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK,
                      _("%s could not be written (%m), and nothing was left there: choose another "
                        "place after `--out`."),
                      task->shown);
    if (status == VL_ELACK || status == VL_EFORMAT)
        return vl_say(VL_EXIT_LACK,
                      _("The handout could not be made, because a part of this vialata is missing "
                        "or was not built: build it again with `./vialata`."));
    if (status != VL_OK)
        return vl_say_status(status);
    if (task->solutions) {
        printf(_("The solutions are in %s.\n"), task->shown);
    } else if (vl_made_for_here(&made_for)) {
        printf(_("The handout is in %1$s. It works on %2$s (%3$s).\n"), task->shown,
               made_for.system, made_for.machine);
        if (made_for.processor[0] != '\0')
            printf(_("It needs processors with: %s.\n"), made_for.processor);
        vl_made_for_free(&made_for);
    }
    return VL_EXIT_OK;
}

static enum vl_exit make(struct task *task)
{
    char *problem = NULL;
    vl_interrupt_begin();
    enum vl_status status = open_fresh(task);
    if (status == VL_OK)
        status = task->solutions ? vl_handout_solutions(&task->handout, task->fresh)
                                 : vl_handout_make(&task->handout, task->fresh, &problem);
    if (status == VL_OK && !vl_interrupt_seen())
        status = put_in_place(task);
    int why = errno, interrupted = vl_interrupt_seen();
    vl_scratch_remove(task->fresh); /* if it is still there */
    vl_interrupt_end();
    errno = why;
    enum vl_exit result = interrupted ? VL_EXIT_LACK : tell(task, status, problem);
    free(problem);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct task task = {.handout = {.labs = calloc(vl_lab_count, sizeof *task.handout.labs)}};
    enum vl_exit result =
        task.handout.labs != NULL ? read_task(&task, arguments) : vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK && task.out != NULL)
        result = make(&task);
    free(task.handout.labs);
    free(task.fresh);
    free(task.out);
    free(task.shown);
    return result;
}

static const struct vl_flag flags[] = {
    {"labs", "NN", N_("the labs to hand out: 02, or 01-04, or 01,03")},
    {"out", "NAME", N_("the folder to make or, if the name ends in .zip, the archive")},
    {"language", "NAME", N_("this language and English only; all by default")},
    {"hard", "RESULTS",
     N_("whoever finishes a lab is told what the class of these results found hard in it")},
    {"named", NULL, N_("`start` requires `--student NAME` there")},
    {"solutions", NULL, N_("only the sources of these labs' references, to be given out later")},
    {0},
};

const struct vl_command vl_command_handout = {
    .name = "handout",
    .takes = "",
    .least = 0,
    .most = 0,
    .summary = N_("Make what students are given: some labs, without their solutions."),
    .flags = flags,
    .run = run,
};
