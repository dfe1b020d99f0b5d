#include "runner/trace.h"

#include "runner/printing.h"

#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_BYTES 65536

static struct vl_board_rank *board;
static char stack[STACK_BYTES]; /* handlers run here: the usual stack may be what overflowed */

extern void __asan_init(void) __attribute__((weak));

/* The instruction that was interrupted, 0 where we do not know how to find it. */
static uint64_t interrupted(const void *context)
{
#if defined __x86_64__
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* The interrupted instruction first; then its callers, without the frames of this handler. */
static void write_trace(const void *context)
{
    void *frames[VL_BOARD_FRAMES];
    int count = backtrace(frames, VL_BOARD_FRAMES), next = 0;
    uint64_t here = context != NULL ? interrupted(context) : 0;
    for (int i = 0; i < count; i++)
        if ((uint64_t)(uintptr_t)frames[i] == here)
            next = i + 1;
    uint32_t n = 0;
    board->address[n++] = here;
    while (next < count && n < VL_BOARD_FRAMES)
        board->address[n++] = (uint64_t)(uintptr_t)frames[next++];
    board->frames = n;
    __atomic_fetch_add(&board->traced, 1, __ATOMIC_RELEASE);
}

static void crash(int number, siginfo_t *info, void *context)
{
    (void)info;
    board->signal = number;
    vl_printing_last_words();
    write_trace(context);
    signal(number, SIG_DFL);
    raise(number);
}

static void tell(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    vl_printing_last_words();
    write_trace(context);
}

/* exit() was called in the submission: its frames are still there. */
static void leave(void)
{
    vl_printing_last_words();
    if (board->beacon.phase == VL_PHASE_INSIDE)
        write_trace(NULL);
}

void vl_trace_stay(void)
{
    vl_printing_last_words();
    write_trace(NULL);
    for (;;)
        pause();
}

void vl_trace_start(struct vl_board_rank *place)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXFSZ, SIGSYS};
    void *warm[1];
    board = place;
    backtrace(warm, 1); /* the first call loads a library, which a handler must not */
    atexit(leave);
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_sigaction = tell,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR2, &action, NULL);
    if (__asan_init != NULL)
        return;
    action.sa_sigaction = crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}
