#include "sandbox/load.h"

#include "sandbox/memory/census.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOOKS         5
#define BETWEEN_LOOKS (10 * 1000 * 1000) /* nanoseconds */

/* Nanoseconds of one process. */
struct times {
    double ran;
    double waited; /* for a core, ready to run */
};

static double cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static double between(double least, double value, double most)
{
    return fmin(fmax(value, least), most);
}

static struct times times_of(pid_t pid)
{
    struct times times = {0};
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
    FILE *file = fopen(path, "re");
    if (file != NULL && fscanf(file, "%lf %lf", &times.ran, &times.waited) != 2)
        times = (struct times){0};
    if (file != NULL)
        fclose(file);
    return times;
}

/* By how long those that work have waited for a core. */
static double slowdown_by_waiting(const struct vl_census *census)
{
    struct times *times = calloc(census->count + 1, sizeof *times), all = {0};
    double busiest = 0, active = 0;
    for (size_t i = 0; i < census->count && times != NULL; i++) {
        times[i] = times_of(census->members[i].pid);
        busiest = fmax(busiest, times[i].ran + times[i].waited);
    }
    for (size_t i = 0; i < census->count && times != NULL; i++) {
        if (times[i].ran + times[i].waited < busiest / 2) /* it sleeps most of the time */
            continue;
        active++;
        all.ran += times[i].ran;
        all.waited += times[i].waited;
    }
    free(times);
    if (!(all.ran > 0))
        return 1;
    double alone = fmin(1, cores() / active); /* the share of a core that each would get */
    return between(1, alone * (all.ran + all.waited) / all.ran, VL_LOAD_MOST);
}

/* How many threads run or wait for a core, this one left out; negative if nobody says. */
static double runnable_now(void)
{
    double count = -1;
    FILE *file = fopen("/proc/loadavg", "re");
    if (file != NULL && fscanf(file, "%*f %*f %*f %lf", &count) != 1)
        count = -1;
    if (file != NULL)
        fclose(file);
    return count < 0 ? count : count - 1;
}

/* Work comes in bursts, so the busiest of a few looks counts. */
static double most_runnable(void)
{
    double most = -1;
    for (int look = 0; look < LOOKS; look++) {
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_LOOKS}, NULL);
        most = fmax(most, runnable_now());
    }
    return most;
}

double vl_load_of(double minute, double now, double cores)
{
    return between(1, (now < 0 ? minute : fmin(minute, now)) / cores, VL_LOAD_MOST);
}

double vl_load_average(void)
{
    double minute = 0;
    if (getloadavg(&minute, 1) != 1)
        return 1;
    return vl_load_of(minute, minute > cores() ? most_runnable() : minute, cores());
}

static double running(const struct vl_census *census)
{
    double count = 0;
    for (size_t i = 0; i < census->count; i++)
        count += census->members[i].state == 'R';
    return count;
}

/* What its ranks send each other waits for a core too, where no process of theirs does. */
static double slowdown_by_others(const struct vl_census *census)
{
    double minute = 0;
    if (getloadavg(&minute, 1) != 1 || minute <= cores())
        return 1;
    return vl_load_of(minute, fmax(0, most_runnable() - running(census)), cores());
}

double vl_load_slowdown(const struct vl_sandbox *sandbox)
{
    struct vl_census census;
    vl_census_of(&census, sandbox);
    double slowdown = fmax(slowdown_by_waiting(&census), slowdown_by_others(&census));
    vl_census_free(&census);
    return slowdown;
}
