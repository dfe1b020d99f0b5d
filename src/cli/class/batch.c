/* vialata batch: grade what a class handed in. */
#include "cli/class/batch.h"
#include "cli/class/names.h"

#include "base/file.h"
#include "base/file_lock.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA       "vialata.class/1"
#define AT_ONCE_MOST 256

/* ---- the folder of results ---- */

static enum vl_exit refuse_out(const char *out)
{
    return vl_say(VL_EXIT_USAGE,
                  _("Nothing can be written to %s (%m): choose another folder after "
                    "`--out`."),
                  out);
}

/* With a new one for its owner alone: who else has an account here may be one of the class. */
static bool make_folder(const char *out)
{
    bool is_new = access(out, F_OK) != 0;
    return vl_path_make_folders(out) && (!is_new || chmod(out, S_IRWXU) == 0);
}

/* Ours, or new. Results of labs that were graded before stay there. */
static enum vl_exit open_results(const char *out)
{
    static const char text[] = "{\n  \"schema\": \"" SCHEMA "\"\n}\n";
    char *path = vl_path_join(out, "class.json");
    enum vl_exit result = VL_EXIT_OK;
    json_error_t error;
    if (path == NULL)
        return vl_say_status(VL_ENOMEM);
    if (!make_folder(out))
        result = refuse_out(out);
    else if (access(path, F_OK) != 0 && !vl_path_is_empty(out))
        result = vl_say(VL_EXIT_USAGE,
                        _("%s holds other files: name an empty folder, or one that `vialata batch` "
                          "has made."),
                        out);
    else if (access(path, F_OK) != 0)
        result = vl_file_write(path, text, sizeof text - 1) == VL_OK ? VL_EXIT_OK : refuse_out(out);
    else {
        json_t *class = json_load_file(path, 0, &error);
        const char *schema = json_string_value(json_object_get(class, "schema"));
        if (schema == NULL || strcmp(schema, SCHEMA) != 0)
            result = vl_say(VL_EXIT_USAGE,
                            _("%s was written by another version of vialata: name a new folder "
                              "after `--out`."),
                            out);
        json_decref(class);
    }
    free(path);
    return result;
}

/* ---- doing it ---- */

static enum vl_exit read_roster(struct vl_batch *batch)
{
    const char *path = batch->request->roster;
    char *problem = NULL;
    if (path == NULL)
        return VL_EXIT_OK;
    enum vl_status status = vl_roster_read(&batch->roster, &problem, path);
    enum vl_exit result = VL_EXIT_OK;
    if (status == VL_EFORMAT && problem != NULL)
        result = vl_say(VL_EXIT_USAGE, _("The roster %1$s cannot be used. %2$s"), path, problem);
    else if (status == VL_EIO)
        result = vl_say(VL_EXIT_USAGE, _("The roster %s cannot be read (%m)."), path);
    else
        result = vl_say_status(status);
    free(problem);
    return result;
}

static enum vl_exit read_overrides(struct vl_batch *batch)
{
    char *path = vl_path_join(batch->request->out, "overrides.csv"), *problem = NULL;
    enum vl_exit result = VL_EXIT_OK;
    enum vl_status status =
        path != NULL ? vl_overrides_read(&batch->overrides, &problem, path) : VL_ENOMEM;
    if (status == VL_EFORMAT && problem != NULL)
        result = vl_say(VL_EXIT_USAGE, _("The table %1$s cannot be used. %2$s"), path, problem);
    else if (status == VL_EIO)
        result = vl_say(VL_EXIT_USAGE, _("The table %s cannot be read (%m)."), path);
    else
        result = vl_say_status(status);
    free(problem);
    free(path);
    return result;
}

