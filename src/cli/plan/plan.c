/* `vialata plan`: which layout is best for a model on a machine, and is a pipeline needed? */
#include "cli/plan/plan_files.h"
#include "cli/plan/plan_layout.h"
#include "cli/plan/plan_published.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include "plan/blueprint_file.h"
#include "report/plan/ranking.h"
#include "report/verdict/formats.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHIPS      2048
#define MOST_CHIPS 1000000
#define TOP        10
#define MOST_TOP   10000
#define SLACK      0.05
#define MOST_SLACK 100

/* What was asked for. */
struct asked {
    uint64_t chips, top, batch; /* 0: not said */
    double slack;
    int no_pipeline, why, published;
    const char *format, *out;
    json_t *model, *machine; /* their files: figures and sources */
};

/* ---- reading what was asked ---- */

static int read_slack(double *slack, const char *text)
{
    char *end;
    *slack = text != NULL ? strtod(text, &end) : SLACK;
    if (text == NULL ||
        (end != text && *end == '\0' && isfinite(*slack) && *slack >= 0 && *slack <= MOST_SLACK))
        return 1;
    vl_say(VL_EXIT_USAGE,
           _("`--slack %1$s` is not a share: give a number from 0 to %2$d, such as 0.05 for five "
             "percent."),
           text, MOST_SLACK);
    return 0;
}

static enum vl_exit read_words(struct asked *asked, const struct vl_arguments *arguments)
{
    const char *format = vl_argument(arguments, "format");
    asked->format = format != NULL ? format : "text";
    asked->out = vl_argument(arguments, "out");
    asked->no_pipeline = vl_argument(arguments, "no-pipeline") != NULL;
    if (strcmp(asked->format, "text") != 0 && strcmp(asked->format, "json") != 0 &&
        strcmp(asked->format, "svg") != 0)
        return vl_say(VL_EXIT_USAGE, _("There is no format `%s` here: choose text, json or svg."),
                      format);
    asked->why = vl_argument(arguments, "why") != NULL;
    asked->published = vl_argument(arguments, "published") != NULL;
    if (asked->published &&
        (asked->why || vl_argument(arguments, "model") != NULL ||
         vl_argument(arguments, "machine") != NULL || vl_argument(arguments, "layout") != NULL ||
         strcmp(asked->format, "svg") == 0))
        return vl_say(VL_EXIT_USAGE,
                      _("`--published` has its own models, machines and layouts: of "
                        "the other options, only `--format text`, `--format json` and "
                        "`--out` go with it."));
    if (asked->published)
        return VL_EXIT_OK;
    if (vl_argument(arguments, "model") == NULL || vl_argument(arguments, "machine") == NULL)
        return vl_say(VL_EXIT_USAGE, _("A plan needs a model and a machine, such as `vialata plan "
                                       "--model dsv3 --machine h800-ib`."));
    asked->top = TOP;
    if (!vl_argument_number_of(&asked->chips, arguments, "chips", 1, MOST_CHIPS) ||
        !vl_argument_number_of(&asked->top, arguments, "top", 1, MOST_TOP) ||
        !vl_argument_number_of(&asked->batch, arguments, "batch", 1, VL_BLUEPRINT_MOST_SIZE) ||
        !read_slack(&asked->slack, vl_argument(arguments, "slack")))
        return VL_EXIT_USAGE;
    return VL_EXIT_OK;
}

/* `--batch` replaces the figure of the file, and is named as its source. */
static void change_batch(struct vl_setting *setting, struct asked *asked)
{
    if (asked->batch == 0)
        return;
    setting->recipe.batch = asked->batch;
    json_object_set_new(json_object_get(asked->model, "recipe"), "batch",
                        json_pack("[Is]", (json_int_t)asked->batch, "--batch"));
}

