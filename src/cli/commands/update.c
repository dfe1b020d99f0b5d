/*
 * Labs that were started get what the course has corrected since. workspace/refresh.h says what
 * happens to a file; nothing that the student wrote is lost.
 */
#include "base/path.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/workspace/editor.h"
#include "cli/workspace/given.h"
#include "cli/workspace/lock.h"
#include "cli/workspace/refresh.h"
#include "cli/workspace/workspace.h"
#include "sandbox/interrupt.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task {
    char *folder, *shown; /* the workspace, and its name for people */
    struct vl_record record;
    int lock;
    bool dry;
    size_t changes;
};

/* ---- one lab ---- */

static void tell_file(const struct vl_refresh *refresh, enum vl_refresh_kind kind, const char *name,
                      const char *beside)
{
    char *backup = refresh->backup != NULL ? vl_path_shown(refresh->backup) : NULL;
    printf("    ");
    if (kind == VL_REFRESH_ADDED)
        printf(_("%s is added: it is new in the lab, or was missing.\n"), name);
    else if (kind == VL_REFRESH_REPLACED)
        printf(_("%s is replaced: you had not changed it.\n"), name);
    else if (kind == VL_REFRESH_BESIDE)
        printf(_("%1$s stays as you wrote it; the course's new version is next to it, in %2$s.\n"),
               name, beside);
    else if (backup != NULL)
        printf(_("%1$s has the course's changes and yours, merged; yours alone is in %2$s.\n"),
               name, backup);
    else
        printf(_("%s has the course's changes and yours, merged; yours alone is in a backup.\n"),
               name);
    free(backup);
}

static enum vl_exit refuse(const struct task *task, const struct vl_refresh *refresh,
                           enum vl_status status, const char *name)
{
    if (status == VL_ELACK)
        return vl_say(VL_EXIT_LACK,
                      _("The course's file labs/%1$s/%2$s is missing: fetch the course again with "
                        "git."),
                      refresh->lab->folder, name);
    if (status == VL_EIO && refresh->problem != NULL)
        return vl_say(VL_EXIT_LACK,
                      _("%s cannot be written (%m). Nothing of yours is lost; the same command "
                        "goes on."),
                      refresh->problem);
    return status == VL_EIO ? vl_workspace_refuse_write(task->shown) : vl_say_status(status);
}

/* A heading before the first change of a lab. */
static void count_change(struct task *task, size_t *changes, const struct vl_lab *lab)
{
    if ((*changes)++ == 0)
        printf(_("Lab %1$02d, in %2$s/%3$s:\n"), lab->number, task->shown, lab->folder);
    task->changes++;
}

static enum vl_exit refresh_files(struct task *task, struct vl_refresh *refresh, size_t *changes)
{
    enum vl_exit result = VL_EXIT_OK;
    for (const char *const *file = refresh->lab->files; *file != NULL && result == VL_EXIT_OK;
         file++) {
        enum vl_refresh_kind kind = VL_REFRESH_SAME;
        char *beside = NULL;
        if (vl_interrupt_seen())
            return VL_EXIT_LACK;
        enum vl_status status = vl_refresh_file(&kind, &beside, refresh, *file);
        if (status == VL_OK && kind != VL_REFRESH_SAME) {
            count_change(task, changes, refresh->lab);
            tell_file(refresh, kind, *file, beside);
            fflush(stdout);
        } else if (status != VL_OK)
            result = refuse(task, refresh, status, *file);
        free(beside);
    }
    return result;
}

static bool is_of_lab(const struct vl_lab *lab, const char *name)
{
    for (const char *const *file = lab->files; *file != NULL; file++)
        if (strcmp(*file, name) == 0)
            return true;
    return false;
}

/* What was given once and is no longer: told once, and left. */
static void tell_gone(struct task *task, const struct vl_lab *lab, size_t *changes)
{
    char *folder = vl_given_path(task->folder, lab, NULL);
    DIR *entries = folder != NULL ? opendir(folder) : NULL;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        char *kept = entry->d_name[0] != '.' && !is_of_lab(lab, entry->d_name)
                         ? vl_path_join(folder, entry->d_name)
                         : NULL;
        if (kept == NULL)
            continue;
        count_change(task, changes, lab);
        printf("    ");
        printf(_("%s no longer belongs to the lab; your file stays.\n"), entry->d_name);
        if (!task->dry)
            unlink(kept);
        free(kept);
    }
    if (entries != NULL)
        closedir(entries);
    free(folder);
}

