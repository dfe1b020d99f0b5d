#include "runner/survive.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#define LIMIT_US 500000 /* microseconds of processor time, so that a busy machine changes nothing */

static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM};
enum { ENDS = sizeof ends / sizeof *ends };

static sigjmp_buf back;

static void leave(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static void set_limit(suseconds_t microseconds)
{
    const struct itimerval limit = {.it_value.tv_usec = microseconds};
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

bool vl_survives(void (*call)(void *context), void *context)
{
    struct sigaction before[ENDS], action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    volatile bool survived = false;
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &action, &before[i]);
    if (sigsetjmp(back, 1) == 0) {
        set_limit(LIMIT_US);
        call(context);
        survived = true;
    }
    set_limit(0);
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &before[i], NULL);
    return survived;
}
