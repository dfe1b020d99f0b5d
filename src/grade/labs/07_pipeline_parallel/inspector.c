/*
 * Lab 07's inspectors: a schedule (is it valid, what does it cost, where does it differ from the
 * order that was asked for) and a run. Those of actions are in inspector_actions.c.
 */
#include "grade/labs/07_pipeline_parallel/inspector.h"

#include "base/number.h"
#include "base/text.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int64_t *vl_pipe_numbers(const struct vl_bag *outputs, const char *name, size_t count)
{
    const struct vl_tensor_entry *entry = vl_bag_find(outputs, name);
    return entry != NULL && entry->dtype == VL_I64 && entry->count == count ? entry->data : NULL;
}

struct vl_task vl_pipe_task_at(const int64_t *numbers)
{
    return (struct vl_task){(enum vl_task_kind)numbers[0], (uint32_t)numbers[1],
                            (uint32_t)numbers[2]};
}

const char *vl_pipe_task_text(char text[VL_TASK_TEXT], const struct vl_pipe *pipe, size_t number)
{
    size_t m = pipe->size.micro_batches, v = pipe->size.chunks;
    const struct vl_task task = {(enum vl_task_kind)(number / m / v), (uint32_t)(number / m % v),
                                 (uint32_t)(number % m)};
    return vl_task_text(text, &task);
}

enum vl_status vl_pipe_say_status(struct vl_sign *sign, enum vl_status returned,
                                  enum vl_status wanted)
{
    return vl_sign_say(sign, "unexpected_status",
                       _("The function returned status %1$s, but the contract asks for %2$s here."),
                       vl_status_name(returned), vl_status_name(wanted));
}

/* ---- schedules ---- */

/* A schedule, and what it costs on paper. */
struct costed {
    struct vl_schedule schedule;
    struct vl_schedule_times times;
    size_t live[VL_PIPE_STAGES];
};

/* What came out and what should have. */
struct pair {
    struct vl_pipe pipe;
    struct costed got, truth;
    struct vl_schedule_report report;
};

/* The schedule of a bag, with empty slots where nothing came. The caller frees its tasks; NULL
 * without memory. */
static struct vl_schedule read_schedule(const struct vl_bag *bag, const struct vl_pipe *pipe)
{
    size_t count = pipe->size.stages * pipe->width;
    const int64_t *table = vl_pipe_numbers(bag, "tasks", 3 * count);
    struct vl_task *tasks = calloc(count, sizeof *tasks);
    for (size_t i = 0; tasks != NULL && i < count; i++)
        tasks[i] =
            table != NULL ? vl_pipe_task_at(&table[3 * i]) : (struct vl_task){.kind = VL_TASK_NONE};
    return (struct vl_schedule){pipe->size.stages, pipe->size.chunks, pipe->size.micro_batches,
                                tasks};
}

/* Backward is one piece, as in the formulas, except for zero bubble, which splits it. */
static enum vl_status run_on_paper(struct costed *costed, int order)
{
    static const struct vl_schedule_costs whole = {.forward = 1, .backward = 2},
                                          split = {.forward = 1, .backward = 1, .weight = 1};
    costed->times.live = costed->live;
    return vl_schedule_simulate(&costed->times, &costed->schedule,
                                order == VL_ORACLE_ZB_H1 ? &split : &whole);
}

static bool is_sound(const struct pair *pair)
{
    return pair->report.fault == VL_SCHEDULE_SOUND;
}

/* Both schedules; their times only if the one given is valid. The caller always frees the tasks. */
static enum vl_status read_pair(struct pair *pair, const struct vl_bag *inputs,
                                const struct vl_bag *outputs)
{
    const struct vl_pipe pipe = vl_pipe_read(inputs);
    struct vl_bag *truth = vl_bag_create();
    enum vl_status status = truth != NULL ? vl_truth_pipe_schedule(truth, inputs) : VL_ENOMEM;
    *pair = (struct pair){.pipe = pipe,
                          .got.schedule = read_schedule(outputs, &pipe),
                          .truth.schedule = read_schedule(truth, &pipe)};
    vl_bag_free(truth);
    if (pair->got.schedule.tasks == NULL || pair->truth.schedule.tasks == NULL)
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_schedule_check(&pair->report, &pair->got.schedule);
    if (status == VL_OK && is_sound(pair))
        status = run_on_paper(&pair->truth, pipe.order);
    if (status == VL_OK && is_sound(pair))
        status = run_on_paper(&pair->got, pipe.order);
    return status;
}

/* ---- what is wrong with it: writes a sentence, and returns its code or NULL ---- */

typedef const char *finding(char sentence[VL_SCHEDULE_SENTENCE], const struct pair *pair);