static enum vl_exit update_lab(struct task *task, const struct vl_lab *lab)
{
    struct vl_refresh refresh = {.workspace = task->folder,
                                 .student = vl_record_student(&task->record),
                                 .lab = lab,
                                 .dry = task->dry};
    size_t changes = 0;
    enum vl_exit result = refresh_files(task, &refresh, &changes);
    if (result == VL_EXIT_OK)
        tell_gone(task, lab, &changes);
    if (result == VL_EXIT_OK && changes == 0)
        printf(_("Lab %02d is as the course has it today: there is nothing to update.\n"),
               lab->number);
    else if (result == VL_EXIT_OK && !task->dry)
        printf(_("Grade it again: `vialata grade %02d`.\n"), lab->number);
    vl_refresh_free(&refresh);
    return result;
}

/* ---- the workspace ---- */

static enum vl_exit read_record(struct task *task)
{
    enum vl_status status = vl_record_read(&task->record, task->folder);
    if (status != VL_OK)
        return vl_say_status(status);
    if (task->record.state == VL_RECORD_NEWER)
        return vl_workspace_refuse_newer(&task->record, task->shown);
    if (task->record.state != VL_RECORD_READ)
        return vl_say(VL_EXIT_LACK,
                      _("The record %1$s/%2$s is missing or damaged, so nothing was updated: "
                        "`vialata start` writes it again. Add `--student NAME` if you started with "
                        "it."),
                      task->shown, VL_RECORD_NAME);
    return VL_EXIT_OK;
}

static enum vl_exit update_labs(struct task *task, const struct vl_lab *lab)
{
    enum vl_exit result = VL_EXIT_OK;
    size_t started = 0;
    for (size_t i = 0; i < vl_lab_count && result == VL_EXIT_OK; i++) {
        if ((lab != NULL && vl_labs[i] != lab) || !vl_workspace_has(task->folder, vl_labs[i]))
            continue;
        started++;
        result = update_lab(task, vl_labs[i]);
    }
    if (started == 0)
        return vl_say(VL_EXIT_USAGE,
                      _("No lab is started in %s: `vialata start 01` begins the first one."),
                      task->shown);
    return result;
}

static enum vl_exit finish(struct task *task)
{
    if (task->dry && task->changes > 0)
        printf(_("Nothing was changed: this is what the command does without `--dry-run`.\n"));
    if (task->dry)
        return VL_EXIT_OK;
    enum vl_status status = vl_editor_write(&task->record, task->folder);
    if (status == VL_OK)
        status = vl_record_write(&task->record, task->folder);
    return status == VL_OK ? VL_EXIT_OK : vl_workspace_refuse_write(task->shown);
}

static enum vl_exit update(struct task *task, const struct vl_lab *lab)
{
    enum vl_exit result = VL_EXIT_OK;
    if (!task->dry) {
        task->lock = vl_workspace_lock(task->folder);
        if (task->lock < 0)
            return vl_workspace_refuse_write(task->shown);
    }
    result = read_record(task);
    if (result == VL_EXIT_OK)
        result = update_labs(task, lab);
    return result == VL_EXIT_OK ? finish(task) : result;
}

static int run(const struct vl_arguments *arguments)
{
    struct task task = {.dry = vl_argument(arguments, "dry-run") != NULL, .lock = -1};
    const char *word = arguments->count > 0 ? arguments->words[0] : "all";
    const struct vl_lab *lab = NULL;
    if (strcmp(word, "all") != 0 && (lab = vl_lab_named(word)) == NULL)
        return VL_EXIT_USAGE;
    enum vl_exit result = lab != NULL ? vl_workspace_require(lab) : VL_EXIT_OK;
    if (result != VL_EXIT_OK)
        return result;
    task.folder = vl_workspace_open();
    task.shown = task.folder != NULL ? vl_path_shown(task.folder) : NULL;
    if (task.folder == NULL)
        return VL_EXIT_LACK;
    vl_interrupt_begin();
    if (task.shown == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (access(task.folder, F_OK) != 0)
        result = vl_say(VL_EXIT_USAGE,
                        _("No lab is started in %s: `vialata start 01` begins the first one."),
                        task.shown);
    else
        result = update(&task, lab);
    if (task.lock >= 0)
        close(task.lock);
    vl_record_free(&task.record);
    free(task.shown);
    free(task.folder);
    vl_interrupt_end();
    return result;
}

static const struct vl_flag flags[] = {
    {"dry-run", NULL, N_("say what would happen, and change nothing")},
    {0},
};

const struct vl_command vl_command_update = {
    .name = "update",
    .takes = "[LAB|all]",
    .least = 0,
    .most = 1,
    .summary = N_("Bring corrections of the course into labs that you have started."),
    .flags = flags,
    .run = run,
};
