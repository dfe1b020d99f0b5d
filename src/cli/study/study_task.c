#include "cli/study/study_task.h"

#include "base/path.h"
#include "sandbox/scratch/scratch.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WARMUP_PART 10 /* the learning rate rises in a tenth of the steps */
#define BIAS_SPEED  "0.01"

#define WORDS (int)(sizeof((struct vl_study_task *)0)->words / sizeof(char *))

/* ---- words of a run ---- */

static int add(struct vl_study_task *task, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line of words with blanks between them. */
static int add(struct vl_study_task *task, const char *format, ...)
{
    va_list values;
    char *line = NULL, *rest = NULL;
    va_start(values, format);
    if (vasprintf(&line, format, values) < 0)
        line = NULL;
    va_end(values);
    int made = line != NULL;
    for (char *word = made ? strtok_r(line, " ", &rest) : NULL; word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        made = made && task->count < WORDS && (task->words[task->count] = strdup(word)) != NULL;
        task->count += made;
    }
    free(line);
    return made;
}

/* One word, whatever characters it has. */
static bool add_path(struct vl_study_task *task, const char *folder, const char *format, size_t way,
                     size_t seed)
{
    char name[64];
    snprintf(name, sizeof name, format, way, seed);
    char *path = task->count < WORDS ? vl_path_join(folder, name) : NULL;
    if (path != NULL)
        task->words[task->count++] = path;
    return path != NULL;
}

/* Small enough for a few minutes with several ways and seeds; large enough to balance badly. */
static int add_model(struct vl_study_task *task)
{
    return add(task,
               "--layers %d --width 64 --heads 4 --sequence 64 --batch 16 --experts %d --top-k 2 "
               "--interference",
               VL_STUDY_LAYERS, VL_STUDY_EXPERTS);
}

static int add_balance(struct vl_study_task *task, const struct vl_study_course *course, size_t way)
{
    const char *balance = course->study->ways[way].balance;
    if (strcmp(balance, "aux") == 0)
        return add(task, "--balance aux --aux-alpha %s", course->request->spelled[way - 1]);
    if (strcmp(balance, "bias") == 0)
        return add(task, "--balance bias --bias-speed " BIAS_SPEED);
    return add(task, "--balance none");
}

#define CHECKPOINT "way-%zu-seed-%zu.safetensors"

static bool word_train(struct vl_study_task *task)
{
    struct vl_study_course *course = task->course;
    struct vl_study_way *way = &course->study->ways[task->way];
    size_t steps = course->study->steps;
    int made = add_model(task) &&
               add(task, "--steps %zu --horizon %zu --warmup %zu --seed %zu", steps, steps,
                   steps / WARMUP_PART, task->seed + 1) &&
               add_balance(task, course, task->way);
    if (made && task->seed == 0 && way->options == NULL) {
        way->options = json_array();
        for (int i = 0; i < task->count; i++)
            json_array_append_new(way->options, json_string(task->words[i]));
    }
    return made && add(task, "--save-every %zu --save", steps) &&
           add_path(task, course->folder, CHECKPOINT, task->way, task->seed);
}

static int word_eval(struct vl_study_task *task)
{
    struct vl_study_course *course = task->course;
    int made = add(task, "--checkpoint") &&
               add_path(task, course->folder, CHECKPOINT, task->way, task->seed);
    if (task->kind == VL_STUDY_PART)
        made = made && add(task, "--loads --data") &&
               add_path(task, course->folder, VL_STUDY_PART_NAME, task->part, 0);
    return made;
}

static bool word_pipeline(struct vl_study_task *task)
{
    struct vl_study_course *course = task->course;
    size_t bias = course->study->way_count - 1;
    int exact = task->way == VL_STUDY_LOSS_AFAB;
    return add_model(task) &&
           add(task, "--steps 1 --pp %d --micro-batches %d --schedule %s", VL_STUDY_STAGES,
               VL_STUDY_MICRO_BATCHES, exact ? "afab" : "1f1b") &&
           add_balance(task, course, exact ? 1 : bias);
}

int vl_study_task_word(struct vl_study_task *task)
{
    return task->kind == VL_STUDY_TRAIN      ? word_train(task)
           : task->kind == VL_STUDY_PIPELINE ? word_pipeline(task)
                                             : word_eval(task);
}

int vl_study_task_place(struct vl_study_task *task, size_t number)
{
    char name[32];
    snprintf(name, sizeof name, "mpi-%zu", number);
    task->mpi_folder = vl_path_join(task->course->folder, name);
    if (task->mpi_folder == NULL || (mkdir(task->mpi_folder, 0700) != 0 && errno != EEXIST))
        return 0;
    task->options[0] = "--mca";
    task->options[1] = "orte_tmpdir_base";
    task->options[2] = task->mpi_folder;
    return 1;
}

/* ---- what a run tells ---- */

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void take_step(struct vl_study_course *course, const struct vl_study_task *task,
                      const json_t *event)
{
    struct vl_study_run *run = &course->study->ways[task->way].runs[task->seed];
    const json_t *interference = json_object_get(event, "interference");
    size_t at = run->seen;
    if (at >= course->study->steps)
        return;
    run->curves[VL_STUDY_LOSS][at] = number_at(event, "loss");
    run->curves[VL_STUDY_VIOLATION][at] = number_at(event, "max_violation");
    run->curves[VL_STUDY_SIZE][at] = number_at(interference, "size");
    run->curves[VL_STUDY_COSINE][at] = number_at(interference, "cosine");
    run->seen++;
    vl_study_progress_add(&course->progress, 1);
}

static void take_train(struct vl_study_course *course, const struct vl_study_task *task,
                       const json_t *event)
{
    struct vl_study_way *way = &course->study->ways[task->way];
    if (json_object_get(event, "run") != NULL && course->study->run == NULL)
        course->study->run = json_incref(json_object_get(event, "run"));
    else if (json_object_get(event, "loss") != NULL)
        take_step(course, task, event);
    if (json_object_get(event, "stopped") == NULL)
        return;
    vl_study_progress_add(&course->progress, VL_STUDY_START_UNITS);
    vl_study_progress_run(&course->progress, course->study, way, task->seed);
}

static void take_loads(struct vl_study *study, const struct vl_study_task *task,
                       const json_t *loads)
{
    double *to = study->ways[task->way].loads + task->part * VL_STUDY_LAYERS * VL_STUDY_EXPERTS;
    for (size_t l = 0; l < VL_STUDY_LAYERS; l++)
        for (size_t e = 0; e < VL_STUDY_EXPERTS; e++)
            to[l * VL_STUDY_EXPERTS + e] =
                json_number_value(json_array_get(json_array_get(loads, l), e));
}

static void take_memory(struct vl_study_course *course, const struct vl_study_task *task,
                        const json_t *run)
{
    const json_t *rank;
    size_t i;
    json_array_foreach(json_object_get(run, "memory"), i, rank)
    {
        if (i >= VL_STUDY_STAGES)
            return;
        course->study->memory[task->way][i] = (struct vl_study_memory){
            .kept = number_at(rank, "kept"), .activations = number_at(rank, "activations")};
        course->memory_seen++;
    }
}

void vl_study_task_take(void *context, const json_t *event)
{
    struct vl_study_task *task = context;
    struct vl_study_course *course = task->course;
    if (task->kind == VL_STUDY_TRAIN) {
        take_train(course, task, event);
    } else if (task->kind == VL_STUDY_PIPELINE) {
        if (json_object_get(event, "run") != NULL)
            take_memory(course, task, json_object_get(event, "run"));
    } else if (json_object_get(event, "loss") != NULL) {
        if (task->kind == VL_STUDY_WHOLE)
            course->study->ways[task->way].runs[task->seed].evaluated = number_at(event, "loss");
        else
            take_loads(course->study, task, json_object_get(event, "loads"));
        vl_study_progress_add(&course->progress, task->kind == VL_STUDY_WHOLE
                                                     ? VL_STUDY_WHOLE_UNITS
                                                     : VL_STUDY_PART_UNITS);
    }
}
