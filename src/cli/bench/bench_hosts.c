#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/hosts/two_hosts.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "report/timeline/timeline.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RATE  "1gbit"
#define PARTS 4

/* What the jobs told, and the timelines in it, in the order in which they are drawn. */
struct findings {
    json_t *all;
    struct vl_timeline *timelines[PARTS];
};

static void take(void *context, const json_t *event)
{
    struct findings *findings = context;
    json_object_update(findings->all, (json_t *)event);
}

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static const char *title_of(size_t part)
{
    static const char *const titles[PARTS] = {
        N_("Flat: gradients are sent after backward"),
        N_("Overlapped: gradients are sent while backward runs"),
        N_("One ring over four ranks"),
        N_("Two levels: inside a host, then between them"),
    };
    return _(titles[part]);
}

static void read_timelines(struct findings *findings)
{
    const char *reason;
    const json_t *overlap = json_object_get(findings->all, "overlap");
    const json_t *levels = json_object_get(findings->all, "levels");
    const json_t *const traces[PARTS] = {
        json_object_get(overlap, "flat_trace"), json_object_get(overlap, "overlap_trace"),
        json_object_get(levels, "ring_trace"), json_object_get(levels, "two_level_trace")};
    for (size_t i = 0; i < PARTS; i++)
        if (traces[i] == NULL ||
            vl_timeline_read(&findings->timelines[i], traces[i], &reason) != VL_OK)
            findings->timelines[i] = NULL;
}

/* Two timelines on one scale. */
static void draw_pair(const struct findings *findings, size_t first,
                      const struct vl_terminal *terminal)
{
    double longest = 0;
    for (size_t i = first; i < first + 2; i++)
        if (findings->timelines[i] != NULL && findings->timelines[i]->seconds > longest)
            longest = findings->timelines[i]->seconds;
    for (size_t i = first; i < first + 2; i++) {
        if (findings->timelines[i] == NULL)
            continue;
        putchar('\n');
        vl_terminal_paragraph(terminal, VL_STYLE_BOLD, 0, title_of(i));
        vl_timeline_draw(findings->timelines[i], longest, terminal);
    }
}

static void tell_overlap(const json_t *o, const struct vl_terminal *terminal)
{
    char text[768], alone[VL_NUMBER_TEXT], flat[VL_NUMBER_TEXT], overlap[VL_NUMBER_TEXT],
        hidden[VL_NUMBER_TEXT];
    snprintf(text, sizeof text,
             _("A step takes %1$s ms without sending, %2$s ms with its gradients sent after "
               "backward, and %3$s ms with them sent while backward runs: overlapping hides %4$s "
               "of the time that sending costs."),
             vl_number_text(alone, 1e3 * number_at(o, "alone"), 1),
             vl_number_text(flat, 1e3 * number_at(o, "flat"), 1),
             vl_number_text(overlap, 1e3 * number_at(o, "overlap"), 1),
             vl_number_percent(hidden, number_at(o, "hidden"), 0));
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, text);
}

static void tell_levels(const json_t *l, const struct vl_terminal *terminal)
{
    char text[768], bytes[VL_NUMBER_TEXT], ring[VL_NUMBER_TEXT], levels[VL_NUMBER_TEXT],
        ratio[VL_NUMBER_TEXT];
    snprintf(text, sizeof text,
             _("An all-reduce of %1$s over two ranks on each host takes %2$s ms as one ring and "
               "%3$s ms in two levels: %4$s times as fast."),
             vl_number_bytes(bytes, (uint64_t)number_at(l, "bytes")),
             vl_number_text(ring, 1e3 * number_at(l, "ring"), 1),
             vl_number_text(levels, 1e3 * number_at(l, "two_level"), 1),
             vl_number_text(ratio, number_at(l, "ratio"), 2));
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, text);
}

static void show(const struct findings *findings, const char *rate)
{
    struct vl_terminal terminal;
    char text[256], wide[VL_NUMBER_TEXT];
    const json_t *overlap = json_object_get(findings->all, "overlap");
    const json_t *levels = json_object_get(findings->all, "levels");
    vl_terminal_open(&terminal, stdout);
    snprintf(text, sizeof text, _("Two hosts, a road of %1$s between them: %2$s MB/s measured."),
             rate,
             vl_number_text(wide, 1e-6 / number_at(json_object_get(overlap, "road"), "beta"), 0));
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, text);
    tell_overlap(overlap, &terminal);
    draw_pair(findings, 0, &terminal);
    putchar('\n');
    tell_levels(levels, &terminal);
    draw_pair(findings, 2, &terminal);
    vl_timeline_draw_legend(&terminal);
}

static void show_json(const struct findings *findings)
{
    json_t *told = json_deep_copy(findings->all);
    json_object_del(json_object_get(told, "overlap"), "flat_trace");
    json_object_del(json_object_get(told, "overlap"), "overlap_trace");
    json_object_del(json_object_get(told, "levels"), "ring_trace");
    json_object_del(json_object_get(told, "levels"), "two_level_trace");
    json_dumpf(told, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(told);
}

static enum vl_exit write_svg(const struct findings *findings, const char *path)
{
    struct vl_timeline_part parts[PARTS];
    size_t count = 0;
    char *svg = NULL;
    for (size_t i = 0; i < PARTS; i++)
        if (findings->timelines[i] != NULL)
            parts[count++] = (struct vl_timeline_part){findings->timelines[i], title_of(i)};
    enum vl_status status = vl_timeline_svg(&svg, parts, count);
    if (status == VL_OK)
        status = vl_file_write(path, svg, strlen(svg));
    free(svg);
    if (status == VL_OK)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("The file %s cannot be written: check its folder and "
                    "permissions. What was there before is untouched."),
                  path);
}

static enum vl_exit measure(struct findings *findings, const struct vl_two_hosts *hosts)
{
    struct vl_job overlap = {.command = "bench-overlap", .event = take, .context = findings};
    struct vl_job levels = {.command = "bench-levels", .event = take, .context = findings};
    enum vl_exit status = vl_two_hosts_run(hosts, &overlap, 1);
    return status == VL_EXIT_OK ? vl_two_hosts_run(hosts, &levels, 2) : status;
}

enum vl_exit vl_bench_show_hosts(const struct vl_arguments *arguments)
{
    struct vl_two_hosts hosts;
    struct findings findings = {.all = json_object()};
    const char *asked = vl_argument(arguments, "rate"), *svg = vl_argument(arguments, "svg");
    const char *rate = asked != NULL ? asked : RATE;
    enum vl_exit status = vl_two_hosts_open(&hosts, rate);
    if (status == VL_EXIT_OK && isatty(STDERR_FILENO))
        vl_say(VL_EXIT_OK, _("Measuring; this takes about ten seconds."));
    if (status == VL_EXIT_OK)
        status = measure(&findings, &hosts);
    vl_two_hosts_close(&hosts);
    if (status == VL_EXIT_OK) {
        read_timelines(&findings);
        if (vl_argument(arguments, "json") != NULL)
            show_json(&findings);
        else
            show(&findings, rate);
        if (svg != NULL)
            status = write_svg(&findings, svg);
    }
    for (size_t i = 0; i < PARTS; i++)
        vl_timeline_free(findings.timelines[i]);
    json_decref(findings.all);
    return status;
}
