#include "grade/job/case_run.h"

#include "grade/hang/place_in_source.h"
#include "grade/hang/standstill.h"
#include "grade/job/launch.h"
#include "grade/sandbox/interrupt.h"
#include "grade/sandbox/process.h"
#include "grade/sandbox/scratch.h"
#include "wire/board.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START_SECONDS  20.0
#define LEAVE_SECONDS  1.0 /* to end by itself after the last case */
#define ASKING_SECONDS 0.3
#define TRACE_SECONDS  0.5 /* for all ranks to say where they are */
#define MEMORY_SECONDS 0.1 /* between two looks at the memory held */
#define MOST_OUTPUT    (1u << 20)
#define MOST_MEMORY    ((size_t)1 << 30) /* of all ranks together; a case needs a few MiB */
#define WORDS_SHOWN    4096
#define HANGS_ALLOWED  2

static const struct vl_limits limits = {
    .memory = (size_t)4 << 30, .file_size = (size_t)128 << 20, .processes = 160, .nice = 5};

/* One mpirun: beginning with item 'first', as far as it gets. */
struct attempt {
    const struct vl_case_run *run;
    const struct vl_case_run_item *items;
    size_t first;
    size_t count;    /* of all items */
    size_t finished; /* items of this attempt that are reported */
    int started;
    int board; /* descriptor */
    struct vl_board copy;
    struct vl_process process;
    struct vl_standstill still;
    struct vl_beacon_call asking[VL_BOARD_RANKS]; /* the latest MPI_Test seen, in this case */
    double asked[VL_BOARD_RANKS];                 /* when */
    double since;                                 /* when the current case, or the start, began */
};

/* A rank that asks again and again whether something has come is hardly ever seen in the call:
 * remember it for a moment. */
static void see_asking(struct attempt *a, int rank)
{
    struct vl_beacon *beacon = &a->copy.rank[rank].beacon;
    double now = vl_clock();
    if (beacon->call.operation == VL_OP_TEST) {
        a->asking[rank] = beacon->call;
        a->asked[rank] = now;
    } else if (beacon->call.operation == VL_OP_NONE && beacon->phase == VL_PHASE_INSIDE &&
               now < a->asked[rank] + ASKING_SECONDS) {
        beacon->call = a->asking[rank];
    }
}

/* Read, never mapped: a file that its owner cuts short cannot hurt a reader. */
static void look(struct attempt *a)
{
    size_t used = (size_t)a->run->ranks * sizeof *a->copy.rank;
    ssize_t got = pread(a->board, &a->copy, used, 0);
    if (got != (ssize_t)used) /* somebody cut it short */
        memset(&a->copy, 0, sizeof a->copy);
    int started = 1;
    for (int rank = 0; rank < a->run->ranks; rank++) {
        started &= a->copy.rank[rank].started == 1;
        see_asking(a, rank);
    }
    if (started && !a->started)
        a->since = vl_clock();
    a->started |= started;
}

/* Cases that every rank has behind it, never more than there are. */
static size_t behind(const struct attempt *a)
{
    size_t least = a->count - a->first;
    for (int rank = 0; rank < a->run->ranks; rank++)
        if (a->copy.rank[rank].finished < least)
            least = a->copy.rank[rank].finished;
    return least;
}

/* What the program itself printed. mpirun sets its remarks between lines of dashes. */
static char *own_words(const struct vl_process *process)
{
    char *words = NULL;
    size_t shown, room = WORDS_SHOWN;
    int remark = 0;
    FILE *out = open_memstream(&words, &shown);
    for (const char *line = process->words; out != NULL && line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
        int rule = length >= 60 && strspn(line, "-") == length;
        if (!rule && !remark && strncmp(line, "mpirun", 6) != 0)
            room -= fwrite(line, 1, whole < room ? whole : room, out);
        remark ^= rule;
        line += whole;
    }
    if (out == NULL || fclose(out) != 0 || shown == 0) {
        free(words);
        return NULL;
    }
    return words;
}

/* Takes what is known; adds the words and the time. */
static void report(const struct attempt *a, size_t item, struct vl_case_run_report told)
{
    char *words = own_words(&a->process);
    if (words != NULL)
        vl_scratch_shorten(words, a->run->sources);
    told.words = words;
    told.seconds = vl_clock() - a->since;
    a->run->report(a->run->context, item, &told);
    free(words);
}

static void report_end(const struct attempt *a, size_t item, enum vl_run_end end)
{
    report(a, item, (struct vl_case_run_report){.end = end, .rank = -1});
}

