/*
 * vialata forget: what the results of a class hold about one student is deleted. Files go first and
 * the table of names last, so that an interrupted deletion is completed by the next one.
 */
#include "class/privacy/forget.h"

#include "base/file_lock.h"
#include "base/path.h"
#include "base/text.h"
#include "class/privacy/pseudonym.h"
#include "cli/class/names.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "grade/catalogue/lab.h"
#include "sandbox/scratch/scratch.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task {
    const char *results, *student;
    const char *id; /* what files and rows call the student: the pseudonym, where there are some */
    char *names;    /* the table of names; NULL: the results have no pseudonyms */
    struct vl_pseudonyms table;
    size_t removed;
};

static enum vl_exit refuse(const char *path, enum vl_status status)
{
    if (status == VL_EIO)
        return vl_say(
            VL_EXIT_LACK,
            _("%s could not be read or changed (%m). What was deleted stays deleted: run the "
              "command again to go on."),
            path);
    if (status == VL_EFORMAT)
        return vl_say(VL_EXIT_LACK,
                      _("%s is not the table that `vialata batch` writes, so it was left as it is: "
                        "delete the student's row by hand."),
                      path);
    return vl_say_status(status);
}

/* ---- whom ---- */

static enum vl_exit find_student(struct task *task)
{
    task->id = task->student;
    if (!vl_names_are_hidden(task->results))
        return VL_EXIT_OK;
    task->names = vl_names_path(task->results, "names.csv");
    if (task->names == NULL)
        return vl_say_status(VL_ENOMEM);
    enum vl_status status = vl_pseudonyms_read(&task->table, task->names);
    if (status != VL_OK)
        return refuse(task->names, status);
    const struct vl_pseudonym_row *row = vl_pseudonyms_find(&task->table, task->student);
    task->id = row != NULL ? row->pseudonym : task->student;
    return VL_EXIT_OK;
}

/* ---- deleting ---- */

static void tell_removed(struct task *task, const char *path)
{
    task->removed++;
    printf(_("Deleted: %s\n"), path);
}

static enum vl_exit forget_files(struct task *task)
{
    struct vl_forgotten removed = {0};
    enum vl_status status = vl_forget_files(&removed, task->results, task->id);
    int why = errno;
    for (size_t i = 0; i < removed.count; i++)
        tell_removed(task, removed.paths[i]);
    vl_forgotten_free(&removed);
    errno = why;
    return status == VL_OK ? VL_EXIT_OK : refuse(task->results, status);
}

static enum vl_exit forget_rows(struct task *task)
{
    char *path = vl_path_join(task->results, "gradebook.csv");
    size_t rows = 0;
    enum vl_status status = path != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && access(path, F_OK) == 0)
        status = vl_forget_rows(&rows, path, task->id);
    enum vl_exit result = status == VL_OK ? VL_EXIT_OK : refuse(path, status);
    if (rows > 0 && status == VL_OK) {
        task->removed += rows;
        printf(_("Deleted: the student's row in %s\n"), path);
    }
    free(path);
    return result;
}

/* Takes 'path' over. */
static enum vl_exit forget_page(char *path)
{
    enum vl_exit result = VL_EXIT_OK;
    if (path == NULL)
        return vl_say_status(VL_ENOMEM);
    if (unlink(path) == 0)
        printf(_("Deleted: %s, which the next `vialata batch` writes again\n"), path);
    else if (errno != ENOENT)
        result = refuse(path, VL_EIO);
    free(path);
    return result;
}

/* They are about all students; the next `batch` writes them again, without this one. */
static enum vl_exit forget_class_pages(struct task *task)
{
    if (task->removed == 0)
        return VL_EXIT_OK;
    char *unpacked = vl_path_join(task->results, ".unpacked");
    if (unpacked != NULL)
        vl_scratch_remove(unpacked); /* of a `batch` that was killed */
    free(unpacked);
    enum vl_exit result = forget_page(vl_path_join(task->results, "class.html"));
    for (size_t i = 0; i < vl_lab_count && result == VL_EXIT_OK; i++)
        result =
            forget_page(vl_text_format("%s/points/%s.json", task->results, vl_labs[i]->folder));
    return result;
}

