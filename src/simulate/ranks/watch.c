#include "simulate/ranks/watch.h"

#include "simulate/ranks/flights.h"
#include "simulate/ranks/messages.h"
#include "simulate/ranks/shared.h"
#include "simulate/ranks/state.h"

#include <jansson.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#define MOST_SECONDS 20 /* of computing in which nothing happens */

/* ---- ranks that wait for ever ---- */

/* SimGrid calls this when the thread of a rank ends: after main, or because nothing moves. */
static void tell_stuck(int failed, void *context)
{
    const struct vl_rank_state *state = context;
    struct vl_wait wait;
    json_t *told = failed ? json_pack("{s{si}}", "stuck", "rank", vl_rank_number(state)) : NULL;
    if (told == NULL)
        return;
    if (vl_message_waited(&wait, &state->speaker) || vl_flights_waited(&wait, state)) {
        json_t *stuck = json_object_get(told, "stuck");
        json_object_set_new(stuck, "peer", json_integer(wait.peer));
        json_object_set_new(stuck, "tag", json_integer(wait.tag));
        json_object_set_new(stuck, "receives", json_boolean(wait.receives));
    }
    json_dumpf(told, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(told);
}

/* ---- a rank that computes for ever ---- */

/* Once for each second that this process has computed. */
static void look(int number)
{
    static unsigned last, seconds;
    char line[64];
    unsigned now = vl_shared()->progress;
    (void)number;
    seconds = now == last ? seconds + 1 : 0;
    last = now;
    if (seconds < MOST_SECONDS)
        return;
    int length = snprintf(line, sizeof line, "{\"hung\": {\"rank\": %ld}}\n",
                          (long)sg_actor_self_get_pid() - 1);
    ssize_t written = write(STDOUT_FILENO, line, (size_t)length);
    (void)written;
    _exit(0); /* it has been told */
}

static enum vl_status start_clock(void)
{
    const struct itimerval second = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1}};
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGPROF, &action, NULL) != 0 || setitimer(ITIMER_PROF, &second, NULL) != 0)
        return VL_EIO;
    return VL_OK;
}

enum vl_status vl_watch_begin(void)
{
    struct vl_rank_state *state = vl_rank_state();
    if (vl_shared() == NULL)
        return VL_ENOMEM;
    sg_actor_on_exit(tell_stuck, state);
    return vl_rank_number(state) == 0 ? start_clock() : VL_OK;
}

void vl_watch_progress(void)
{
    vl_shared()->progress++;
}