static void report_finished(struct attempt *a)
{
    for (size_t n = behind(a); a->finished < n && !vl_interrupt_seen();) {
        report_end(a, a->first + a->finished++, VL_RUN_FINISHED);
        vl_process_forget_output(&a->process);
        a->since = vl_clock(); /* judging took time, which is not the job's */
        a->still = (struct vl_standstill){0};
        memset(a->asked, 0, sizeof a->asked);
    }
}

/* Ask all ranks where they are, and wait for their answers. mpirun passes this signal on, so no
 * process number has to be believed. */
static void ask_where(struct attempt *a)
{
    uint32_t before[VL_BOARD_RANKS] = {0};
    double until = vl_clock() + TRACE_SECONDS;
    for (int rank = 0; rank < a->run->ranks; rank++)
        before[rank] = a->copy.rank[rank].traced;
    kill(a->process.pid, SIGUSR2);
    for (int told = 0; told < a->run->ranks && vl_clock() < until;) {
        vl_process_poll(&a->process, 5);
        look(a);
        told = 0;
        for (int rank = 0; rank < a->run->ranks; rank++)
            told += a->copy.rank[rank].traced != before[rank];
    }
}

static bool too_much_memory(const struct attempt *a, double *next)
{
    size_t held = 0;
    if (vl_clock() < *next)
        return false;
    *next = vl_clock() + MEMORY_SECONDS;
    vl_sandbox_count(a->run->sandbox, &held);
    return held > MOST_MEMORY;
}

/* A handler has put everything on the board: mpirun would need a second or two to notice. */
static int crashed(const struct attempt *a)
{
    for (int rank = 0; rank < a->run->ranks; rank++)
        if (a->copy.rank[rank].signal != 0 && a->copy.rank[rank].traced > 0)
            return 1;
    return 0;
}

/* Watch until all is done (FINISHED) or something is wrong. */
static enum vl_run_end watch(struct attempt *a)
{
    double next = vl_clock() + MEMORY_SECONDS;
    while (!vl_interrupt_seen()) {
        int ended = vl_process_poll(&a->process, 2);
        look(a);
        report_finished(a);
        if (a->first + a->finished == a->count || (a->run->until > 0 && vl_clock() > a->run->until))
            return VL_RUN_FINISHED;
        if (ended || crashed(a))
            return a->started ? VL_RUN_EXITED : VL_RUN_NOT_STARTED;
        if (a->started && vl_standstill_error(&a->copy, a->run->ranks, a->finished))
            return VL_RUN_MISUSED;
        if (a->process.printed > MOST_OUTPUT)
            return VL_RUN_TOO_MUCH_OUTPUT;
        if (!a->run->asan && too_much_memory(a, &next))
            return VL_RUN_TOO_MUCH_MEMORY;
        if (vl_clock() - a->since > (a->started ? a->run->seconds : START_SECONDS))
            return a->started ? VL_RUN_HUNG : VL_RUN_NOT_STARTED;
        if (a->started && vl_standstill_seen(&a->still, &a->copy, a->run->ranks, a->finished,
                                             a->items[a->first + a->finished].synchronous))
            return VL_RUN_HUNG;
    }
    return VL_RUN_FINISHED;
}

static int known_signal(int number)
{
    return number > 0 && number < NSIG ? number : 0;
}

/* Say which rank it is about: one that crashed, else one that has not come far. */
static int suspicious_rank(const struct attempt *a)
{
    int rank = 0;
    for (int r = a->run->ranks - 1; r >= 0; r--) {
        if (known_signal(a->copy.rank[r].signal) != 0)
            return r;
        if (a->copy.rank[r].finished == a->finished)
            rank = r;
    }
    return rank;
}

/* What there is to say about the ranks together. Of a job that left in mid-case: who did. */
static void explain(struct vl_finding *finding, struct attempt *a, enum vl_run_end end,
                    struct vl_place_finder *finder)
{
    *finding = (struct vl_finding){0};
    if (end != VL_RUN_HUNG && end != VL_RUN_MISUSED && (end != VL_RUN_EXITED || a->run->ranks == 1))
        return;
    (void)vl_standstill_find(finding, &a->copy, a->run->ranks, a->finished,
                             a->items[a->first + a->finished].synchronous, finder);
    if (end == VL_RUN_EXITED && finding->code != NULL && strcmp(finding->code, "rank_left") != 0)
        vl_finding_free(finding);
}

