#include "cli/plan/plan_published.h"

#include "base/text.h"
#include "cli/plan/plan_files.h"
#include "cli/plan/plan_layout.h"
#include "cli/shared/say.h"
#include "report/plan/published.h"
#include "report/verdict/formats.h"

#include <stdlib.h>

/* One run of the file: {"model", "machine", "batch", "layout", "figure", "value", "source",
 * "fitted": [assumptions]}. */
static enum vl_exit read_run(struct vl_published *run, json_t *entry)
{
    struct vl_setting setting;
    json_t *model = NULL, *machine = NULL, *fitted;
    json_int_t batch;
    const char *figure;
    double value;
    uint64_t chips = 0;
    if (json_unpack(entry, "{ss ss sI ss ss sF ss so}", "model", &run->model, "machine",
                    &run->machine, "batch", &batch, "layout", &run->layout, "figure", &figure,
                    "value", &value, "source", &run->source, "fitted", &fitted) != 0 ||
        batch <= 0)
        return vl_say_status(VL_EFORMAT);
    enum vl_exit result = vl_plan_read_model(&setting, &model, run->model);
    if (result == VL_EXIT_OK)
        result = vl_plan_read_machine(&setting, &machine, run->machine);
    if (result == VL_EXIT_OK) {
        setting.recipe.batch = (size_t)batch;
        result = vl_plan_read_layout(&run->forecast, &chips, &setting, run->layout);
    }
    if (result == VL_EXIT_OK) {
        enum vl_status status =
            vl_published_seconds(&run->seconds, &setting, &run->forecast, figure, value);
        result = status == VL_OK ? VL_EXIT_OK : vl_say_status(status);
    }
    run->fitted = json_array_size(fitted) > 0;
    json_decref(model);
    json_decref(machine);
    return result;
}

static enum vl_exit write_runs(FILE *stream, const json_t *list, int as_json)
{
    struct vl_terminal terminal;
    size_t count = json_array_size(list);
    struct vl_published *runs = calloc(count + 1, sizeof *runs);
    if (runs == NULL)
        return vl_say_status(VL_ENOMEM);
    enum vl_exit result = VL_EXIT_OK;
    for (size_t i = 0; i < count && result == VL_EXIT_OK; i++)
        result = read_run(&runs[i], json_array_get(list, i));
    if (result == VL_EXIT_OK && as_json) {
        enum vl_status status = vl_json_write(stream, vl_published_json(runs, count));
        result = status == VL_OK ? VL_EXIT_OK : vl_say_status(status);
    } else if (result == VL_EXIT_OK) {
        vl_terminal_open(&terminal, stdout);
        terminal.stream = stream;
        vl_published_write(runs, count, &terminal);
    }
    free(runs);
    return result;
}

enum vl_exit vl_plan_write_published(FILE *stream, int as_json)
{
    char *path = vl_plan_published_path();
    json_t *file = path != NULL ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    enum vl_exit result = file != NULL ? write_runs(stream, json_object_get(file, "runs"), as_json)
                                       : vl_say_status(path != NULL ? VL_EFORMAT : VL_ENOMEM);
    json_decref(file);
    free(path);
    return result;
}
