#include "cli/study/study_bandwidth.h"

#include "base/number.h"
#include "base/text.h"
#include "cli/hosts/two_hosts.h"
#include "cli/shared/say.h"
#include "cli/study/study_simulated.h"
#include "report/draw/terminal.h"
#include "sandbox/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* One road under way. */
struct course {
    struct vl_bandwidth *study;
    const struct vl_bandwidth_request *request;
    struct vl_terminal terminal;
    double began;
    size_t done;           /* roads measured, in all runs */
    double rate, load;     /* of this road; before it */
    enum vl_status status; /* of what the benchmark told; VL_EFORMAT until it told anything */
};

static double load_now(void)
{
    double minute;
    return getloadavg(&minute, 1) == 1 ? minute : NAN;
}

static void take(void *context, const json_t *event)
{
    struct course *course = context;
    const json_t *told = json_object_get(event, "bandwidth");
    if (told != NULL)
        course->status = vl_bandwidth_take(course->study, course->rate, course->load, told);
}

/* A line for each road: it takes long enough to be waited for. */
static void tell_progress(const struct course *course, size_t road)
{
    size_t done = course->done, all = course->request->runs * course->request->count;
    char dp[VL_NUMBER_TEXT], pp[VL_NUMBER_TEXT], left[VL_NUMBER_TEXT];
    double rest = (vl_clock() - course->began) / (double)done * (double)(all - done);
    vl_number_text(dp, 1e3 * vl_bandwidth_measured(course->study, road, VL_BANDWIDTH_DP).median, 0);
    vl_number_text(pp, 1e3 * vl_bandwidth_measured(course->study, road, VL_BANDWIDTH_PP).median, 0);
    vl_terminal_sentence(&course->terminal, VL_STYLE_PLAIN,
                         /* TRANSLATORS: road of roads, its rate, two times in ms, seconds left */
                         _("Road %1$zu of %2$zu is measured: %3$s. Data parallel %4$s ms, pipeline "
                           "%5$s ms. About %6$s s left."),
                         done, all, course->request->spelled[road], dp, pp,
                         vl_number_text(left, rest, 0));
    fflush(course->terminal.stream);
}

static enum vl_exit measure_road(struct course *course, const struct vl_two_hosts *hosts, size_t r)
{
    char said[256], steps[24];
    const char *const words[] = {steps};
    struct vl_job job = {
        .command = "bench-bandwidth", .words = words, .count = 1, .event = take, .context = course};
    snprintf(steps, sizeof steps, "%zu", course->request->steps);
    if (!vl_two_hosts_shape(hosts, course->request->spelled[r], said))
        return vl_say(VL_EXIT_LACK,
                      _("The road between the two hosts cannot have a rate of %1$s "
                        "here (%2$s)."),
                      course->request->spelled[r], said);
    course->status = VL_EFORMAT;
    course->load = load_now();
    course->rate = course->request->rates[r];
    enum vl_exit result = vl_two_hosts_run(hosts, &job, 1);
    if (result == VL_EXIT_OK && course->status != VL_OK)
        result = vl_say(VL_EXIT_FAULT, _("A run of the study ended without reporting all of its "
                                         "steps: start the study once more."));
    if (result == VL_EXIT_OK) {
        course->done++;
        tell_progress(course, r);
    }
    return result;
}

/* A layout with other losses would train another model, and its seconds would mean nothing. */
static enum vl_exit check_losses(const struct course *course)
{
    size_t road;
    enum vl_bandwidth_way way;
    if (!vl_bandwidth_losses_differ(&road, &way, course->study))
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_FAULT,
                  /* TRANSLATORS: how the model was trained, and a rate */
                  _("The losses of one layout (%1$s, at %2$s) are not those of a host alone, so it "
                    "trained another model: its times are not shown."),
                  vl_bandwidth_name(way), course->request->spelled[road]);
}

static enum vl_exit follow(struct course *course)
{
    const struct vl_bandwidth_request *request = course->request;
    struct vl_two_hosts hosts;
    enum vl_exit result = vl_two_hosts_open(&hosts, request->spelled[0]);
    course->began = vl_clock();
    for (size_t i = 0; result == VL_EXIT_OK && i < request->runs * request->count; i++)
        result = measure_road(course, &hosts, i % request->count);
    vl_two_hosts_close(&hosts);
    if (result == VL_EXIT_OK)
        result = check_losses(course);
    if (result == VL_EXIT_OK)
        result = vl_bandwidth_simulate(course->study);
    if (result <= VL_EXIT_FAULT)
        return result;
    vl_say(VL_EXIT_OK, _("The study ended early, as you asked. Nothing is kept of it."));
    return result;
}

enum vl_exit vl_bandwidth_run(struct vl_bandwidth **study,
                              const struct vl_bandwidth_request *request)
{
    struct course course = {.request = request};
    time_t now = time(NULL);
    struct tm day;
    *study = NULL;
    course.study = calloc(1, sizeof *course.study);
    if (course.study == NULL)
        return vl_say_status(VL_ENOMEM);
    course.study->turns = request->steps;
    course.study->command = request->command;
    strftime(course.study->date, sizeof course.study->date, "%Y-%m-%d", localtime_r(&now, &day));
    vl_terminal_open(&course.terminal, stdout);
    enum vl_exit result = follow(&course);
    if (result == VL_EXIT_OK)
        *study = course.study;
    else
        vl_bandwidth_free(course.study);
    return result;
}
