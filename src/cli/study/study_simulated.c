#include "cli/study/study_simulated.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/simulate/outcome.h"
#include "report/draw/terminal.h"
#include "simulate/task.h"

#include <stdlib.h>

#define HOSTS 2

/* An assumption: what a core computes while its memory moves one byte. The sum of both times is
 * measured, and only how it is shared out between operators depends on this. */
#define FLOPS_PER_BYTE 8.0
/* The update reads and writes a weight and two moments, and reads a gradient, in float32. */
#define STATE_BYTES 28.0
#define TRIAL_SPEED 1e9 /* FLOP/s of the run that counts the work */

/* How the two hosts share the work; the same words as the benchmark's. */
static const struct way {
    int data, expert, tensor, pipeline, zero, overlap;
} ways[VL_BANDWIDTH_WAYS] = {
    [VL_BANDWIDTH_DP] = {2, 1, 1, 1, 0, 0},    [VL_BANDWIDTH_DP_OVERLAP] = {2, 1, 1, 1, 0, 1},
    [VL_BANDWIDTH_ZERO3] = {2, 1, 1, 1, 3, 0}, [VL_BANDWIDTH_TP] = {1, 1, 2, 1, 0, 0},
    [VL_BANDWIDTH_PP] = {1, 1, 1, 2, 0, 0},    [VL_BANDWIDTH_EP] = {1, 2, 1, 1, 0, 0}};

static size_t size_of(const struct vl_bandwidth *study, const char *name)
{
    return (size_t)json_integer_value(json_object_get(study->model, name));
}

static struct vl_simulate_task make_task(const struct vl_bandwidth *study, const struct way *way,
                                         double speed)
{
    return (struct vl_simulate_task){.shape = {.layers = size_of(study, "layers"),
                                               .width = size_of(study, "width"),
                                               .heads = size_of(study, "heads"),
                                               .ff = size_of(study, "ff"),
                                               .vocabulary = size_of(study, "vocabulary"),
                                               .sequence = size_of(study, "sequence")},
                                     .experts = {.experts = size_of(study, "experts"),
                                                 .chosen = size_of(study, "top_k"),
                                                 .scale = 1},
                                     .data = way->data,
                                     .expert = way->expert,
                                     .tensor = way->tensor,
                                     .pipeline = way->pipeline,
                                     .chunks = 1,
                                     .micro_batches =
                                         way->pipeline > 1 ? size_of(study, "micro_batches") : 1,
                                     .zero = way->zero,
                                     .overlap = way->overlap,
                                     .batch = size_of(study, "batch"),
                                     .flops = speed,
                                     .memory = speed / FLOPS_PER_BYTE,
                                     .element_bytes = sizeof(float),
                                     .state_bytes = STATE_BYTES,
                                     .domain = 1};
}

/* ---- one run ---- */

/* The most of what both hosts told by this name; 0 if they did not. */
static double most_of(const json_t *told, const char *name)
{
    const json_t *list = json_object_get(told, name);
    double most = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        double value = json_number_value(json_array_get(list, i));
        most = value > most ? value : most;
    }
    return most;
}

/* Seconds of the step, or with name "busy" those in which a host computed. */
static enum vl_exit simulate(double *seconds, const char *name, const struct vl_simulate_task *task,
                             const struct vl_link *road)
{
    struct vl_outcome outcome = {0};
    json_t *object = vl_simulate_task_json(task);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    const char *const words[] = {text};
    const struct vl_simulator simulator = {.program = "vialata-simulator",
                                           .machine = {.domain = 1, .inner = *road, .outer = *road},
                                           .chips = HOSTS,
                                           .words = words,
                                           .count = 1};
    enum vl_exit result =
        text != NULL ? vl_outcome_run(&outcome, &simulator) : vl_say_status(VL_ENOMEM);
    *seconds = most_of(outcome.step, name);
    if (result == VL_EXIT_OK && !(*seconds > 0))
        result = vl_say_status(VL_EFORMAT);
    vl_outcome_free(&outcome);
    json_decref(object);
    free(text);
    return result;
}

/* Both hosts do the batch of one alone, at a speed that is known: so long do they compute. */
static enum vl_exit count_work(double *busy, const struct vl_bandwidth *study)
{
    const struct vl_link road = {.latency = 1e-6, .bandwidth = 1e9};
    struct vl_simulate_task task = make_task(study, &ways[VL_BANDWIDTH_DP], TRIAL_SPEED);
    task.batch *= HOSTS;
    return simulate(busy, "busy", &task, &road);
}

static enum vl_exit simulate_road(struct vl_bandwidth *study, size_t r, double busy)
{
    struct vl_bandwidth_road *road = &study->roads[r];
    const struct vl_link link = {.latency = road->alpha, .bandwidth = 1 / road->beta};
    double alone = vl_bandwidth_measured(study, r, VL_BANDWIDTH_ALONE).median;
    enum vl_exit result = VL_EXIT_OK;
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS && result == VL_EXIT_OK; w++) {
        if (w == VL_BANDWIDTH_ALONE)
            continue;
        struct vl_simulate_task task = make_task(study, &ways[w], TRIAL_SPEED * busy / alone);
        result = simulate(&road->cells[w].simulated, "seconds", &task, &link);
    }
    return result;
}

int vl_study_can_simulate(const struct vl_terminal *terminal)
{
    if (vl_simulator_is_there())
        return 1;
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         _("Nothing is simulated: SimGrid is missing. `vialata simulate` says "
                           "how to get it."));
    return 0;
}

enum vl_exit vl_bandwidth_simulate(struct vl_bandwidth *study)
{
    struct vl_terminal terminal;
    double busy;
    vl_terminal_open(&terminal, stdout);
    if (!vl_study_can_simulate(&terminal))
        return VL_EXIT_OK;
    enum vl_exit result = count_work(&busy, study);
    for (size_t r = 0; r < study->count && result == VL_EXIT_OK; r++)
        result = simulate_road(study, r, busy);
    return result;
}
