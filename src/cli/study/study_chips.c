#include "cli/study/study_chips.h"

#include "base/number.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/simulate/simulator.h"
#include "cli/study/chips_layouts.h"
#include "cli/study/chips_plan.h"
#include "cli/study/study_progress.h"
#include "cli/study/study_shared.h"
#include "cli/study/study_simulated.h"
#include "sandbox/interrupt.h"
#include "simulate/result.h"
#include "simulate/scale.h"

#include <math.h>
#include <stdlib.h>

#define START_MESSAGES 20000 /* what starting a simulation costs, in messages */

struct course {
    struct vl_chips *study;
    struct vl_study_progress progress;
};

/* One cell that is simulated. */
struct cell {
    struct course *course;
    struct vl_chips_panel *panel;
    size_t road;
    enum vl_bandwidth_way way;
    char *task;
};

static double work_of(const struct cell *cell)
{
    return START_MESSAGES + vl_chips_messages(cell->course->study, cell->panel, cell->way);
}

static void tell_progress(const struct cell *cell)
{
    struct vl_study_progress *progress = &cell->course->progress;
    const struct vl_bandwidth_road *road = &cell->panel->roads.roads[cell->road];
    char rate[VL_NUMBER_TEXT], simulated[VL_NUMBER_TEXT], planned[VL_NUMBER_TEXT],
        left[VL_NUMBER_TEXT];
    progress->runs_done++;
    vl_study_progress_add(progress, work_of(cell));
    if (progress->terminal.live)
        return;
    vl_bandwidth_rate(rate, &cell->panel->roads, road->rate);
    vl_number_text(simulated, 1e3 * road->cells[cell->way].simulated, 1);
    vl_number_text(planned, 1e3 * road->cells[cell->way].planned, 1);
    vl_number_text(left, vl_study_progress_left(progress), 0);
    fprintf(progress->terminal.stream,
            /* TRANSLATORS: cell of cells; a machine, its chips, how they share the work, and a
             * bandwidth; two times in ms; seconds left */
            _("Cell %1$zu of %2$zu is done: %3$s, %4$zu chips, %5$s at %6$s GB/s. Simulated %7$s "
              "ms, planned %8$s ms. About %9$s s left.\n"),
            progress->runs_done, progress->runs, cell->panel->title, cell->panel->chips,
            vl_bandwidth_name(cell->way), rate, simulated, planned, left);
    fflush(progress->terminal.stream);
}

static void take(void *context, const json_t *event)
{
    const struct cell *cell = context;
    const struct vl_chips *study = cell->course->study;
    struct vl_simulate_result result;
    if (vl_simulate_result_read(&result, event, &cell->panel->layouts[cell->way].division,
                                &study->recipe, VL_CHIPS_SCALE) != VL_OK)
        return; /* missed below */
    cell->panel->roads.roads[cell->road].cells[cell->way].simulated = result.seconds;
    tell_progress(cell);
}

static enum vl_status make_task(struct cell *cell)
{
    struct vl_simulate_task task;
    enum vl_status status = vl_chips_task(&task, cell->course->study, cell->panel, cell->way);
    if (status != VL_OK)
        return status;
    json_t *object = vl_simulate_task_json(&task);
    cell->task = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return cell->task != NULL ? VL_OK : VL_ENOMEM;
}

static struct vl_simulator simulator_of(const struct vl_chips *study, struct cell *cell)
{
    const struct vl_bandwidth_road *road = &cell->panel->roads.roads[cell->road];
    const struct vl_setting setting = vl_chips_setting(study, cell->panel, cell->way, road->rate);
    return (struct vl_simulator){
        .program = "vialata-simulator",
        .machine = vl_scale_cluster(&setting.cluster, &setting.recipe, VL_CHIPS_SCALE),
        .chips = cell->panel->chips,
        .words = (const char *const *)&cell->task,
        .count = 1,
        .event = take,
        .context = cell};
}

