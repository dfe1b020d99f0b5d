/* `vialata schedule`: a pipeline's schedule, looked at without running it. */
#include "engine/schedule/schedule_make.h"
#include "engine/schedule/schedule_words.h"
#include "report/schedule/plan.h"
#include "report/verdict/formats.h"

#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COST_MOST 1e9

/* What was asked for. */
struct look {
    const char *name;
    uint64_t stages, chunks, micro_batches; /* 0: not said */
    struct vl_schedule_costs costs;
    const char *svg, *out;
    int json;
};

/* ---- reading what was asked ---- */

static int read_cost(double *cost, const struct vl_arguments *arguments, const char *flag)
{
    const char *text = vl_argument(arguments, flag);
    char *end;
    if (text == NULL)
        return 1;
    *cost = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*cost) && *cost >= 0 && *cost <= COST_MOST)
        return 1;
    vl_say(
        VL_EXIT_USAGE,
        _("`--%1$s %2$s` is not a time: give a number that is not negative, in the same unit for "
          "all costs."),
        flag, text);
    return 0;
}

static enum vl_exit read_look(struct look *look, const struct vl_arguments *arguments)
{
    const char *format = vl_argument(arguments, "format");
    *look = (struct look){.name = arguments->words[0],
                          .costs = {.forward = 1, .backward = 1, .weight = 1},
                          .svg = vl_argument(arguments, "svg"),
                          .out = vl_argument(arguments, "out"),
                          .json = format != NULL && strcmp(format, "json") == 0};
    if (format != NULL && !look->json && strcmp(format, "text") != 0)
        return vl_say(VL_EXIT_USAGE, _("There is no format `%s` here: choose text or json."),
                      format);
    if (!vl_argument_number_of(&look->stages, arguments, "pp", 1, VL_SCHEDULE_STAGES) ||
        !vl_argument_number_of(&look->micro_batches, arguments, "micro-batches", 1,
                               VL_SCHEDULE_SPLITS) ||
        !vl_argument_number_of(&look->chunks, arguments, "chunks", 1, VL_SCHEDULE_SPLITS) ||
        !read_cost(&look->costs.forward, arguments, "forward") ||
        !read_cost(&look->costs.backward, arguments, "backward") ||
        !read_cost(&look->costs.weight, arguments, "weight") ||
        !read_cost(&look->costs.message, arguments, "message"))
        return VL_EXIT_USAGE;
    return VL_EXIT_OK;
}

/* ---- an unsound schedule ---- */

static const char *code_of(enum vl_schedule_fault fault)
{
    static const char *const codes[] = {
        [VL_SCHEDULE_SOUND] = "sound",         [VL_SCHEDULE_UNKNOWN] = "unknown_task",
        [VL_SCHEDULE_TWICE] = "twice",         [VL_SCHEDULE_MISSING] = "missing",
        [VL_SCHEDULE_TOO_EARLY] = "too_early", [VL_SCHEDULE_DEADLOCK] = "deadlock",
    };
    return codes[fault];
}

static void print_fault(const struct vl_schedule_report *report, const char *sentence)
{
    char task[VL_TASK_TEXT], needed[VL_TASK_TEXT];
    json_t *all = json_pack("{sb ss sI ss ss}", "sound", 0, "fault", code_of(report->fault),
                            "stage", (json_int_t)report->stage, "task",
                            vl_task_text(task, &report->task), "message", sentence);
    if (report->fault == VL_SCHEDULE_TOO_EARLY || report->fault == VL_SCHEDULE_DEADLOCK)
        json_object_update_new(all, json_pack("{sI ss}", "needed_stage",
                                              (json_int_t)report->needed_stage, "needed",
                                              vl_task_text(needed, &report->needed)));
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

static enum vl_exit refuse(const struct look *look, const struct vl_schedule_problem *problem)
{
    char sentence[VL_SCHEDULE_SENTENCE];
    vl_schedule_sentence(sentence, problem);
    if (problem->wrong != VL_SCHEDULE_UNSOUND)
        return vl_say(problem->wrong == VL_SCHEDULE_STATUS ? VL_EXIT_LACK : VL_EXIT_USAGE, "%s",
                      sentence);
    if (look->json)
        print_fault(&problem->report, sentence);
    return vl_say(VL_EXIT_BELOW, "%s", sentence);
}

/* ---- a sound one ---- */

/* The shortest of the costs, which is drawn as a whole number of cells. */
static double grain_of(const struct vl_schedule_costs *costs)
{
    const double all[] = {costs->forward, costs->backward, costs->weight};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] > 0)
            least = fmin(least, all[i]);
    return isfinite(least) ? least : 0;
}

