#include "cli/study/chips_plan.h"

#include "base/text.h"
#include "cli/plan/plan_files.h"
#include "cli/shared/say.h"
#include "cli/simulate/simulator.h"
#include "cli/study/chips_layouts.h"
#include "vialata/crossover.h"

#include <string.h>
#include <time.h>

static enum vl_exit refuse_memory(const struct vl_chips_panel *panel,
                                  const struct vl_forecast *forecast)
{
    char layout[VL_CHIPS_LAYOUT];
    return vl_say(VL_EXIT_USAGE,
                  /* TRANSLATORS: a machine, a layout, and bytes in GB */
                  _("The chips of `%1$s` are too small for this study: with `%2$s` one would hold "
                    "%3$.1f GB, and it has %4$.1f GB. Leave this machine out."),
                  panel->machine, vl_chips_layout_text(layout, &forecast->division),
                  1e-9 * (forecast->state_bytes + forecast->kept_bytes),
                  1e-9 * panel->cluster.memory_bytes);
}

static enum vl_exit plan_cell(const struct vl_chips *study, struct vl_chips_panel *panel, size_t r,
                              enum vl_bandwidth_way way)
{
    struct vl_bandwidth_road *road = &panel->roads.roads[r];
    const struct vl_setting setting = vl_chips_setting(study, panel, way, road->rate);
    struct vl_forecast forecast;
    enum vl_status status = vl_forecast_make(&forecast, &setting, &panel->layouts[way].division);
    if (status != VL_OK)
        return vl_say_status(status);
    if (!forecast.fits)
        return refuse_memory(panel, &forecast);
    road->cells[way].planned = forecast.step.seconds;
    return VL_EXIT_OK;
}

/* The panel gets its names, layouts and roads, all of them planned. */
static enum vl_exit fill_panel(const struct vl_chips *study, struct vl_chips_panel *panel,
                               const struct vl_cluster *machine)
{
    enum vl_exit result = vl_simulator_check_torus(machine, panel->chips);
    if (result == VL_EXIT_OK)
        result = vl_say_status(vl_chips_divide(panel, study, machine));
    panel->roads.unit = VL_BANDWIDTH_GB;
    for (size_t r = 0; r < study->factor_count && result == VL_EXIT_OK; r++) {
        result =
            vl_say_status(vl_bandwidth_add(&panel->roads, panel->bandwidth * study->factors[r]));
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS && result == VL_EXIT_OK; w++)
            if (panel->layouts[w].division.data > 0)
                result = plan_cell(study, panel, r, (enum vl_bandwidth_way)w);
    }
    return result;
}

static enum vl_exit add_machine(struct vl_chips *study, const struct vl_chips_request *request,
                                const char *name)
{
    struct vl_setting setting;
    json_t *file = NULL;
    enum vl_exit result = vl_plan_read_machine(&setting, &file, name);
    for (size_t i = 0; i < request->size_count && result == VL_EXIT_OK; i++) {
        const char *title = json_string_value(json_object_get(file, "title"));
        struct vl_chips_panel *panel = &study->panels[study->count++];
        panel->machine = strdup(name);
        panel->title = strdup(title != NULL ? title : name);
        panel->chips = request->sizes[i];
        result = panel->machine != NULL && panel->title != NULL
                     ? fill_panel(study, panel, &setting.cluster)
                     : vl_say_status(VL_ENOMEM);
    }
    json_decref(file);
    return result;
}

enum vl_exit vl_chips_plan(struct vl_chips *study, const struct vl_chips_request *request)
{
    time_t now = time(NULL);
    struct tm day;
    study->command = request->command;
    study->factor_count = request->factor_count;
    memcpy(study->factors, request->factors, sizeof study->factors);
    strftime(study->date, sizeof study->date, "%Y-%m-%d", localtime_r(&now, &day));
    enum vl_exit result = vl_say_status(vl_chips_model(study));
    for (size_t i = 0; i < request->machine_count && result == VL_EXIT_OK; i++)
        result = add_machine(study, request, request->machines[i]);
    return result;
}