/* Those that take longest begin, so that no core is idle for long at the end. */
static const enum vl_bandwidth_way order[] = {VL_BANDWIDTH_DP_OVERLAP, VL_BANDWIDTH_ZERO3,
                                              VL_BANDWIDTH_TP,         VL_BANDWIDTH_DP,
                                              VL_BANDWIDTH_EP,         VL_BANDWIDTH_PP};
#define WAYS (sizeof order / sizeof *order)

static size_t list_cells(struct cell *cells, struct course *course, struct vl_chips_panel *panel)
{
    size_t count = 0;
    for (size_t i = 0; i < WAYS; i++)
        for (size_t r = 0; r < panel->roads.count && panel->layouts[order[i]].division.data > 0;
             r++)
            cells[count++] = (struct cell){course, panel, r, order[i], NULL};
    return count;
}

static enum vl_exit simulate_panel(struct course *course, struct vl_chips_panel *panel)
{
    struct cell cells[WAYS * VL_BANDWIDTH_RATES];
    struct vl_simulator simulators[WAYS * VL_BANDWIDTH_RATES];
    size_t count = list_cells(cells, course, panel), lanes = vl_study_lanes();
    enum vl_exit result = VL_EXIT_OK;
    for (size_t i = 0; i < count && result == VL_EXIT_OK; i++) {
        result = vl_say_status(make_task(&cells[i]));
        simulators[i] = simulator_of(course->study, &cells[i]);
    }
    if (result == VL_EXIT_OK)
        result = vl_simulators_run(simulators, count, lanes);
    for (size_t i = 0; i < count; i++) {
        double found = panel->roads.roads[cells[i].road].cells[cells[i].way].simulated;
        if (result == VL_EXIT_OK && !isfinite(found))
            result = vl_say(VL_EXIT_FAULT, _("A run of the study ended without reporting all of "
                                             "its steps: start the study once more."));
        free(cells[i].task);
    }
    return result;
}

static void open_progress(struct course *course)
{
    struct cell cells[WAYS * VL_BANDWIDTH_RATES];
    size_t runs = 0;
    double work = 0;
    for (size_t p = 0; p < course->study->count; p++) {
        size_t count = list_cells(cells, course, &course->study->panels[p]);
        for (size_t i = 0; i < count; i++)
            work += work_of(&cells[i]);
        runs += count;
    }
    vl_study_progress_open(&course->progress, stdout, runs, work);
}

static enum vl_exit simulate(struct vl_chips *study)
{
    struct course course = {.study = study};
    struct vl_terminal terminal;
    enum vl_exit result = VL_EXIT_OK;
    vl_terminal_open(&terminal, stdout);
    if (!vl_study_can_simulate(&terminal))
        return VL_EXIT_OK;
    study->scale = VL_CHIPS_SCALE;
    open_progress(&course);
    for (size_t p = 0; p < study->count && result == VL_EXIT_OK && !vl_interrupt_seen(); p++)
        result = simulate_panel(&course, &study->panels[p]);
    vl_study_progress_close(&course.progress);
    return result;
}

/* ---- all of it ---- */

enum vl_exit vl_chips_run(struct vl_chips **study, const struct vl_chips_request *request)
{
    struct vl_chips *made = calloc(1, sizeof *made);
    *study = NULL;
    if (made == NULL)
        return vl_say_status(VL_ENOMEM);
    vl_interrupt_begin(); /* runs have their own handlers; these are for the time between */
    enum vl_exit result = vl_chips_plan(made, request);
    if (result == VL_EXIT_OK)
        result = simulate(made);
    int asked = vl_interrupt_seen() != 0 || result > VL_EXIT_FAULT;
    if (asked)
        vl_say(VL_EXIT_OK, _("The study ended early, as you asked. Nothing is kept of it."));
    if (result == VL_EXIT_OK && !asked)
        *study = made;
    else
        vl_chips_free(made);
    vl_interrupt_end();
    return result;
}
