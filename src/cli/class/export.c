/* vialata export: verdicts that were kept, as a learning platform reads them. */
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/book/results.h"
#include "cli/shared/arguments.h"
#include "cli/shared/formats.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include "report/verdict/read.h"
#include <stdlib.h>
#include <string.h>

struct task {
    enum vl_report_format format;
    const char *out;
    const struct vl_lab **labs;
    size_t lab_count;
};

static enum vl_exit read_task(struct task *task, const struct vl_arguments *arguments)
{
    const char *labs = vl_argument(arguments, "labs");
    task->out = vl_argument(arguments, "out");
    if (task->out == NULL)
        return vl_say(VL_EXIT_USAGE, _("`vialata export` needs to know where its files go: add "
                                       "`--out FOLDER`."));
    for (size_t i = 0; i < vl_lab_count; i++)
        task->labs[i] = vl_labs[i];
    task->lab_count = vl_lab_count;
    enum vl_exit result = vl_format_named(&task->format, arguments->words[0]);
    if (result == VL_EXIT_OK && labs != NULL)
        result = vl_labs_named(task->labs, &task->lab_count, labs);
    return result;
}

static enum vl_exit read_verdict(struct vl_verdict *verdict, const char *path)
{
    enum vl_status status = vl_verdict_read(verdict, path);
    if (status == VL_EIO)
        return vl_say(VL_EXIT_USAGE, _("The verdict %s cannot be read (%m)."), path);
    if (status == VL_EFORMAT)
        return vl_say(
            VL_EXIT_USAGE,
            _("%s is not a verdict: `vialata grade --format json --out FILE` writes one."), path);
    return vl_say_status(status);
}

/* In the language of the verdicts: their sentences are. */
static enum vl_exit write_report(const struct task *task, const char *folder,
                                 const struct vl_verdict *verdicts, size_t count)
{
    const char *language = vl_text_language();
    char *share = vl_place_path("share", NULL);
    char *path = vl_path_join(folder, vl_report_format_file(task->format));
    enum vl_status status = VL_ENOMEM;
    if (share != NULL && path != NULL && !vl_path_make_folders(folder))
        status = VL_EIO;
    else if (share != NULL && path != NULL) {
        vl_text_start(verdicts[0].language, share);
        status = vl_report_save(path, verdicts, count, count > 1, task->format);
        vl_text_start(language, share);
    }
    enum vl_exit result = vl_write_say(status, path, VL_EXIT_USAGE);
    free(share);
    free(path);
    return result;
}

/* ---- verdicts by name: one submission, so each lab once ---- */

static enum vl_exit check_labs(const struct vl_verdict *verdicts, size_t count, char **paths)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (verdicts[i].lab == verdicts[k].lab)
                return vl_say(VL_EXIT_USAGE,
                              _("%1$s and %2$s are verdicts on the same lab: export them one by "
                                "one, each to a folder of its own."),
                              paths[k], paths[i]);
    return VL_EXIT_OK;
}

static enum vl_exit export_verdicts(const struct task *task, char **paths, size_t count)
{
    struct vl_verdict *verdicts = calloc(count, sizeof *verdicts);
    enum vl_exit result = VL_EXIT_OK;
    if (verdicts == NULL)
        return vl_say_status(VL_ENOMEM);
    for (size_t i = 0; i < count && result == VL_EXIT_OK; i++)
        result = read_verdict(&verdicts[i], paths[i]);
    if (result == VL_EXIT_OK)
        result = check_labs(verdicts, count, paths);
    if (result == VL_EXIT_OK)
        result = write_report(task, task->out, verdicts, count);
    for (size_t i = 0; i < count; i++)
        vl_verdict_free(&verdicts[i]);
    free(verdicts);
    return result;
}

/* ---- a class: a folder for each student ---- */

static size_t count_of_student(const struct vl_kept_verdict *list, size_t most)
{
    size_t n = 1;
    while (n < most && strcmp(list[n].student, list[0].student) == 0)
        n++;
    return n;
}

static enum vl_exit export_student(const struct task *task, const struct vl_kept_verdict *list,
                                   size_t count)
{
    struct task own = *task;
    char **paths = calloc(count, sizeof *paths), *folder = vl_path_join(task->out, list[0].student);
    for (size_t i = 0; i < count && paths != NULL; i++)
        paths[i] = list[i].path;
    own.out = folder;
    enum vl_exit result = paths != NULL && folder != NULL ? export_verdicts(&own, paths, count)
                                                          : vl_say_status(VL_ENOMEM);
    free(paths);
    free(folder);
    return result;
}

static enum vl_exit export_class(const struct task *task, const char *folder)
{
    struct vl_kept_verdicts kept;
    enum vl_status status = vl_kept_verdicts_find(&kept, folder, task->labs, task->lab_count);
    enum vl_exit result =
        status == VL_EIO ? vl_say(VL_EXIT_USAGE, _("The verdict %s cannot be read (%m)."), folder)
                         : vl_say_status(status);
    if (result == VL_EXIT_OK && kept.count == 0)
        result = vl_say(VL_EXIT_USAGE, _("There is no verdict on these labs in %s."), folder);
    size_t students = 0;
    for (size_t i = 0; i < kept.count && result == VL_EXIT_OK; students++) {
        size_t n = count_of_student(&kept.list[i], kept.count - i);
        result = export_student(task, &kept.list[i], n);
        i += n;
    }
    if (result == VL_EXIT_OK)
        printf(VL_NGETTEXT("Exported: %zu student, in %s.\n", "Exported: %zu students, in %s.\n",
                           students),
               students, task->out);
    vl_kept_verdicts_free(&kept);
    return result;
}

static enum vl_exit do_export(const struct task *task, const struct vl_arguments *arguments)
{
    size_t count = (size_t)arguments->count - 1;
    char **paths = arguments->words + 1;
    if (vl_is_results(paths[0]) && count == 1)
        return export_class(task, paths[0]);
    return export_verdicts(task, paths, count);
}

static int run(const struct vl_arguments *arguments)
{
    struct task task = {.labs = calloc(vl_lab_count, sizeof *task.labs)};
    if (task.labs == NULL)
        return vl_say_status(VL_ENOMEM);
    enum vl_exit result = read_task(&task, arguments);
    if (result == VL_EXIT_OK)
        result = do_export(&task, arguments);
    free(task.labs);
    return result;
}

static const struct vl_flag flags[] = {
    {"out", "FOLDER", N_("where the files go; for a class, a folder for each student")},
    {"labs", "NN", N_("of a class, only these labs: 02, or 01-04, or 01,03")},
    {0},
};

const struct vl_command vl_command_export = {
    .name = "export",
    .takes = "FORMAT VERDICT ...|RESULTS",
    .least = 2,
    .most = 1 + 64,
    .summary = N_("Write kept verdicts, or a class's, as a learning platform reads them."),
    .flags = flags,
    .run = run,
};
