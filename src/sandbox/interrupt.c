#include "sandbox/interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

#define SIGNALS (sizeof signals / sizeof *signals)

static volatile sig_atomic_t seen;
static struct sigaction before[SIGNALS];

static void remember(int number)
{
    seen = number;
}

void vl_interrupt_begin(void)
{
    seen = 0;
    struct sigaction action = {.sa_handler = remember}; /* no SA_RESTART: waits end early */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* nohup means it */
            sigaction(signals[i], &action, NULL);
    }
}

int vl_interrupt_seen(void)
{
    return seen;
}

void vl_interrupt_end(void)
{
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    int number = seen;
    seen = 0;
    if (number != 0)
        raise(number);
}
