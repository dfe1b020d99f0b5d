#include "cli/study/study_balance.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "cli/study/study_shared.h"
#include "cli/study/study_task.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"
#include "train/corpus/corpus.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void forget_tasks(struct vl_study_course *course)
{
    for (size_t i = 0; i < course->task_count; i++) {
        for (int w = 0; w < course->tasks[i].count; w++)
            free(course->tasks[i].words[w]);
        free(course->tasks[i].mpi_folder);
    }
    free(course->tasks);
    course->tasks = NULL;
    course->task_count = 0;
}

static void add_task(struct vl_study_course *course, enum vl_study_kind kind, size_t way,
                     size_t seed, size_t part)
{
    course->tasks[course->task_count++] = (struct vl_study_task){
        .kind = kind, .way = way, .seed = seed, .part = part, .course = course};
}

static enum vl_exit run_tasks(struct vl_study_course *course, size_t most)
{
    struct vl_job *jobs = calloc(course->task_count, sizeof *jobs);
    int made = jobs != NULL;
    for (size_t i = 0; made && i < course->task_count; i++) {
        struct vl_study_task *task = &course->tasks[i];
        int trains = task->kind == VL_STUDY_TRAIN || task->kind == VL_STUDY_PIPELINE;
        made = vl_study_task_word(task) && vl_study_task_place(task, i);
        jobs[i] = (struct vl_job){.command = trains ? "train" : "eval",
                                  .words = (const char *const *)task->words,
                                  .count = task->count,
                                  .ranks = task->kind == VL_STUDY_PIPELINE ? VL_STUDY_STAGES : 1,
                                  .options = task->options,
                                  .event = vl_study_task_take,
                                  .context = task};
    }
    enum vl_exit result =
        made ? vl_jobs_run(jobs, course->task_count, most) : vl_say_status(VL_ENOMEM);
    free(jobs);
    forget_tasks(course);
    return result;
}

static bool make_tasks(struct vl_study_course *course, size_t most)
{
    course->tasks = calloc(most, sizeof *course->tasks);
    return course->tasks != NULL;
}

static enum vl_exit train_all(struct vl_study_course *course)
{
    const struct vl_study *study = course->study;
    if (!make_tasks(course, study->way_count * study->seeds))
        return vl_say_status(VL_ENOMEM);
    for (size_t seed = 0; seed < study->seeds; seed++) /* every way once, early on */
        for (size_t way = 0; way < study->way_count; way++)
            add_task(course, VL_STUDY_TRAIN, way, seed, 0);
    enum vl_exit result = run_tasks(course, vl_study_lanes());
    for (size_t way = 0; result == VL_EXIT_OK && way < study->way_count; way++)
        for (size_t seed = 0; seed < study->seeds; seed++)
            if (study->ways[way].runs[seed].seen != study->steps)
                return vl_say(VL_EXIT_FAULT, _("A run of the study ended without reporting all of "
                                               "its steps: start the study once more."));
    return result;
}

static enum vl_exit ask_all(struct vl_study_course *course)
{
    const struct vl_study *study = course->study;
    if (!make_tasks(course, study->way_count * (study->seeds + study->part_count)))
        return vl_say_status(VL_ENOMEM);
    for (size_t way = 0; way < study->way_count; way++) {
        for (size_t seed = 0; seed < study->seeds; seed++)
            add_task(course, VL_STUDY_WHOLE, way, seed, 0);
        for (size_t part = 0; part < study->part_count; part++)
            add_task(course, VL_STUDY_PART, way, 0, part);
    }
    return run_tasks(course, vl_study_lanes());
}

/* Where two ranks cannot be started, the study goes without this measurement. */
static enum vl_exit measure_pipelines(struct vl_study_course *course)
{
    if (!make_tasks(course, VL_STUDY_PIPELINES))
        return vl_say_status(VL_ENOMEM);
    for (size_t p = 0; p < VL_STUDY_PIPELINES; p++)
        add_task(course, VL_STUDY_PIPELINE, p, 0, 0);
    enum vl_exit result = run_tasks(course, 1);
    course->study->has_memory =
        result == VL_EXIT_OK && course->memory_seen == VL_STUDY_PIPELINES * VL_STUDY_STAGES;
    course->study->micro_batches = VL_STUDY_MICRO_BATCHES;
    return result > VL_EXIT_FAULT ? result : VL_EXIT_OK; /* ended by a signal, or not at all */
}

/* ---- before and after ---- */

static enum vl_status write_parts(struct vl_study_course *course)
{
    struct vl_study *study = course->study;
    struct vl_corpus_part part;
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < VL_STUDY_PARTS && vl_corpus_part(&part, i); i++) {
        char name[64];
        snprintf(name, sizeof name, VL_STUDY_PART_NAME, i);
        char *path = vl_path_join(course->folder, name);
        status = path != NULL ? vl_file_write(path, part.bytes, part.count) : VL_ENOMEM;
        free(path);
        study->parts[study->part_count++] = part.language;
    }
    study->layers = VL_STUDY_LAYERS;
    study->experts = VL_STUDY_EXPERTS;
    return status == VL_OK ? vl_study_make_loads(study) : status;
}

static enum vl_status prepare(struct vl_study_course *course)
{
    const struct vl_study_request *request = course->request;
    time_t now = time(NULL);
    struct tm day;
    enum vl_status status = vl_study_create(&course->study, request->alphas, request->alpha_count,
                                            request->steps, request->seeds);
    if (status == VL_OK)
        status = vl_scratch_create(&course->folder);
    if (status == VL_OK)
        status = write_parts(course);
    if (status != VL_OK)
        return status;
    struct vl_study *study = course->study;
    double runs = (double)(study->way_count * study->seeds),
           parts = (double)(study->way_count * study->part_count);
    study->command = request->command;
    strftime(study->date, sizeof study->date, "%Y-%m-%d", localtime_r(&now, &day));
    vl_study_progress_open(
        &course->progress, stdout, study->way_count * study->seeds,
        runs * ((double)study->steps + VL_STUDY_START_UNITS + VL_STUDY_WHOLE_UNITS) +
            parts * VL_STUDY_PART_UNITS);
    return VL_OK;
}

static enum vl_exit follow(struct vl_study_course *course)
{
    enum vl_exit result = train_all(course);
    if (result == VL_EXIT_OK && !vl_interrupt_seen())
        result = ask_all(course);
    if (result == VL_EXIT_OK && !vl_interrupt_seen())
        result = measure_pipelines(course);
    vl_study_progress_close(&course->progress);
    return result;
}

enum vl_exit vl_study_run(struct vl_study **study, const struct vl_study_request *request)
{
    struct vl_study_course course = {.request = request};
    *study = NULL;
    vl_interrupt_begin(); /* runs have their own handlers; these are for the time between */
    enum vl_status status = prepare(&course);
    enum vl_exit result = status == VL_OK ? follow(&course)
                          : status == VL_EIO
                              ? vl_say(VL_EXIT_LACK, _("No scratch folder can be made: %m. Name "
                                                       "another place in TMPDIR."))
                              : vl_say_status(status);
    if (course.folder != NULL)
        vl_scratch_remove(course.folder);
    free(course.folder);
    int asked = vl_interrupt_seen() != 0 || result > VL_EXIT_FAULT;
    if (asked)
        vl_say(VL_EXIT_OK, _("The study ended early, as you asked. Nothing is kept of it."));
    if (result == VL_EXIT_OK && !asked)
        *study = course.study;
    else
        vl_study_free(course.study);
    vl_interrupt_end();
    return result;
}