static enum vl_exit take_in(struct vl_batch *batch, const struct vl_arguments *arguments,
                            const char *scratch)
{
    const struct vl_roster *roster = batch->request->roster != NULL ? &batch->roster : NULL;
    for (int i = 0; i < arguments->count; i++) {
        enum vl_status status = vl_intake_add(&batch->intake, arguments->words[i], scratch, roster);
        if (status == VL_EIO)
            return vl_say(VL_EXIT_USAGE, _("%s cannot be read (%m): name a folder or an archive."),
                          arguments->words[i]);
        if (status != VL_OK)
            return vl_say_status(status);
    }
    if (vl_intake_tell_namesakes_apart(&batch->intake, roster != NULL) != VL_OK)
        return vl_say_status(VL_ENOMEM);
    vl_intake_order(&batch->intake);
    if (batch->intake.count == 0)
        return vl_say(VL_EXIT_USAGE, _("Nothing was handed in: the folder needs one entry for each "
                                       "student, a folder, an archive or a .c file."));
    return VL_EXIT_OK;
}

static size_t count_problems(const struct vl_batch *batch)
{
    size_t n = 0;
    for (size_t i = 0; i < batch->task_count; i++)
        n += batch->tasks[i].problem != NULL;
    return n;
}

static void tell_problems(const struct vl_batch *batch)
{
    size_t problems = count_problems(batch);
    if (problems > 0)
        printf(_("Not graded: %zu; the gradebook says why.\n"), problems);
    for (size_t i = 0; i < batch->notices.count; i++)
        printf("%s\n", batch->notices.list[i]);
    fflush(stdout);
    for (size_t i = 0; i < batch->overrides.problems.count; i++)
        vl_say(VL_EXIT_BELOW, "overrides.csv: %s", batch->overrides.problems.list[i]);
    for (size_t i = 0; i < batch->similar.problems.count; i++)
        vl_say(VL_EXIT_BELOW, "%s", batch->similar.problems.list[i]);
}

static enum vl_status grade_and_write(struct vl_batch *batch, int *signal)
{
    enum vl_status status = batch->request->no_grading ? VL_OK : vl_batch_run(batch, signal);
    if (status == VL_OK && *signal == 0)
        status = vl_batch_similar(batch, signal);
    if (status == VL_OK)
        status = vl_batch_notices(batch);
    if (status == VL_OK)
        status = vl_batch_book(batch);
    if (status == VL_OK && *signal == 0)
        status = vl_batch_tell_regraded(batch);
    return status;
}

static enum vl_exit grade(struct vl_batch *batch, int *signal)
{
    enum vl_status status = vl_batch_tasks(batch);
    enum vl_exit result = status == VL_OK ? vl_batch_regrade(batch) : VL_EXIT_OK;
    if (result != VL_EXIT_OK)
        return result;
    if (status == VL_OK)
        status = grade_and_write(batch, signal);
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK,
                      _("The results could not be written to %s (%m). What is there stays: run the "
                        "command again to go on."),
                      batch->request->out);
    if (status == VL_ELACK) /* Slurm's, and said */
        return VL_EXIT_LACK;
    if (status != VL_OK)
        return vl_say_status(status);
    if (*signal != 0)
        return vl_say(VL_EXIT_LACK, _("Interrupted. What is graded stays: run the command again to "
                                      "go on."));
    printf(_("The grades are in %1$s/gradebook.csv, and the class at a glance is in "
             "%1$s/class.html.\n"),
           batch->request->out);
    tell_problems(batch);
    bool whole = count_problems(batch) == 0 && batch->overrides.problems.count == 0;
    return whole ? VL_EXIT_OK : VL_EXIT_BELOW;
}

