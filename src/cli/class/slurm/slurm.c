#include "cli/class/slurm/slurm.h"

#include "base/fingerprint.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/class/slurm/slurm_program.h"
#include "cli/class/slurm/slurm_script.h"
#include "cli/shared/say.h"
#include "sandbox/scratch/scratch.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ARRAY_MOST   1000 /* tasks of one array: Slurm's usual limit */
#define QUEUE_CHECKS 4    /* seconds between two looks into Slurm's queue */
#define CANCELLED    (128 + SIGTERM)

struct array {
    const struct vl_slurm *slurm;
    const struct vl_workers *workers;
    char *folder; /* absolute */
    char name[32];
    bool *has_ended; /* of each command */
    size_t count, ended;
};

/* ---- Slurm's queue ---- */

static void name_array(struct array *array)
{
    uint64_t key = vl_fingerprint(VL_FINGERPRINT, array->folder, strlen(array->folder));
    snprintf(array->name, sizeof array->name, "vialata-%016llx", (unsigned long long)key);
}

static enum vl_status say_refused(void)
{
    vl_say(VL_EXIT_LACK, _("Slurm did not take the gradings. What it said is above; `--sbatch` "
                           "gives it more options."));
    return VL_ELACK;
}

enum queue { QUEUE_EMPTY, QUEUE_FULL, QUEUE_UNKNOWN };

/* Unknown if Slurm does not answer: then the array may still be there. */
static enum queue look_into_queue(const struct array *array)
{
    struct vl_words words = {0};
    char line[64];
    vl_words_add(&words, "squeue");
    vl_words_add(&words, "--noheader");
    vl_words_add(&words, "--format=%%A");
    vl_words_add(&words, "--name=%s", array->name);
    int status = vl_slurm_program(line, sizeof line, &words);
    vl_words_free(&words);
    return status != 0 ? QUEUE_UNKNOWN : line[0] != '\0' ? QUEUE_FULL : QUEUE_EMPTY;
}

static void cancel(const struct array *array)
{
    struct vl_words words = {0};
    char line[64];
    vl_words_add(&words, "scancel");
    vl_words_add(&words, "--name=%s", array->name);
    vl_slurm_program(line, sizeof line, &words);
    vl_words_free(&words);
}

/* ---- beginning ---- */

static void add_options(struct vl_words *words, const char *options)
{
    char *copy = strdup(options != NULL ? options : ""), *rest = copy;
    words->failed |= copy == NULL;
    for (char *word; copy != NULL && (word = strsep(&rest, " \t")) != NULL;)
        if (word[0] != '\0')
            vl_words_add(words, "%s", word);
    free(copy);
}

static enum vl_status submit(const struct array *array, const char *script, size_t count)
{
    const struct vl_slurm *slurm = array->slurm;
    struct vl_words words = {0};
    char line[64];
    vl_words_add(&words, "sbatch");
    vl_words_add(&words, "--nodes=1");
    vl_words_add(&words, "--ntasks=1");
    if (slurm->whole_node)
        vl_words_add(&words, "--exclusive");
    else
        vl_words_add(&words, "--cpus-per-task=2"); /* a grading has phases on one, and on several */
    vl_words_add(&words, "--requeue");
    vl_words_add(&words, "--output=/dev/null"); /* what a grading prints has a file of its own */
    add_options(&words, slurm->options);
    /* Slurm obeys the last of several: the options can change what is above, not what is below. */
    vl_words_add(&words, "--job-name=%s", array->name);
    if (slurm->at_once > 0)
        vl_words_add(&words, "--array=0-%zu%%%zu", count - 1, slurm->at_once);
    else
        vl_words_add(&words, "--array=0-%zu", count - 1);
    vl_words_add(&words, "%s", script);
    enum vl_status status = words.failed ? VL_ENOMEM : VL_OK;
    if (status == VL_OK && vl_slurm_program(line, sizeof line, &words) != 0)
        status = say_refused();
    vl_words_free(&words);
    return status;
}

