/* The gradings of a class: numbers a few at a time, then timed parts. Those take turns (sandbox/turn.h):
 * the next ones are compiled meanwhile. */
#include "cli/class/batch.h"

#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/class/slurm/slurm.h"
#include "cli/class/workers.h"
#include "grade/run/grade.h"
#include "report/draw/terminal.h"
#include "report/verdict/read.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct pass {
    const struct vl_batch *batch;
    struct vl_batch_task **tasks; /* those of this pass */
    size_t count;
    size_t all, done; /* gradings, and those that were told */
    bool timed;
    bool again; /* only to get the reason for a missing verdict in our language */
    double began;
    struct vl_terminal terminal;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the words of one grading ---- */

static const char *language_of(const struct vl_batch_task *task)
{
    return task->student != NULL && task->student->language != NULL ? task->student->language
                                                                    : vl_text_language();
}

static void add_way(struct vl_words *words, const struct pass *pass,
                    const struct vl_batch_task *task)
{
    const struct vl_batch_request *request = pass->batch->request;
    vl_words_add(words, "--lang=%s", pass->again ? vl_text_language() : language_of(task));
    vl_words_add(words, request->trust ? "--trust" : "--require-sandbox");
    if (request->seed != NULL)
        vl_words_add(words, "--seed=%s", request->seed);
    if (request->secret != NULL)
        vl_words_add(words, "--secret=%s", request->secret);
    if (request->secret != NULL || request->named) {
        const struct vl_handed_in *item = task->item;
        vl_words_add(words, "--student=%s", item->id != NULL ? item->id : item->student);
        if (item->id != NULL)
            vl_words_add(words, "--shown-as=%s", item->student);
    }
    double budget = request->budget, extra = task->student != NULL ? task->student->extra_time : 1;
    if (budget > 0 || extra > 1)
        vl_words_add(words, "--budget=%.0f", (budget > 0 ? budget : VL_GRADE_BUDGET) * extra);
}

static enum vl_status begin(void *context, size_t i, struct vl_words *words, char **output)
{
    const struct pass *pass = context;
    const struct vl_batch_task *task = pass->tasks[i];
    bool partly = !pass->timed && !pass->batch->request->no_speed;
    vl_words_add(words, "/proc/self/exe");
    vl_words_add(words, "grade");
    vl_words_add(words, "%02d", task->lab->number);
    vl_words_add(words, "--submission=%s", task->path);
    vl_words_add(words, "--format=json");
    vl_words_add(words, "--out=%s", partly ? task->numbers : task->verdict);
    if (!pass->timed)
        vl_words_add(words, "--no-speed");
    else
        vl_words_add(words, "--numbers=%s", task->numbers);
    add_way(words, pass, task);
    *output = strdup(task->said);
    return *output != NULL ? VL_OK : VL_ENOMEM;
}

/* ---- progress ---- */

static void tell(struct pass *pass, const struct vl_batch_task *task, const char *result)
{
    char left[VL_NUMBER_TEXT];
    pass->done++;
    double seconds = (now() - pass->began) / (double)pass->done * (double)(pass->all - pass->done);
    vl_number_text(left, seconds / 60, 0);
    vl_terminal_sentence(&pass->terminal, VL_STYLE_PLAIN,
                         /* TRANSLATORS: one line of progress: gradings done, all of them, whose,
                            the lab, the result, minutes left */
                         _("%1$zu of %2$zu: %3$s, lab %4$02d: %5$s (%6$s min left)"), pass->done,
                         pass->all, task->item->student, task->lab->number, result, left);
    fflush(pass->terminal.stream);
}

/* The first line of what a grading printed: why it gave no verdict. */
static char *first_line(const char *path)
{
    char line[512] = "";
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) != NULL)
            line[strcspn(line, "\r\n")] = '\0';
        fclose(file);
    }
    return vl_text_format("%s", line[0] != '\0' ? line : _("The grading gave no verdict."));
}

enum vl_status vl_batch_read_verdict(struct vl_verdict *verdict, const char *path)
{
    enum vl_status status = vl_verdict_read(verdict, path);
    if (status == VL_OK && verdict->status == VL_VERDICT_ERROR) {
        vl_verdict_free(verdict);
        return VL_EFORMAT;
    }
    return status;
}

/* What the file says is not a verdict: the next run grades it. */
static void ended_without(struct pass *pass, struct vl_batch_task *task, int exit_status,
                          const char *path)
{
    char *problem = NULL;
    unlink(path);
    if (exit_status < 0)
        problem = vl_text_format(
            _("Slurm ended this grading without a result. `sacct` may tell why; the node must "
              "see the folder of the results, and the program."));
    else if (exit_status < 128) /* else we have ended it */
        problem = first_line(task->said);
    if (problem != NULL) {
        free(task->problem);
        task->problem = problem;
    }
    task->foreign = !pass->again && exit_status >= 0 && exit_status < 128 &&
                    strcmp(language_of(task), vl_text_language()) != 0;
    if (task->problem != NULL && !task->foreign)
        tell(pass, task, task->problem);
}