static enum vl_exit with_lock(struct vl_batch *batch, const struct vl_arguments *arguments,
                              int *signal)
{
    char *scratch = vl_path_join(batch->request->out, ".unpacked");
    enum vl_exit result = scratch != NULL ? VL_EXIT_OK : vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK) {
        vl_scratch_remove(scratch); /* of a run that was killed */
        result = read_roster(batch);
    }
    if (result == VL_EXIT_OK)
        result = read_overrides(batch);
    if (result == VL_EXIT_OK)
        result = take_in(batch, arguments, scratch);
    if (result == VL_EXIT_OK)
        result = vl_names_apply(batch);
    if (result == VL_EXIT_OK)
        result = grade(batch, signal);
    if (scratch != NULL)
        vl_scratch_remove(scratch);
    free(scratch);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_batch_request request = {.labs = calloc(vl_lab_count, sizeof *request.labs)};
    struct vl_batch batch = {.request = &request};
    struct vl_file_lock lock = {0};
    char *path = NULL;
    int signal = 0;
    if (request.labs == NULL)
        return vl_say_status(VL_ENOMEM);
    enum vl_exit result = vl_batch_request_read(&request, arguments);
    if (result == VL_EXIT_OK)
        result = open_results(request.out);
    if (result == VL_EXIT_OK && (path = vl_path_join(request.out, "class.json")) == NULL)
        result = vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK && vl_file_lock(&lock, path) != VL_OK)
        result = errno == EWOULDBLOCK
                     ? vl_say(VL_EXIT_USAGE,
                              _("Another `vialata batch` works in %s: wait until it "
                                "has ended."),
                              request.out)
                     : refuse_out(request.out);
    else if (result == VL_EXIT_OK)
        result = with_lock(&batch, arguments, &signal);
    vl_file_unlock(&lock);
    vl_batch_free(&batch);
    vl_batch_request_free(&request);
    free(path);
    if (batch.guarded)
        vl_interrupt_end(); /* delivers what came meanwhile */
    if (signal != 0)
        raise(signal); /* the shell sees the usual exit status */
    return result;
}

static const struct vl_flag flags[] = {
    {"labs", "NN", N_("the labs to grade: 02, or 01-04, or 01,03")},
    {"out", "FOLDER", N_("where the results go; given again, it goes on where it stopped")},
    {"roster", "FILE",
     N_("a CSV table of the students: `id`, `name`, `language`, `late_days`, `extra_time`, `board`")},
    {"jobs", "N", N_("how many to grade at once; the number of cores by default")},
    {"seed", "N", N_("seed of the inputs, so that others are drawn")},
    {"secret", "FILE",
     N_("derive each student's seed from this secret and the id, and never show it")},
    {"named", NULL, N_("students began with `start --student`: each has shapes of their own")},
    {"budget", "SECONDS", N_("the time for a lab; 180 by default, more on a busy machine")},
    {"regrade", "NAME ...",
     N_("grade this student again, or everyone whose points depend on this function or case; may "
        "be repeated")},
    {"no-grading", NULL, N_("grade nothing: only write the gradebook and the pages again")},
    {"due", "TIME", N_("note who handed in later than this, such as 2026-12-01T18:00")},
    {"late-penalty", "PERCENT", N_("what each day beyond a student's late days costs")},
    {"hide", "NAME ...",
     N_("a function, a case or `all`: students see only the sum of its points; may be repeated")},
    {"hide-until", "TIME", N_("hide only until then: everything, unless `--hide` says what")},
    {"similar", "PERCENT", N_("show submissions that are alike by at least this much")},
    {"no-speed", NULL, N_("leave out the timed part; its points are not counted")},
    {"pseudonyms", NULL,
     N_("write results under pseudonyms; who is who is in a folder next to them")},
    {"slurm", NULL, N_("grade on the nodes of a cluster, as a job array of Slurm")},
    {"sbatch", "OPTIONS", N_("more options for Slurm, such as `--partition=class`")},
    {"trust", NULL, N_("run submissions under your name where bubblewrap does not work")},
    {0},
};

const struct vl_command vl_command_batch = {
    .name = "batch",
    .takes = "FOLDER|ARCHIVE ...",
    .least = 1,
    .most = 1000,
    .summary = N_("Grade what a class handed in, and write the gradebook."),
    .flags = flags,
    .run = run,
};
