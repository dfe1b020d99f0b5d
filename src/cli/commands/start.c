/*
 * Make the workspace, or add labs to it. Every step may be interrupted: the record comes first, so
 * that the workspace is recognized again; a lab is there as a whole or not at all; and the next
 * start completes the rest.
 */
#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/handout/handout.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/secret.h"
#include "cli/workspace/editor.h"
#include "cli/workspace/fill.h"
#include "cli/workspace/lock.h"
#include "cli/workspace/repository.h"
#include "cli/workspace/workspace.h"
#include "report/verdict/typed.h"
#include "version.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct task {
    const char *in;      /* --in, or NULL */
    const char *student; /* --student, or NULL */
    char *folder;        /* the workspace */
    char *shown;         /* its name for sentences */
    struct vl_record record;
    int lock;
    int fresh; /* there was no workspace before */
};

/* ---- where ---- */

static int is_of_course(const char *folder)
{
    static const char *const keys[] = {"labs", "solutions", "include", "share"};
    int inside = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *path = vl_place_path(keys[i], NULL), *own = path ? vl_path_absolute(path) : NULL;
        inside |= own != NULL && vl_place_text(keys[i])[0] != '\0' && vl_path_is_below(folder, own);
        free(own);
        free(path);
    }
    char *root = vl_path_absolute(vl_place_text("root"));
    inside |= vl_place_text("root")[0] != '\0' && root != NULL && strcmp(folder, root) == 0;
    free(root);
    return inside;
}

static enum vl_exit find_folder(struct task *task)
{
    struct stat info;
    if (task->in != NULL && task->in[0] == '\0')
        return vl_say(VL_EXIT_USAGE, _("`--in` needs the name of a folder."));
    task->folder = task->in != NULL ? vl_path_absolute(task->in) : vl_workspace_open();
    if (task->folder == NULL)
        return task->in != NULL ? vl_say_status(VL_ENOMEM) : VL_EXIT_LACK;
    task->shown = vl_path_shown(task->folder);
    if (task->shown == NULL)
        return vl_say_status(VL_ENOMEM);
    if (is_of_course(task->folder))
        return vl_say(VL_EXIT_USAGE,
                      _("%s belongs to the course, which stays as it is: choose another folder for "
                        "your work with `--in FOLDER`."),
                      task->shown);
    if (stat(task->folder, &info) == 0 && !S_ISDIR(info.st_mode))
        return vl_say(VL_EXIT_LACK,
                      _("The workspace %s is a file, not a folder. Move it away, or choose another "
                        "name: `vialata start --in FOLDER`."),
                      task->shown);
    return VL_EXIT_OK;
}

static enum vl_exit read_record(struct task *task)
{
    enum vl_status status = vl_record_read(&task->record, task->folder);
    if (status != VL_OK)
        return vl_say_status(status);
    if (task->record.state == VL_RECORD_NEWER)
        return vl_workspace_refuse_newer(&task->record, task->shown);
    const char *owner = vl_record_student(&task->record);
    if (task->student != NULL && owner != NULL && strcmp(owner, task->student) != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("The workspace %1$s was started for %2$s: choose another folder for %3$s "
                        "with `--in FOLDER`."),
                      task->shown, owner, task->student);
    if (task->student == NULL && owner == NULL && vl_place_text("named")[0] != '\0')
        return vl_say(VL_EXIT_USAGE, _(VL_HANDOUT_ASK_NAME), vl_lab_first_here()->number);
    if (task->student != NULL &&
        json_object_set_new(task->record.json, "student", json_string(task->student)) != 0)
        return vl_say_status(VL_ENOMEM);
    task->fresh = task->record.state == VL_RECORD_ABSENT;
    if (task->record.state == VL_RECORD_DAMAGED)
        vl_say(VL_EXIT_OK,
               _("The record %1$s/%2$s was damaged, and was written again. Your own files are "
                 "unchanged."),
               task->shown, VL_RECORD_NAME);
    if (task->record.state == VL_RECORD_READ && strcmp(task->record.version, VL_VERSION) != 0)
        vl_say(
            VL_EXIT_OK,
            _("The workspace %1$s was made by Vialata %2$s; this is %3$s. Your own files stay as "
              "they are, and the files for your editor are updated."),
            task->shown, task->record.version, VL_VERSION);
    return VL_EXIT_OK;
}

/* From here on it is a workspace, and only this process works on it. */
static enum vl_exit open_workspace(struct task *task)
{
    enum vl_exit result = find_folder(task);
    if (result != VL_EXIT_OK)
        return result;
    task->lock = vl_workspace_lock(task->folder);
    if (task->lock < 0)
        return vl_workspace_refuse_write(task->shown);
    result = read_record(task); /* under the lock: another start may just have changed it */
    if (result != VL_EXIT_OK)
        return result;
    return vl_record_write(&task->record, task->folder) == VL_OK
               ? VL_EXIT_OK
               : vl_workspace_refuse_write(task->shown);
}

/* ---- one lab ---- */

static void tell_next(const struct task *task, const struct vl_lab *lab)
{
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *function = &lab->functions[i];
        if (function->points <= 0 || function->file == NULL)
            continue;
        printf(_("Begin with %1$s, in %2$s/%3$s/%4$s:\n"), function->name, task->shown, lab->folder,
               function->file);
        vl_typed(stdout, "explain %02d", lab->number);
        vl_typed(stdout, "watch %02d", lab->number);
        return;
    }
}