static void ended(void *context, size_t i, int exit_status)
{
    struct pass *pass = context;
    struct vl_batch_task *task = pass->tasks[i];
    const char *path =
        pass->timed || pass->batch->request->no_speed ? task->verdict : task->numbers;
    struct vl_verdict verdict;
    char result[VL_NUMBER_TEXT];
    if (exit_status > VL_EXIT_BELOW || vl_batch_read_verdict(&verdict, path) != VL_OK) {
        ended_without(pass, task, exit_status, path);
        return;
    }
    vl_number_text(result, verdict.score, 1);
    if (pass->again) /* this time there is one, but not in the student's language */
        unlink(path);
    tell(pass, task, pass->again ? task->problem : result);
    vl_verdict_free(&verdict);
}

/* ---- passes ---- */

static bool is_there(const char *path)
{
    struct vl_verdict verdict;
    bool there = vl_batch_read_verdict(&verdict, path) == VL_OK;
    if (there)
        vl_verdict_free(&verdict);
    return there;
}

static bool is_due(const struct pass *pass, const struct vl_batch_task *task)
{
    if (task->problem != NULL || is_there(task->verdict))
        return false;
    return pass->timed == is_there(task->numbers);
}

static const char *heading(const struct pass *pass)
{
    unsigned long n = pass->count;
    if (pass->batch->request->slurm)
        return pass->timed ? VL_NGETTEXT("Speed, each on a node of its own: %zu grading.",
                                         "Speed, each on a node of its own: %zu gradings.", n)
                           : VL_NGETTEXT("Numbers, on the nodes of the cluster: %zu grading.",
                                         "Numbers, on the nodes of the cluster: %zu gradings.", n);
    return pass->timed ? VL_NGETTEXT("Speed, one after the other: %zu grading.",
                                     "Speed, one after the other: %zu gradings.", n)
                       : VL_NGETTEXT("Numbers, several at a time: %zu grading.",
                                     "Numbers, several at a time: %zu gradings.", n);
}

static enum vl_status run_on_cluster(const struct pass *pass, const struct vl_workers *workers,
                                     int *signal)
{
    const struct vl_batch_request *request = pass->batch->request;
    char *folder = vl_path_join(request->out, ".slurm");
    const struct vl_slurm slurm = {.folder = folder,
                                   .options = request->sbatch,
                                   .at_once = request->at_once,
                                   .whole_node = pass->timed};
    enum vl_status status =
        folder != NULL ? vl_slurm_run(&slurm, workers, pass->count, signal) : VL_ENOMEM;
    free(folder);
    return status;
}

static enum vl_status run_chosen(struct pass *pass, int *signal)
{
    const struct vl_batch_request *request = pass->batch->request;
    const struct vl_workers workers = {
        .at_once = request->at_once, .begin = begin, .ended = ended, .context = pass};
    return request->slurm ? run_on_cluster(pass, &workers, signal)
                          : vl_workers_run(&workers, pass->count, signal);
}

/* A grading says why it gives no verdict in the student's language: have it said in ours. */
static enum vl_status run_again(struct pass *pass, int *signal)
{
    size_t count = pass->count;
    pass->again = true;
    pass->count = 0;
    for (size_t i = 0; i < count; i++)
        if (pass->tasks[i]->foreign)
            pass->tasks[pass->count++] = pass->tasks[i];
    return pass->count > 0 ? run_chosen(pass, signal) : VL_OK;
}

static enum vl_status run_pass(struct vl_batch *batch, bool timed, int *signal)
{
    struct pass pass = {.batch = batch, .timed = timed, .began = now()};
    pass.tasks = calloc(batch->task_count + 1, sizeof *pass.tasks);
    if (pass.tasks == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < batch->task_count; i++)
        if (is_due(&pass, &batch->tasks[i]))
            pass.tasks[pass.count++] = &batch->tasks[i];
    pass.all = pass.count;
    vl_terminal_open(&pass.terminal, stdout);
    if (pass.count > 0)
        vl_terminal_sentence(&pass.terminal, VL_STYLE_BOLD, heading(&pass), pass.count);
    enum vl_status status = run_chosen(&pass, signal);
    for (size_t i = 0; timed && i < pass.count; i++)
        if (is_there(pass.tasks[i]->verdict))
            unlink(pass.tasks[i]->numbers);
    if (status == VL_OK && *signal == 0)
        status = run_again(&pass, signal);
    free(pass.tasks);
    return status;
}

enum vl_status vl_batch_run(struct vl_batch *batch, int *signal)
{
    enum vl_status status = run_pass(batch, false, signal);
    if (status == VL_OK && *signal == 0 && !batch->request->no_speed)
        status = run_pass(batch, true, signal);
    return status;
}