static enum vl_exit read_setting(struct vl_ranking *ranking, struct asked *asked,
                                 const struct vl_arguments *arguments)
{
    const char *layout = vl_argument(arguments, "layout");
    enum vl_exit result =
        vl_plan_read_model(&ranking->setting, &asked->model, vl_argument(arguments, "model"));
    if (result == VL_EXIT_OK)
        result = vl_plan_read_machine(&ranking->setting, &asked->machine,
                                      vl_argument(arguments, "machine"));
    if (result != VL_EXIT_OK)
        return result;
    change_batch(&ranking->setting, asked);
    if (layout != NULL)
        result = vl_plan_read_layout(&ranking->own, &asked->chips, &ranking->setting, layout);
    if (result == VL_EXIT_OK && layout != NULL && asked->no_pipeline &&
        ranking->own.division.pipeline > 1)
        result = vl_say(VL_EXIT_USAGE, _("`--no-pipeline` leaves out layouts such as that of "
                                         "`--layout`, which has a pipeline: leave out one of "
                                         "them."));
    ranking->has_own = layout != NULL;
    ranking->chips = asked->chips > 0 ? asked->chips : CHIPS;
    ranking->most_pipeline = asked->no_pipeline ? 1 : 0;
    ranking->slack = asked->slack;
    ranking->top = asked->top;
    ranking->model_title = json_string_value(json_object_get(asked->model, "title"));
    ranking->machine_title = json_string_value(json_object_get(asked->machine, "title"));
    ranking->model_file = asked->model;
    ranking->machine_file = asked->machine;
    return result;
}

/* ---- nothing fits ---- */

static enum vl_exit refuse_chips(const struct vl_ranking *ranking)
{
    const struct vl_blueprint *model = &ranking->setting.model;
    if (model->experts == 0)
        return vl_say(
            VL_EXIT_USAGE,
            _("%1$zu chips cannot be shared out for this model: they are `dp` times `tp` times "
              "`pp`, where `tp` divides the %2$zu heads, `pp` is at most the %3$zu layers, and "
              "`dp` "
              "at most the %4$zu sequences of the batch. Choose another `--chips`, or `--batch`."),
            ranking->chips, model->heads, model->layers, ranking->setting.recipe.batch);
    return vl_say(
        VL_EXIT_USAGE,
        _("%1$zu chips cannot be shared out for this model: they are `dp` times `ep` "
          "times `tp` times `pp`, where `tp` divides the %2$zu heads, `tp` times `ep` the "
          "%3$zu experts, `pp` is at most the %4$zu layers, and `dp` times `ep` at most "
          "the %5$zu sequences of the batch. Choose another `--chips`, or `--batch`."),
        ranking->chips, model->heads, model->experts, model->layers, ranking->setting.recipe.batch);
}

static enum vl_exit refuse_all(const struct vl_ranking *ranking)
{
    char least[VL_NUMBER_TEXT], memory[VL_NUMBER_TEXT];
    const struct vl_search search = {.chips = ranking->chips,
                                     .most_pipeline = ranking->most_pipeline};
    double bytes = INFINITY;
    enum vl_status status = vl_ranking_least_bytes(&bytes, &ranking->setting, &search);
    if (status != VL_OK)
        return vl_say_status(status);
    if (!isfinite(bytes))
        return refuse_chips(ranking);
    return vl_say(
        VL_EXIT_USAGE,
        _("With `--chips %1$zu` no layout fits into the memory: even the leanest takes "
          "%2$s GB of a chip, with the reserve, and a chip has %3$s GB. Take more chips."),
        ranking->chips, vl_ranking_giga(least, bytes),
        vl_ranking_giga(memory, ranking->setting.cluster.memory_bytes));
}

/* ---- showing it ---- */

static enum vl_status write_to(FILE *stream, const struct vl_ranking *ranking,
                               const struct asked *asked)
{
    struct vl_terminal terminal;
    if (strcmp(asked->format, "json") == 0)
        return vl_json_write(stream, vl_ranking_json(ranking));
    if (strcmp(asked->format, "svg") == 0) {
        vl_ranking_draw(ranking, stream);
        return VL_OK;
    }
    vl_terminal_open(&terminal, stdout);
    terminal.stream = stream;
    terminal.colour = terminal.colour && asked->out == NULL;
    vl_ranking_write(ranking, &terminal);
    return VL_OK;
}