static const char *fault(char sentence[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    static const char *const codes[] = {[VL_SCHEDULE_UNKNOWN] = "unknown_task",
                                        [VL_SCHEDULE_TWICE] = "task_twice",
                                        [VL_SCHEDULE_MISSING] = "task_missing",
                                        [VL_SCHEDULE_TOO_EARLY] = "task_too_early",
                                        [VL_SCHEDULE_DEADLOCK] = "deadlock"};
    vl_schedule_fault_sentence(sentence, &pair->report, &pair->got.schedule);
    return codes[pair->report.fault];
}

static const char *too_many_alive(char sentence[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    const size_t *got = pair->got.live, *enough = pair->truth.live;
    size_t stage = 0, p = pair->pipe.size.stages;
    while (stage < p && got[stage] <= enough[stage])
        stage++;
    if (stage == p)
        return NULL;
    snprintf(sentence, VL_SCHEDULE_SENTENCE,
             _("The schedule is valid, but stage %1$zu keeps %2$zu forwards alive at once, and "
               "%3$zu are enough: look at how many it does before its first backward."),
             stage, got[stage], enough[stage]);
    return "too_many_alive";
}

static const char *bubble_too_large(char sentence[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    char got[VL_NUMBER_TEXT], truth[VL_NUMBER_TEXT];
    if (pair->got.times.bubble_of_ideal <= pair->truth.times.bubble_of_ideal + 1e-9)
        return NULL;
    vl_number_percent(got, pair->got.times.bubble_of_ideal, 1);
    vl_number_percent(truth, pair->truth.times.bubble_of_ideal, 1);
    snprintf(sentence, VL_SCHEDULE_SENTENCE,
             _("The schedule is valid, but its bubble is %1$s of ideal time, and %2$s is possible: "
               "look at where a stage waits while there is something that it could do."),
             got, truth);
    return "bubble_too_large";
}

static const char *other_order(char sentence[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    const char *code = too_many_alive(sentence, pair);
    if (code == NULL)
        code = bubble_too_large(sentence, pair);
    if (code != NULL)
        return code;
    snprintf(sentence, VL_SCHEDULE_SENTENCE, "%s",
             _("The schedule is valid, but it is not the one that the contract describes."));
    return "other_order";
}

/* ---- where ---- */

typedef void place(char text[VL_SCHEDULE_SENTENCE], const struct pair *pair);

static void sizes(char text[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    snprintf(text, VL_SCHEDULE_SENTENCE, _("(p = %1$zu, v = %2$zu, m = %3$zu.)"),
             pair->pipe.size.stages, pair->pipe.size.chunks, pair->pipe.size.micro_batches);
}

static void first_difference(char text[VL_SCHEDULE_SENTENCE], const struct pair *pair)
{
    char wanted[VL_TASK_TEXT], found[VL_TASK_TEXT];
    const struct vl_task *got = pair->got.schedule.tasks, *truth = pair->truth.schedule.tasks;
    size_t i = 0, width = pair->pipe.width, count = pair->pipe.size.stages * width;
    while (i + 1 < count && memcmp(&got[i], &truth[i], sizeof *got) == 0)
        i++;
    snprintf(text, VL_SCHEDULE_SENTENCE,
             _("With p = %1$zu, v = %2$zu, m = %3$zu, place %5$zu in the row of stage %4$zu "
               "(counted from 0) should hold %6$s, but holds %7$s."),
             pair->pipe.size.stages, pair->pipe.size.chunks, pair->pipe.size.micro_batches,
             i / width, i % width, vl_task_text(wanted, &truth[i]), vl_task_text(found, &got[i]));
}

static enum vl_status inspect(struct vl_sign *sign, const struct vl_bag *inputs,
                              const struct vl_bag *outputs, finding *of_sound, place *where)
{
    struct pair pair;
    char sentence[VL_SCHEDULE_SENTENCE], text[VL_SCHEDULE_SENTENCE];
    enum vl_status status = read_pair(&pair, inputs, outputs);
    finding *find = is_sound(&pair) ? of_sound : fault;
    const char *code = status == VL_OK && find != NULL ? find(sentence, &pair) : NULL;
    if (code != NULL) {
        where(text, &pair);
        status = vl_sign_say(sign, code, "%s %s", sentence, text);
    }
    free(pair.got.schedule.tasks);
    free(pair.truth.schedule.tasks);
    return status;
}

#define LOOK(name, of_sound, where)                                                                \
    static VL_INSPECTION(name)                                                                     \
    {                                                                                              \
        return inspect(sign, inputs, outputs, of_sound, where);                                    \
    }
LOOK(look_at_fault, NULL, first_difference)
LOOK(look_at_bubble, bubble_too_large, sizes)
LOOK(look_at_live, too_many_alive, sizes)
LOOK(tell_order, other_order, first_difference)

/* ---- a run: what was returned, what was asked of the stage, what it computed when ---- */

static int64_t number_of(const struct vl_bag *bag, const char *name, int rank)
{
    char ranked[VL_RANKED_NAME];
    return vl_bag_int(bag, vl_ranked(ranked, name, rank));
}

static void look_at_return(struct vl_sign *sign, const struct vl_bag *expected,
                           const struct vl_bag *outputs, int rank)
{
    const enum vl_status wanted = (enum vl_status)number_of(expected, "returned", rank),
                         returned = (enum vl_status)number_of(outputs, "returned", rank);
    if (wanted == returned)
        return;
    if (wanted == VL_EINVAL) /* nothing of the stage fails: what it is given cannot be done */
        vl_pipe_say_status(sign, returned, wanted);
    else if (wanted != VL_OK)
        vl_sign_say(sign, "error_not_passed_on",
                    _("A function of the stage failed on rank %1$d with %2$s, and the run "
                      "returned %3$s: every status but VL_OK is returned at once."),
                    rank, vl_status_name(wanted), vl_status_name(returned));
    else
        vl_sign_say(sign, "unexpected_status",
                    _("The run returned %1$s on rank %2$d, but nothing failed there."),
                    vl_status_name(returned), rank);
}

static void look_at_order(struct vl_sign *sign, const struct vl_pipe *pipe,
                          const struct vl_bag *expected, const struct vl_bag *outputs, int rank)
{
    char name[VL_RANKED_NAME], wanted[VL_TASK_TEXT], found[VL_TASK_TEXT];
    vl_ranked(name, "order", rank);
    const int64_t *truth = vl_pipe_numbers(expected, name, pipe->width),
                  *got = vl_pipe_numbers(outputs, name, pipe->width);
    size_t i = 0;
    while (truth != NULL && got != NULL && i < pipe->width && truth[i] == got[i])
        i++;
    if (truth == NULL || got == NULL || i == pipe->width)
        return;
    vl_pipe_task_text(wanted, pipe, (size_t)truth[i]);
    vl_pipe_task_text(found, pipe, (size_t)got[i]);
    if (truth[i] < 0)
        vl_sign_say(sign, "went_on",
                    _("Rank %1$d went on with %2$s after something had failed: return the "
                      "status at once."),
                    rank, found);
    else if (got[i] < 0)
        vl_sign_say(sign, "not_computed",
                    _("Rank %1$d stopped before %2$s: a stage does all of its actions."), rank,
                    wanted);
    else
        vl_sign_say(sign, "other_order",
                    _("Rank %1$d computed %2$s where its actions say %3$s (computation "
                      "%4$zu, counted from 0)."),
                    rank, found, wanted, i);
}

static VL_INSPECTION(look_at_run)
{
    const struct vl_pipe pipe = vl_pipe_read(inputs);
    for (int rank = 0; sign->code == NULL && rank < (int)pipe.size.stages; rank++) {
        look_at_return(sign, expected, outputs, rank);
        if (sign->code == NULL)
            look_at_order(sign, &pipe, expected, outputs, rank);
        if (sign->code == NULL && number_of(outputs, "strange", rank) > 0)
            vl_sign_say(sign, "no_such_message",
                        _("Rank %d asked for the memory of a message that does not exist: only "
                          "a send or a receive among its actions has one. Call 'message' with "
                          "that action and the stage's own context."),
                        rank);
        if (sign->code == NULL && number_of(outputs, "unpolled", rank) > 0)
            vl_sign_say(sign, "sends_not_polled",
                        _("Rank %d computed one task after another and did not poll its sends in "
                          "between: messages move only while MPI is called, so poll all that are "
                          "under way after every action."),
                        rank);
    }
    return VL_OK;
}

const struct vl_inspector vl_inspectors_pipeline_parallel[] = {
    {"vl_schedule_afab", look_at_fault, tell_order},
    {"vl_schedule_1f1b", look_at_fault, tell_order},
    {"vl_schedule_interleaved", look_at_fault, tell_order},
    {"vl_schedule_zb_h1", look_at_fault, tell_order},
    {"bubble", look_at_bubble, NULL},
    {"live_chunks", look_at_live, NULL},
    {"vl_schedule_tag", vl_look_at_tags, NULL},
    {"vl_schedule_actions", vl_look_at_actions, vl_tell_actions},
    {"vl_stage_run", look_at_run, NULL},
    {NULL, NULL, NULL},
};
