#include "report/timeline/timeline.h"
#include "report/schedule/comparison.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static enum vl_exit refuse(const char *path, enum vl_status status, const char *reason)
{
    if (reason != NULL)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` cannot be drawn. %2$s"), path, reason);
    return vl_say_status(status);
}

/* jansson refuses a text with a number that does not fit a double, so all numbers are finite. */
static enum vl_exit read_trace(json_t **trace, const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    json_error_t error;
    *trace = NULL;
    enum vl_status status = vl_file_read(&text, &bytes, path, VL_TIMELINE_BYTES);
    if (status == VL_EIO)
        return vl_say(VL_EXIT_USAGE,
                      _("`%1$s` cannot be read: %2$s. Write a trace with `vialata train --trace "
                        "FILE`."),
                      path, strerror(errno));
    if (status == VL_EFORMAT)
        return vl_say(VL_EXIT_USAGE,
                      _("`%s` is not a file, or is larger than 32 MiB: record a smaller "
                        "run."),
                      path);
    if (status != VL_OK)
        return refuse(path, status, NULL);
    *trace = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (*trace == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`%1$s` is not a trace: it stops being valid JSON at line %2$d. Write one "
                        "with `vialata train --trace FILE`."),
                      path, error.line);
    return VL_EXIT_OK;
}

/* What is shown of a trace. */
struct shown {
    const char *path;
    struct vl_timeline *timeline;
    struct vl_timeline_facts facts;
    struct vl_comparison *comparison; /* NULL where there is no pipeline */
};

static enum vl_exit write_svg(const char *path, const struct shown *shown)
{
    char *title = shown->comparison != NULL ? vl_comparison_title(shown->comparison) : NULL;
    const struct vl_timeline_part parts[] = {
        {shown->timeline, shown->path},
        {shown->comparison != NULL ? shown->comparison->timeline : NULL, title}};
    char *svg = NULL;
    enum vl_status status = vl_timeline_svg(&svg, parts, shown->comparison != NULL ? 2 : 1);
    enum vl_exit result = vl_write_text(path, status, svg);
    free(svg);
    free(title);
    return result;
}

static enum vl_exit print_json(const struct shown *shown)
{
    json_t *all = vl_timeline_json(shown->timeline, &shown->facts);
    if (all != NULL && shown->comparison != NULL)
        json_object_set_new(all, "pipeline", vl_comparison_json(shown->comparison));
    if (all == NULL)
        return vl_say_status(VL_ENOMEM);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
    return VL_EXIT_OK;
}

static enum vl_exit draw(const struct shown *shown)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    enum vl_status status = vl_timeline_draw(shown->timeline, 0, &terminal);
    if (status == VL_OK) {
        vl_timeline_draw_legend(&terminal);
        putchar('\n');
        vl_timeline_draw_facts(shown->timeline, &shown->facts, &terminal);
    }
    if (status == VL_OK && shown->comparison != NULL) {
        putchar('\n');
        status = vl_comparison_draw(shown->comparison, &terminal);
    }
    return vl_say_status(status);
}

/* If nothing can be predicted, that is said and the rest is shown. */
static enum vl_exit take_apart(struct shown *shown, const json_t *trace)
{
    const char *reason;
    enum vl_status status = vl_timeline_read(&shown->timeline, trace, &reason);
    if (status != VL_OK)
        return refuse(shown->path, status, reason);
    status = vl_comparison_read(&shown->comparison, shown->timeline, trace, &reason);
    if (status == VL_OK && reason != NULL)
        vl_say(VL_EXIT_OK, "%s", reason);
    if (status == VL_OK)
        status = vl_timeline_measure(&shown->facts, shown->timeline);
    return status == VL_OK ? VL_EXIT_OK : refuse(shown->path, status, NULL);
}

static int run(const struct vl_arguments *arguments)
{
    struct shown shown = {.path = arguments->words[0]};
    const char *svg = vl_argument(arguments, "svg");
    json_t *trace;
    enum vl_exit result = read_trace(&trace, shown.path);
    if (result != VL_EXIT_OK)
        return result;
    result = take_apart(&shown, trace);
    json_decref(trace);
    if (result == VL_EXIT_OK && svg != NULL)
        result = write_svg(svg, &shown);
    if (result == VL_EXIT_OK)
        result = vl_argument(arguments, "json") != NULL ? print_json(&shown) : draw(&shown);
    vl_timeline_free(shown.timeline);
    vl_comparison_free(shown.comparison);
    return result;
}

static const struct vl_flag flags[] = {
    {"svg", "FILE", N_("draw it as a picture too, for a browser")},
    {"json", NULL, N_("what was measured, as JSON with all digits")},
    {0},
};

const struct vl_command vl_command_timeline = {
    .name = "timeline",
    .takes = "FILE",
    .least = 1,
    .most = 1,
    .summary = N_("Draw a trace that `train --trace` wrote: who computed, sent and waited when."),
    .flags = flags,
    .run = run,
};
