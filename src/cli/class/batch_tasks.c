/* Which gradings a class takes, and where their verdicts go. */
#include "cli/class/batch.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/path.h"
#include "base/text.h"
#include "class/book/results.h"
#include "grade/build/manifest.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <version.h>

#define FILE_MOST ((size_t)16 << 20) /* bytes */

/* The hash of a file, "" if it cannot be read: it is graded all the same, and the grading says why it
 * cannot. */
static void hash_file(char text[VL_HASH_TEXT], const char *path)
{
    char *bytes = NULL;
    size_t n = 0;
    text[0] = '\0';
    if (path != NULL && vl_file_read(&bytes, &n, path, FILE_MOST) == VL_OK)
        vl_manifest_hash(text, bytes, n);
    free(bytes);
}

/* Of the files that are graded. A single one may have any name. */
static enum vl_status hash_submission(char text[VL_HASH_TEXT], const struct vl_batch_task *task)
{
    struct vl_manifest manifest = {0};
    struct stat info;
    if (stat(task->path, &info) == 0 && S_ISREG(info.st_mode)) {
        hash_file(text, task->path);
        return VL_OK;
    }
    enum vl_status status = vl_manifest_read(&manifest, task->lab, task->path);
    memcpy(text, manifest.hash, VL_HASH_TEXT);
    vl_manifest_free(&manifest);
    return status;
}

/* Of the files and of how they are graded: what has this key need not be graded again. Students must not
 * find two submissions of one key, so it is a part of a hash for which nobody can. */
static enum vl_status find_key(char key[VL_HASH_TEXT], const struct vl_batch *batch,
                               const struct vl_batch_task *task)
{
    const struct vl_batch_request *request = batch->request;
    char files[VL_HASH_TEXT], secret[VL_HASH_TEXT];
    enum vl_status status = hash_submission(files, task);
    if (status != VL_OK)
        return status;
    hash_file(secret, request->secret);
    char *text = vl_text_format(
        "%s\n%s\n%s\n%s\n%s\n%a %a", files, request->seed != NULL ? request->seed : "", secret,
        request->named ? "named" : "", request->no_speed ? "numbers" : "all", request->budget,
        task->student != NULL ? task->student->extra_time : 1);
    if (text == NULL)
        return VL_ENOMEM;
    vl_manifest_hash(key, text, strlen(text));
    key[VL_RESULTS_KEY] = '\0';
    free(text);
    return VL_OK;
}

static enum vl_status place(const struct vl_batch *batch, struct vl_batch_task *task)
{
    static const char program[] = VL_VERSION VL_COMMIT;
    uint64_t version = vl_fingerprint(VL_FINGERPRINT, program, sizeof program);
    char key[VL_HASH_TEXT];
    enum vl_status status = find_key(key, batch, task);
    if (status != VL_OK)
        return status;
    char *folder = vl_text_format("%s/verdicts/%s", batch->request->out, task->lab->folder);
    if (folder == NULL)
        return VL_ENOMEM;
    status = vl_path_make_folders(folder) ? VL_OK : VL_EIO;
    char *name =
        vl_text_format("%s/%s.%s.%08x", folder, task->item->student, key, (unsigned)version);
    free(folder);
    if (name == NULL)
        return VL_ENOMEM;
    task->verdict = vl_text_format("%s.json", name);
    task->numbers = vl_text_format("%s.numbers.json", name);
    task->said = vl_text_format("%s.txt", name);
    task->before = vl_text_format("%s.before.json", name);
    free(name);
    if (task->verdict == NULL || task->numbers == NULL || task->said == NULL ||
        task->before == NULL)
        return VL_ENOMEM;
    return status;
}