static enum vl_exit write_files(const struct look *look, const struct vl_plan *plan,
                                const struct vl_timeline *timeline)
{
    enum vl_exit result = VL_EXIT_OK;
    if (look->svg != NULL) {
        const struct vl_timeline_part part = {timeline, look->name};
        char *svg = NULL;
        enum vl_status status = vl_timeline_svg(&svg, &part, 1);
        result = vl_write_text(look->svg, status, svg);
        free(svg);
    }
    if (result == VL_EXIT_OK && look->out != NULL) {
        char *text = vl_schedule_text(plan->schedule);
        result = vl_write_text(look->out, VL_OK, text);
        free(text);
    }
    return result;
}

static enum vl_exit print_json(const struct look *look, const struct vl_plan *plan)
{
    json_t *all = json_pack("{sb so}", "sound", 1, "schedule", vl_json_text(look->name));
    if (all == NULL || json_object_update_new(all, vl_plan_json(plan)) != 0) {
        json_decref(all);
        return vl_say_status(VL_ENOMEM);
    }
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
    return VL_EXIT_OK;
}

static enum vl_exit draw(const struct vl_plan *plan, const struct vl_timeline *timeline)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    enum vl_status status = vl_timeline_draw(timeline, 0, &terminal);
    if (status != VL_OK)
        return vl_say_status(status);
    vl_timeline_draw_task_legend(&terminal);
    putchar('\n');
    vl_plan_draw_facts(plan, &terminal);
    return VL_EXIT_OK;
}

static enum vl_exit show(const struct look *look, const struct vl_schedule *schedule)
{
    struct vl_plan plan;
    struct vl_timeline *timeline = NULL;
    enum vl_status status = vl_plan_make(&plan, schedule, &look->costs);
    if (status == VL_OK)
        status = vl_plan_timeline(&timeline, &plan, grain_of(&look->costs));
    enum vl_exit result =
        status == VL_OK ? write_files(look, &plan, timeline) : vl_say_status(status);
    if (result == VL_EXIT_OK)
        result = look->json ? print_json(look, &plan) : draw(&plan, timeline);
    vl_timeline_free(timeline);
    vl_plan_free(&plan);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct look look;
    struct vl_schedule schedule;
    struct vl_schedule_problem problem;
    enum vl_exit result = read_look(&look, arguments);
    if (result != VL_EXIT_OK)
        return result;
    if (vl_schedule_make(&schedule, look.name, look.stages, look.chunks, look.micro_batches,
                         &problem) != VL_OK)
        return refuse(&look, &problem);
    result = show(&look, &schedule);
    vl_schedule_free(&schedule);
    return result;
}

static const struct vl_flag flags[] = {
    {"pp", "P", N_("stages; with a file, the number of its lines")},
    {"micro-batches", "M", N_("micro-batches; with a file, found from its tasks")},
    {"chunks", "V", N_("chunks of layers on each stage, for interleaved (1)")},
    {"forward", "TIME", N_("what a forward F takes, in any unit (1)")},
    {"backward", "TIME", N_("what the input part of backward B takes (1)")},
    {"weight", "TIME", N_("what the weight part of backward W takes (1)")},
    {"message", "TIME", N_("what a message from stage to stage takes (0)")},
    {"svg", "FILE", N_("draw it as a picture too, for a browser")},
    {"out", "FILE", N_("write the schedule as text, to change it and look again")},
    {"format", "NAME", N_("text or json")},
    {0},
};

const struct vl_command vl_command_schedule = {
    .name = "schedule",
    .takes = "afab|1f1b|interleaved|zb-h1|FILE",
    .least = 1,
    .most = 1,
    .summary = N_("Look at a pipeline's schedule without running it: is it valid, and what does it "
                  "cost?"),
    .flags = flags,
    .run = run,
};