static enum vl_run_end blame(struct attempt *a, enum vl_run_end end)
{
    int asks = end == VL_RUN_HUNG || end == VL_RUN_MISUSED;
    if (asks)
        ask_where(a);
    vl_process_end(&a->process);
    if (!asks) /* they were alive until now: mpirun's death is not to be seen in their beacons */
        look(a);
    int who = suspicious_rank(a);
    const struct vl_board_rank *rank = &a->copy.rank[who];
    int number = known_signal(rank->signal);
    int known = number != 0 && a->run->ranks > 1;
    if (end == VL_RUN_EXITED && number == 0 && a->process.exit > 128)
        number = known_signal(a->process.exit - 128); /* as mpirun tells it */
    if (end == VL_RUN_EXITED && number != 0)
        end = VL_RUN_CRASHED;
    vl_sandbox_sweep(a->run->sandbox); /* so that addr2line has the sandbox to itself */
    struct vl_place_finder finder = {
        .program = a->run->program, .sources = a->run->sources, .sandbox = a->run->sandbox};
    struct vl_finding finding;
    explain(&finding, a, end, &finder);
    char *place = finding.code == NULL ? vl_place_in_source(&finder, rank) : NULL;
    report(a, a->first + a->finished,
           (struct vl_case_run_report){.end = end,
                                       .signal = number,
                                       .rank = end == VL_RUN_CRASHED && known ? who : -1,
                                       .place = place,
                                       .finding = finding.code != NULL ? &finding : NULL});
    free(place);
    vl_finding_free(&finding);
    vl_place_finder_free(&finder);
    a->finished++;
    return end;
}

enum vl_status vl_case_run_list(const char *folder, const struct vl_case_run_item *items,
                                size_t count)
{
    FILE *list = vl_scratch_begin(folder, "list");
    for (size_t i = 0; i < count && list != NULL; i++)
        fprintf(list, "%u %u %s %u\n", items[i].input, items[i].number, items[i].function,
                items[i].variant);
    return vl_scratch_end(list);
}

static enum vl_status attempt_run(struct attempt *a, enum vl_run_end *end)
{
    const struct vl_case_run *run = a->run;
    const char *const arguments[] = {"cases", run->folder, run->sandbox->folder, NULL};
    struct vl_limits bounds = limits;
    if (run->asan)
        bounds.memory = 0; /* the sanitizer reserves terabytes of addresses */
    enum vl_status status = vl_case_run_list(run->folder, a->items + a->first, a->count - a->first);
    a->board = status == VL_OK ? vl_launch_board(run->sandbox) : -1;
    if (a->board < 0)
        return VL_EIO;
    status = vl_launch(&a->process, run->sandbox, run->program, run->ranks, arguments, &bounds);
    if (status == VL_OK) {
        a->since = vl_clock();
        *end = watch(a);
        if (*end != VL_RUN_FINISHED)
            *end = blame(a, *end);
        double until = vl_clock() + LEAVE_SECONDS;
        while (!a->process.ended && vl_clock() < until && !vl_interrupt_seen())
            vl_process_poll(&a->process, 5);
        vl_process_free(&a->process);
        vl_sandbox_sweep(run->sandbox);
    }
    close(a->board);
    return status;
}

static size_t hangs_of(const struct vl_case_run_item *next, const struct vl_case_run_item *items,
                       const char *hung, size_t count)
{
    size_t hangs = 0;
    for (size_t i = 0; i < count; i++)
        hangs += hung[i] && items[i].variant == next->variant &&
                 strcmp(items[i].function, next->function) == 0;
    return hangs;
}

enum vl_status vl_case_run(const struct vl_case_run *run, const struct vl_case_run_item *items,
                           size_t count)
{
    char *hung = calloc(count + 1, 1);
    enum vl_status status = hung != NULL ? VL_OK : VL_ENOMEM;
    int never_started = 0;
    for (size_t first = 0; status == VL_OK && first < count && !vl_interrupt_seen() &&
                           (run->until == 0 || vl_clock() < run->until);) {
        struct attempt a = {
            .run = run, .items = items, .first = first, .count = count, .since = vl_clock()};
        a.process.pipe = -1;
        if (never_started >= 2) { /* it will not do better the next time */
            report_end(&a, first++, VL_RUN_NOT_STARTED);
            continue;
        }
        if (hangs_of(&items[first], items, hung, count) >= HANGS_ALLOWED) {
            report_end(&a, first++, VL_RUN_SKIPPED);
            continue;
        }
        enum vl_run_end end = VL_RUN_FINISHED;
        status = attempt_run(&a, &end);
        first += a.finished;
        never_started += end == VL_RUN_NOT_STARTED;
        if (end == VL_RUN_HUNG)
            hung[first - 1] = 1;
    }
    free(hung);
    return status;
}