static enum vl_status fill(const struct vl_batch *batch, struct vl_batch_task *task)
{
    const struct vl_handed_in *item = task->item;
    if (item->problem != NULL) {
        task->problem = strdup(item->problem);
        return task->problem != NULL ? VL_OK : VL_ENOMEM;
    }
    task->path = vl_handed_in_lab(item, task->lab);
    if (task->path != NULL) {
        enum vl_status status = vl_receipt_check(&task->receipt, task->lab, task->path);
        if (status == VL_OK && batch->request->pseudonyms)
            status = vl_batch_hide(batch, task);
        return status == VL_OK && task->problem == NULL ? place(batch, task) : status;
    }
    if (errno == ENOMEM)
        return VL_ENOMEM;
    task->problem = vl_text_format(_("There is no file of this lab in it."));
    return task->problem != NULL ? VL_OK : VL_ENOMEM;
}

static struct vl_batch_task *add(struct vl_batch *batch, const struct vl_handed_in *item,
                                 const struct vl_lab *lab)
{
    struct vl_batch_task *task = &batch->tasks[batch->task_count++];
    task->lab = lab;
    task->item = item;
    task->student = vl_roster_find(&batch->roster, item->student);
    return task;
}

/* What was handed in before. */
static enum vl_status add_replaced(struct vl_batch *batch, const struct vl_handed_in *item,
                                   const struct vl_handed_in *counts, const struct vl_lab *lab)
{
    struct vl_batch_task *task = add(batch, item, lab);
    task->problem = vl_text_format(_("The same student handed in `%s` later, and that one counts."),
                                   counts->from);
    return task->problem != NULL ? VL_OK : VL_ENOMEM;
}

/* May it be of the lab? One that could not be unpacked may. */
static bool may_have(const struct vl_handed_in *item, const struct vl_lab *lab)
{
    return item->lab == NULL || item->lab == lab;
}

static bool has_lab(const struct vl_handed_in *item, const struct vl_lab *lab)
{
    char *path = item->problem == NULL ? vl_handed_in_lab(item, lab) : NULL;
    free(path);
    return path != NULL;
}

/* Of a student's submissions, ordered from the newest, the first that has files of the lab counts:
 * labs may be handed in one by one. If none has any, the newest; NULL if all are of other labs. */
static const struct vl_handed_in *choose(const struct vl_handed_in *items, size_t count,
                                         const struct vl_lab *lab)
{
    const struct vl_handed_in *newest = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct vl_handed_in *item = &items[i];
        if (!may_have(item, lab))
            continue;
        if (item->problem != NULL || has_lab(item, lab))
            return item;
        if (newest == NULL)
            newest = item;
    }
    return newest;
}

static enum vl_status add_all(struct vl_batch *batch, const struct vl_handed_in *items,
                              size_t count, const struct vl_lab *lab)
{
    const struct vl_handed_in *counts = choose(items, count, lab);
    if (counts == NULL)
        return VL_OK;
    enum vl_status status = fill(batch, add(batch, counts, lab));
    for (const struct vl_handed_in *item = counts + 1; item < items + count && status == VL_OK;
         item++)
        if (may_have(item, lab) && has_lab(item, lab))
            status = add_replaced(batch, item, counts, lab);
    return status;
}

enum vl_status vl_batch_tasks(struct vl_batch *batch)
{
    const struct vl_batch_request *request = batch->request;
    batch->tasks = calloc(batch->intake.count * request->lab_count + 1, sizeof *batch->tasks);
    if (batch->tasks == NULL)
        return VL_ENOMEM;
    enum vl_status status = VL_OK;
    for (size_t i = 0, same; i < batch->intake.count; i += same) {
        same = vl_intake_same(&batch->intake, i);
        for (size_t k = 0; k < request->lab_count && status == VL_OK; k++)
            status = add_all(batch, &batch->intake.list[i], same, request->labs[k]);
    }
    return status;
}

void vl_batch_free(struct vl_batch *batch)
{
    for (size_t i = 0; i < batch->task_count; i++) {
        struct vl_batch_task *task = &batch->tasks[i];
        free(task->path);
        free(task->verdict);
        free(task->numbers);
        free(task->said);
        free(task->before);
        free(task->problem);
    }
    free(batch->tasks);
    vl_intake_free(&batch->intake);
    vl_roster_free(&batch->roster);
    vl_overrides_free(&batch->overrides);
    vl_similar_free(&batch->similar);
    vl_words_free(&batch->notices);
}
