#include "runner/survive.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#define FIRST_LIMIT 2.0  /* seconds of processor time, so that a busy machine changes nothing */
#define LEAST_LIMIT 0.05 /* once the longest call of the case is known ... */
#define LONGER      10.0 /* ... and this many times that call */
#define CASES       1024 /* whose longest call is remembered; others share a place */

/* Not SIGABRT: the heap is damaged then, and the next call would wait for its lock. */
static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};
enum { ENDS = sizeof ends / sizeof *ends };

static sigjmp_buf back;

static void leave(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static double longest[CASES];

static void set_limit(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct itimerval limit = {
        .it_value = {whole, (suseconds_t)(1e6 * (seconds - (double)whole))}};
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool vl_survives(void (*call)(void *context), void *context, unsigned input)
{
    double *known = &longest[input % CASES];
    const double limit = *known == 0 ? FIRST_LIMIT : fmax(LEAST_LIMIT, LONGER * *known);
    const double began = processor_time();
    struct sigaction before[ENDS], action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    volatile bool survived = false;
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &action, &before[i]);
    if (sigsetjmp(back, 1) == 0) {
        set_limit(limit);
        call(context);
        *known = fmax(*known, processor_time() - began);
        survived = true;
    }
    set_limit(0);
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &before[i], NULL);
    return survived;
}