static enum vl_status submit_all(const struct array *array)
{
    enum vl_status status = VL_OK;
    for (size_t first = 0; status == VL_OK && first < array->count; first += ARRAY_MOST) {
        size_t left = array->count - first, count = left < ARRAY_MOST ? left : ARRAY_MOST;
        char *script = vl_text_format("%s/from-%zu.sh", array->folder, first);
        status = script != NULL
                     ? vl_slurm_script_write(script, array->folder, array->workers, first, count)
                     : VL_ENOMEM;
        if (status == VL_OK)
            status = submit(array, script, count);
        free(script);
    }
    return status;
}

/* ---- following ---- */

static void note_end(struct array *array, size_t i, int exit_status)
{
    if (i >= array->count || array->has_ended[i])
        return;
    array->has_ended[i] = true;
    array->ended++;
    array->workers->ended(array->workers->context, i, exit_status);
}

/* Opening a folder is what makes a network file system look again. */
static void collect(struct array *array)
{
    DIR *entries = opendir(array->folder);
    const struct dirent *entry;
    size_t i;
    int exit_status;
    while (entries != NULL && (entry = readdir(entries)) != NULL)
        if (vl_slurm_status_read(&i, &exit_status, array->folder, entry->d_name))
            note_end(array, i, exit_status);
    if (entries != NULL)
        closedir(entries);
}

/* Until all have ended or the queue is empty. Returns false after a second signal. */
static bool follow(struct array *array, const sigset_t *ends, int *signal)
{
    const struct timespec second = {.tv_sec = 1};
    enum queue queue = QUEUE_FULL;
    for (size_t seconds = 1; array->ended < array->count && queue != QUEUE_EMPTY; seconds++) {
        int came = sigtimedwait(ends, NULL, &second);
        if (came > 0 && *signal != 0)
            return false;
        if (came > 0) {
            *signal = came;
            cancel(array);
        }
        if (seconds % QUEUE_CHECKS == 0)
            queue = look_into_queue(array);
        collect(array);
    }
    return true;
}

/* ---- an array from its beginning to its end ---- */

/* Cancel what a killed run has left, and wait until it has ended, so that nothing is graded twice
 * at once. */
static enum vl_status clear(struct array *array, const sigset_t *ends, int *signal)
{
    const struct timespec second = {.tv_sec = 1};
    enum queue queue = look_into_queue(array);
    if (queue == QUEUE_FULL)
        cancel(array);
    while (queue == QUEUE_FULL && *signal == 0) {
        int came = sigtimedwait(ends, NULL, &second);
        *signal = came > 0 ? came : 0;
        queue = look_into_queue(array);
    }
    if (queue == QUEUE_UNKNOWN)
        return say_refused();
    vl_scratch_remove(array->folder);
    return vl_path_make_folders(array->folder) ? VL_OK : VL_EIO;
}

static enum vl_status run_array(struct array *array, const sigset_t *ends, int *signal)
{
    enum vl_status status = clear(array, ends, signal);
    if (status != VL_OK || *signal != 0)
        return status;
    status = submit_all(array);
    if (status != VL_OK)
        cancel(array); /* those that were taken */
    else if (follow(array, ends, signal))
        for (size_t i = 0; i < array->count; i++)
            note_end(array, i, *signal != 0 ? CANCELLED : -1);
    vl_scratch_remove(array->folder);
    return status;
}

enum vl_status vl_slurm_run(const struct vl_slurm *slurm, const struct vl_workers *workers,
                            size_t count, int *signal)
{
    struct array array = {.slurm = slurm,
                          .workers = workers,
                          .folder = vl_path_absolute(slurm->folder),
                          .has_ended = calloc(count + 1, sizeof *array.has_ended),
                          .count = count};
    enum vl_status status = array.folder != NULL && array.has_ended != NULL ? VL_OK : VL_ENOMEM;
    sigset_t ends, before;
    *signal = 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, &before);
    if (status == VL_OK && count > 0) {
        name_array(&array);
        status = run_array(&array, &ends, signal);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(array.has_ended);
    free(array.folder);
    return status;
}
