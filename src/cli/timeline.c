#include "report/timeline.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/say.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static enum vl_exit refuse(const char *path, enum vl_status status, const char *reason)
{
    if (reason != NULL)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` cannot be drawn. %2$s"), path, reason);
    return vl_say(VL_EXIT_LACK, "%s", vl_status_text(status));
}

/* Numbers that are no double make jansson refuse the text, so they never get further. */
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
                      _("`%s` is no file, or larger than 32 MiB: record a smaller run."), path);
    if (status != VL_OK)
        return refuse(path, status, NULL);
    *trace = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (*trace == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`%1$s` is no trace: it is no JSON from line %2$d on. Write one with "
                        "`vialata train --trace FILE`."),
                      path, error.line);
    return VL_EXIT_OK;
}

static enum vl_exit write_svg(const char *path, const struct vl_timeline *timeline,
                              const char *title)
{
    const struct vl_timeline_part part = {timeline, title};
    char *svg = NULL;
    enum vl_status status = vl_timeline_svg(&svg, &part, 1);
    if (status == VL_OK)
        status = vl_file_write(path, svg, strlen(svg));
    free(svg);
    if (status == VL_EIO)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` cannot be written: %2$s."), path, strerror(errno));
    return status == VL_OK ? VL_EXIT_OK : refuse(path, status, NULL);
}

static enum vl_exit print_json(const struct vl_timeline *timeline,
                               const struct vl_timeline_facts *facts)
{
    json_t *all = vl_timeline_json(timeline, facts);
    if (all == NULL)
        return vl_say(VL_EXIT_LACK, "%s", vl_status_text(VL_ENOMEM));
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
    return VL_EXIT_OK;
}

static enum vl_exit draw(const struct vl_timeline *timeline, const struct vl_timeline_facts *facts)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    enum vl_status status = vl_timeline_draw(timeline, 0, &terminal);
    if (status != VL_OK)
        return vl_say(VL_EXIT_LACK, "%s", vl_status_text(status));
    vl_timeline_draw_legend(&terminal);
    putchar('\n');
    vl_timeline_draw_facts(timeline, facts, &terminal);
    return VL_EXIT_OK;
}

static int run(const struct vl_arguments *arguments)
{
    const char *path = arguments->words[0], *svg = vl_argument(arguments, "svg"), *reason;
    struct vl_timeline *timeline = NULL;
    struct vl_timeline_facts facts;
    json_t *trace;
    enum vl_exit result = read_trace(&trace, path);
    if (result != VL_EXIT_OK)
        return result;
    enum vl_status status = vl_timeline_read(&timeline, trace, &reason);
    json_decref(trace);
    if (status != VL_OK)
        return refuse(path, status, reason);
    status = vl_timeline_measure(&facts, timeline);
    if (status != VL_OK)
        result = refuse(path, status, NULL);
    if (result == VL_EXIT_OK && svg != NULL)
        result = write_svg(svg, timeline, path);
    if (result == VL_EXIT_OK)
        result = vl_argument(arguments, "json") != NULL ? print_json(timeline, &facts)
                                                        : draw(timeline, &facts);
    vl_timeline_free(timeline);
    return result;
}

static const struct vl_flag flags[] = {
    {"svg", "FILE", N_("draw it as a picture too, for a browser")},
    {"json", NULL, N_("what was measured as JSON, with all digits")},
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