static void tell_filled(const struct task *task, const struct vl_lab *lab,
                        const struct vl_filled *filled)
{
    if (filled->fresh)
        printf(_("Lab %1$02d, %2$s, is in %3$s/%4$s\n"), lab->number, lab->slug, task->shown,
               lab->folder);
    else if (filled->put_back != NULL)
        printf(_("Lab %1$02d was not complete. These files are back: %2$s\n"), lab->number,
               filled->put_back);
    else
        printf(_("Lab %1$02d is already started, in %2$s/%3$s: nothing was changed.\n"),
               lab->number, task->shown, lab->folder);
    fflush(stdout);
    if (filled->edited)
        vl_say(VL_EXIT_OK,
               _("What you wrote in `labs/%1$s` was copied to your workspace. Files in `labs/` are "
                 "no longer graded; `git checkout HEAD labs/%1$s` restores the course's own."),
               lab->folder);
    if (filled->backups > 0)
        vl_say(VL_EXIT_OK, _("Your old backups moved from `labs/%1$s` to `%2$s/%1$s`."),
               lab->folder, task->shown);
}

static enum vl_exit start_lab(struct task *task, const struct vl_lab *lab, int alone)
{
    struct vl_filled filled;
    enum vl_exit result = VL_EXIT_OK;
    enum vl_status status =
        vl_fill_lab(&filled, task->folder, lab, vl_record_student(&task->record));
    if (status == VL_ELACK)
        result = vl_say(VL_EXIT_LACK,
                        _("The course's file %s is missing, so nothing was changed: fetch the "
                          "course again with git."),
                        filled.missing);
    else if (status == VL_EIO)
        result = vl_workspace_refuse_write(task->shown);
    else if (status != VL_OK)
        result = vl_say_status(status);
    if (status == VL_OK && vl_editor_write(&task->record, task->folder) != VL_OK)
        result = vl_workspace_refuse_write(task->shown);
    if (result == VL_EXIT_OK && filled.fresh &&
        vl_repository_keep(&task->record, task->folder, lab) != VL_OK)
        vl_say(VL_EXIT_OK,
               _("git could not commit lab %02d as it was given. Everything else is ready."),
               lab->number);
    if (result == VL_EXIT_OK)
        tell_filled(task, lab, &filled);
    if (result == VL_EXIT_OK && filled.fresh && alone)
        tell_next(task, lab);
    vl_filled_free(&filled);
    return result;
}

/* ---- all that was asked ---- */

static const struct vl_lab *first_unstarted(const struct task *task)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_lab_is_here(vl_labs[i]) && !vl_workspace_has(task->folder, vl_labs[i]))
            return vl_labs[i];
    return NULL;
}

static enum vl_exit start_labs(struct task *task, const char *word, const struct vl_lab *lab)
{
    enum vl_exit result = VL_EXIT_OK;
    if (word == NULL && (lab = first_unstarted(task)) == NULL) {
        printf(_("All labs are started, in %s\n"), task->shown);
        return VL_EXIT_OK;
    }
    if (lab != NULL)
        return start_lab(task, lab, 1);
    for (size_t i = 0; result == VL_EXIT_OK && i < vl_lab_count; i++)
        if (vl_lab_is_here(vl_labs[i]))
            result = start_lab(task, vl_labs[i], 0);
    return result;
}

/* Later commands must find the workspace again. */
static void remember(const struct task *task)
{
    const char *fixed = getenv("VIALATA_WORK");
    char *elsewhere = fixed != NULL && fixed[0] != '\0' ? vl_path_absolute(fixed) : NULL;
    if (elsewhere != NULL && strcmp(elsewhere, task->folder) != 0)
        vl_say(VL_EXIT_OK,
               _("VIALATA_WORK is set to %1$s, so other commands will look there: set it to %2$s, "
                 "or unset it."),
               fixed, task->folder);
    free(elsewhere);
    vl_workspace_remember(task->folder);
}

static enum vl_exit start(struct task *task, const char *word, const struct vl_lab *lab)
{
    enum vl_exit result = open_workspace(task);
    if (result != VL_EXIT_OK)
        return result;
    if (vl_repository_make(&task->record, task->folder) != VL_OK)
        vl_say(VL_EXIT_OK,
               _("git could not create a repository in %s. Everything works without it."),
               task->shown);
    result = start_labs(task, word, lab);
    if (result == VL_EXIT_OK && vl_record_write(&task->record, task->folder) != VL_OK)
        result = vl_workspace_refuse_write(task->shown);
    if (result == VL_EXIT_OK && task->fresh)
        printf(_("Open the folder %s in your editor: it finds every header there.\n"), task->shown);
    if (result == VL_EXIT_OK && task->in != NULL)
        remember(task);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct task task = {.in = vl_argument(arguments, "in"),
                        .student = vl_argument(arguments, "student"),
                        .lock = -1};
    const char *word = arguments->count > 0 ? arguments->words[0] : NULL;
    const struct vl_lab *lab = NULL;
    if (word != NULL && strcmp(word, "all") != 0 && (lab = vl_lab_named(word)) == NULL)
        return VL_EXIT_USAGE;
    enum vl_exit result = vl_student_check(task.student);
    if (result == VL_EXIT_OK)
        result = start(&task, word, lab);
    if (task.lock >= 0)
        close(task.lock);
    vl_record_free(&task.record);
    free(task.shown);
    free(task.folder);
    return result;
}

static const struct vl_flag flags[] = {
    {"in", "FOLDER",
     N_("the folder of your workspace; by default VIALATA_WORK, or work/ in the course")},
    {"student", "NAME", N_("ask for predictions about shapes of this student's own")},
    {0},
};

const struct vl_command vl_command_start = {
    .name = "start",
    .takes = "[LAB|all]",
    .least = 0,
    .most = 1,
    .summary = N_("Start a lab in your own workspace; by default, the next one."),
    .flags = flags,
    .run = run,
};