static enum vl_exit forget_name(struct task *task)
{
    struct vl_pseudonym_row *row =
        task->names != NULL ? vl_pseudonyms_find(&task->table, task->student) : NULL;
    if (row == NULL)
        return VL_EXIT_OK;
    vl_pseudonyms_remove(&task->table, row); /* the id points into it: this is the end */
    task->id = task->student;
    enum vl_status status = vl_pseudonyms_write(&task->table, task->names);
    if (status != VL_OK)
        return refuse(task->names, status);
    task->removed++;
    printf(_("Deleted: the student's row in %s\n"), task->names);
    return VL_EXIT_OK;
}

/* Of what others wrote here, only a person can say whether it is about the student. */
static enum vl_exit tell_left(const struct task *task)
{
    struct vl_forgotten found = {0};
    enum vl_status status = vl_forget_search(&found, task->results, task->id);
    enum vl_exit result = status == VL_OK ? VL_EXIT_OK : refuse(task->results, status);
    if (found.count > 0)
        printf(_("These files still have the word `%s` in them; look whether it means the "
                 "student:\n"),
               task->id);
    for (size_t i = 0; i < found.count; i++)
        printf("    %s\n", found.paths[i]);
    vl_forgotten_free(&found);
    return result;
}

static enum vl_exit forget(struct task *task)
{
    enum vl_exit result = find_student(task);
    if (result == VL_EXIT_OK)
        result = forget_files(task);
    if (result == VL_EXIT_OK)
        result = forget_rows(task);
    if (result == VL_EXIT_OK)
        result = forget_class_pages(task);
    if (result == VL_EXIT_OK)
        result = tell_left(task);
    if (result == VL_EXIT_OK)
        result = forget_name(task);
    if (result != VL_EXIT_OK)
        return result;
    if (task->removed == 0)
        return vl_say(VL_EXIT_USAGE, _("There is nothing about `%1$s` in %2$s."), task->student,
                      task->results);
    printf(_("What the student handed in is still where you keep it: delete it there too, or the "
             "next `vialata batch` grades it again.\n"));
    return VL_EXIT_OK;
}

static int run(const struct vl_arguments *arguments)
{
    struct task task = {.results = vl_argument(arguments, "results"),
                        .student = arguments->words[0]};
    struct vl_file_lock lock = {0};
    if (task.results == NULL)
        return vl_say(VL_EXIT_USAGE, _("`vialata forget` needs to know which results: `vialata "
                                       "forget STUDENT --results RESULTS`."));
    char *path = vl_path_join(task.results, "class.json");
    enum vl_exit result = VL_EXIT_OK;
    if (path == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (access(path, F_OK) != 0)
        result = vl_say(VL_EXIT_USAGE, _("%s is not a folder of results of `vialata batch`."),
                        task.results);
    else if (vl_file_lock(&lock, path) != VL_OK)
        result = errno == EWOULDBLOCK
                     ? vl_say(VL_EXIT_USAGE,
                              _("Another `vialata batch` works in %s: wait until it "
                                "has ended."),
                              task.results)
                     : refuse(task.results, VL_EIO);
    else
        result = forget(&task);
    vl_file_unlock(&lock);
    vl_pseudonyms_free(&task.table);
    free(task.names);
    free(path);
    return result;
}

static const struct vl_flag flags[] = {
    {"results", "FOLDER", N_("the folder of results, as `batch --out` named it")},
    {0},
};

const struct vl_command vl_command_forget = {
    .name = "forget",
    .takes = "STUDENT",
    .least = 1,
    .most = 1,
    .summary = N_("Delete what the results of a class hold about one student."),
    .flags = flags,
    .run = run,
};