static enum vl_exit show(const struct vl_ranking *ranking, const struct asked *asked)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    enum vl_status status = stream != NULL ? write_to(stream, ranking, asked) : VL_ENOMEM;
    if (stream != NULL && fclose(stream) != 0)
        status = VL_ENOMEM;
    enum vl_exit result = VL_EXIT_OK;
    if (asked->out != NULL)
        result = vl_write_text(asked->out, status, text);
    else if (status == VL_OK)
        fputs(text, stdout);
    else
        result = vl_say_status(status);
    free(text);
    return result;
}

static enum vl_exit plan(struct vl_ranking *ranking, const struct asked *asked)
{
    struct vl_why why;
    enum vl_status status = vl_ranking_make(ranking);
    if (status == VL_OK && ranking->count > 0 && asked->why) {
        status = vl_why_make(&why, ranking);
        ranking->why = &why;
    }
    enum vl_exit result = status != VL_OK      ? vl_say_status(status)
                          : ranking->count > 0 ? show(ranking, asked)
                                               : refuse_all(ranking);
    ranking->why = NULL; /* it ends here */
    return result;
}

static enum vl_exit show_published(const struct asked *asked)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return vl_say_status(VL_ENOMEM);
    enum vl_exit result = vl_plan_write_published(stream, strcmp(asked->format, "json") == 0);
    enum vl_status status = fclose(stream) == 0 ? VL_OK : VL_ENOMEM;
    if (result == VL_EXIT_OK && asked->out != NULL)
        result = vl_write_text(asked->out, status, text);
    else if (result == VL_EXIT_OK && status == VL_OK)
        fputs(text, stdout);
    else if (result == VL_EXIT_OK)
        result = vl_say_status(status);
    free(text);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct asked asked = {0};
    struct vl_ranking ranking = {0};
    enum vl_exit result = read_words(&asked, arguments);
    if (result == VL_EXIT_OK && asked.published)
        return show_published(&asked);
    if (result == VL_EXIT_OK)
        result = read_setting(&ranking, &asked, arguments);
    if (result == VL_EXIT_OK)
        result = plan(&ranking, &asked);
    vl_ranking_free(&ranking);
    json_decref(asked.model);
    json_decref(asked.machine);
    return result;
}

static const struct vl_flag flags[] = {
    {"model", "NAME|FILE",
     N_("dsv3, k2, gpt-175b, gpt-530b, llama-405b, palm-540b, small, or your own file")},
    {"machine", "NAME|FILE",
     N_("a100-ib, h100-ib, h800-ib, b200-ib, nvl72, tpu-v4, tpu-v5p, or your own file")},
    {"chips", "N", N_("how many chips share the work (2048)")},
    {"batch", "N", N_("sequences in the batch of a step (what the model's file says)")},
    {"top", "N", N_("how many of the fastest layouts to show (10)")},
    {"no-pipeline", NULL, N_("show only layouts without a pipeline")},
    {"layout", "dp=N,ep=N,...",
     N_("show this one too, and how far behind the best it is; it may also say v, m, zero and "
        "keep")},
    {"slack", "X", N_("how much slower than the best a layout without a pipeline may be (0.05)")},
    {"why", NULL, N_("show which assumptions the crossover depends on, and how much")},
    {"published", NULL, N_("show the planner next to runs that were published")},
    {"format", "NAME", N_("text, json or svg")},
    {"out", "FILE", N_("write it there instead")},
    {0},
};

const struct vl_command vl_command_plan = {
    .name = "plan",
    .takes = "",
    .least = 0,
    .most = 0,
    .summary = N_("Rank the ways to share a model out over a machine, and find how broad its roads "
                  "must be before no pipeline is needed."),
    .flags = flags,
    .run = run,
};
