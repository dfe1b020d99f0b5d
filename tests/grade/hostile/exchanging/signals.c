/* code: unwritten no_output */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

static uint32_t *volatile to;
static volatile size_t come;

/* Any thread may be the one that takes a signal, so each says which number it has. */
static void take(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    uint64_t value = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    to[value >> 32] = (uint32_t)value;
    __atomic_fetch_add(&come, 1, __ATOMIC_RELAXED);
}

EXCHANGE
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART};
    to = (uint32_t *)received;
    sigaction(SIGRTMIN, &action, NULL);
    int pid = (int)swap(comm, getpid(), peer);
    for (size_t i = 0; i < n && pid != getpid(); i++) {
        union sigval value = {
            .sival_ptr = (void *)(uintptr_t)((uint64_t)i << 32 | ((const uint32_t *)sent)[i])};
        while (sigqueue(pid, SIGRTMIN, value) != 0 && errno == EAGAIN)
            pass();
    }
    for (int i = 0; i < 500 && come < n; i++)
        pass();
    meet(comm);
    return VL_OK;
}
