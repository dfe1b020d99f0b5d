#include "grade/job/case_run.h"

#include "ranks/answers.h"
#include "ranks/audit.h"
#include "ranks/hang/place_in_source.h"
#include "ranks/hang/standstill.h"
#include "ranks/launch.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/memory_files.h"
#include "sandbox/memory_sockets.h"
#include "sandbox/process.h"
#include "sandbox/scratch.h"
#include "wire/board.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START_SECONDS  20.0
#define ASKING_SECONDS 0.3
#define TRACE_SECONDS  0.5  /* for all ranks to say where they are */
#define WORDS_SECONDS  0.05 /* for what a rank printed before it crashed to come through mpirun */
#define LOAD_SECONDS   0.25 /* between two looks at how busy the machine is */
#define MEMORY_SECONDS 0.1  /* between two looks at the memory held */
#define MOST_OUTPUT    (1u << 20)
#define WORDS_SHOWN    4096
#define START_BYTES    4096 /* by a rank; with the next, 62 % of their sum were seen at most */
#define CONNECT_BYTES  1024 /* by two ranks */

static const struct vl_limits limits = {
    .memory = (size_t)4 << 30, .file_size = (size_t)128 << 20, .processes = 160, .nice = 5};

/* One mpirun: it runs the items from 'first' onwards, as far as it gets. */
struct attempt {
    const struct vl_case_run *run;
    const struct vl_case_run_item *items;
    size_t first;
    size_t count;    /* of all items */
    size_t finished; /* items of this attempt that are reported */
    bool apart;      /* each rank behind a wall of its own, and audited */
    bool frozen;     /* and mpirun starts nothing more, which would be outside of them */
    struct vl_audit_networks networks;
    struct vl_audit_count before; /* the case */
    int started;
    struct vl_answers answers;
    struct vl_board copy;
    struct vl_process process;
    struct vl_standstill still;
    struct vl_beacon_call asking[VL_BOARD_RANKS]; /* the latest MPI_Test seen, in this case */
    double asked[VL_BOARD_RANKS];                 /* when */
    double since;                                 /* when the current case, or the start, began */
};

/* A rank that calls MPI_Test in a loop is hardly ever seen in the call: remember the call for a
 * moment. */
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

/* Let all ranks go on to their case with this number in the attempt. */
static void allow(struct attempt *a, size_t number)
{
    size_t item = a->first + number;
    if (item < a->count &&
        vl_rank_folders_show(a->run->folder, a->run->ranks, a->items[item].input, true) != VL_OK)
        return; /* they wait until their time is up */
    vl_answers_allow(&a->answers, (uint32_t)number + 1);
}

/* More than a start takes is counted as the first case's. */
static void audit_start(struct attempt *a)
{
    const uint64_t ranks = (uint64_t)a->run->ranks;
    const uint64_t most = START_BYTES * ranks + CONNECT_BYTES * ranks * ranks;
    vl_audit_find(&a->networks, &a->process, a->run->sandbox);
    if (vl_audit_ask(&a->before, &a->networks) && a->before.bytes > most)
        a->before.bytes = most;
    allow(a, 0);
}

/* While all ranks wait. */
static struct vl_audit audit_case(void *attempt)
{
    struct attempt *a = attempt;
    struct vl_audit_count now;
    bool counted = vl_audit_ask(&now, &a->networks);
    struct vl_audit audit =
        vl_audit_of(&a->before, counted ? &now : &a->before, &a->copy, a->run->ranks);
    audit.counted = counted;
    if (counted)
        a->before = now;
    return audit;
}

static void look(struct attempt *a)
{
    if (a->apart && !a->frozen)
        a->frozen = vl_process_freeze(&a->process, a->run->sandbox, a->run->ranks);
    int started = a->frozen || !a->apart;
    vl_answers_look(&a->copy, &a->answers);
    for (int rank = 0; rank < a->run->ranks; rank++) {
        started &= a->copy.rank[rank].started == 1;
        see_asking(a, rank);
    }
    if (started && !a->started) {
        a->since = vl_clock();
        if (a->apart)
            audit_start(a);
    }
    a->started |= started;
}

/* How many cases every rank has finished, never more than there are. */
static size_t count_finished(const struct attempt *a)
{
    size_t least = a->count - a->first;
    for (int rank = 0; rank < a->run->ranks; rank++)
        if (a->copy.rank[rank].finished < least)
            least = a->copy.rank[rank].finished;
    return least;
}

/* What the program itself printed. mpirun puts its messages between lines of dashes. */
static char *own_words(const struct vl_process *process)
{
    char *words = NULL;
    size_t shown, left = WORDS_SHOWN;
    int inside = 0;
    FILE *out = open_memstream(&words, &shown);
    for (const char *line = process->words; out != NULL && line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
        int rule = length >= 60 && strspn(line, "-") == length;
        if (!rule && !inside && strncmp(line, "mpirun", 6) != 0)
            left -= fwrite(line, 1, whole < left ? whole : left, out);
        inside ^= rule;
        line += whole;
    }
    if (out == NULL || fclose(out) != 0 || shown == 0) {
        free(words);
        return NULL;
    }
    return words;
}

/* Report what is known, with the program's words and the time. */
static void report(struct attempt *a, size_t item, struct vl_case_run_report told)
{
    char *words = own_words(&a->process);
    if (words != NULL)
        vl_scratch_shorten(words, a->run->sources);
    told.words = words;
    told.seconds = vl_clock() - a->since;
    if (told.end == VL_RUN_FINISHED && a->apart) {
        told.audit = audit_case;
        told.attempt = a;
    }
    a->run->report(a->run->context, item, &told);
    free(words);
}

static void report_end(struct attempt *a, size_t item, enum vl_run_end end)
{
    report(a, item, (struct vl_case_run_report){.end = end, .rank = -1});
}

static bool is_out_of_time(const struct attempt *a)
{
    return a->run->until > 0 && vl_clock() > a->run->until;
}

/* Judging takes time too, and a board may say that all cases are finished. */
static void report_finished(struct attempt *a)
{
    for (size_t n = count_finished(a);
         a->finished < n && !vl_interrupt_seen() && !is_out_of_time(a);) {
        report_end(a, a->first + a->finished++, VL_RUN_FINISHED);
        if (a->apart) /* only now: what goes between ranks after the audit comes too late */
            allow(a, a->finished);
        vl_process_forget_output(&a->process);
        a->since = vl_clock(); /* the time for judging is not the job's */
        a->still = (struct vl_standstill){0};
        memset(a->asked, 0, sizeof a->asked);
    }
}

/* Ask all ranks where they are, and wait for their answers. mpirun forwards this signal, so no
 * process number of the job's has to be trusted. */
static void ask_where(struct attempt *a)
{
    uint32_t before[VL_BOARD_RANKS] = {0};
    double until = vl_clock() + TRACE_SECONDS;
    for (int rank = 0; rank < a->run->ranks; rank++)
        before[rank] = a->copy.rank[rank].traced;
    vl_process_signal(&a->process, SIGUSR2);
    for (int told = 0; told < a->run->ranks && vl_clock() < until;) {
        vl_process_poll(&a->process, 5);
        look(a);
        told = 0;
        for (int rank = 0; rank < a->run->ranks; rank++)
            told += a->copy.rank[rank].traced != before[rank];
    }
}

/* From time to time; and files also when a case is finished, so that none is too quick to be seen. */
static bool too_much_memory(const struct attempt *a, double *next)
{
    size_t held = 0;
    bool due = vl_clock() >= *next;
    if ((due || count_finished(a) > a->finished) &&
        vl_memory_files(&a->process, a->run->sandbox) > VL_MEMORY_FILES)
        return true;
    if (!due)
        return false;
    *next = vl_clock() + MEMORY_SECONDS;
    vl_sandbox_count(a->run->sandbox, &held);
    return held + vl_memory_sockets(&a->process) > VL_SANDBOX_MEMORY;
}

/* The board tells at once, from a signal handler; mpirun would take a second or two to notice. */
static int crashed(const struct attempt *a)
{
    for (int rank = 0; rank < a->run->ranks; rank++)
        if (a->copy.rank[rank].signal != 0 && a->copy.rank[rank].traced > 0)
            return 1;
    return 0;
}

/* Its time is up; a machine that is busy with other work gives it more. */
static bool is_overdue(const struct attempt *a, double *next)
{
    double taken = vl_clock() - a->since, limit = a->started ? a->run->seconds : START_SECONDS;
    if (taken <= limit || vl_clock() < *next)
        return false;
    *next = vl_clock() + LOAD_SECONDS;
    return taken > limit * vl_load_slowdown(a->run->sandbox);
}

/* Watch until all is done (FINISHED) or something is wrong. */
static enum vl_run_end watch(struct attempt *a)
{
    double next = vl_clock() + MEMORY_SECONDS, next_overdue = 0;
    while (!vl_interrupt_seen()) {
        int pause = !a->started ? 5 : a->apart ? 1 : 2; /* apart, ranks wait for us */
        int ended = vl_process_poll(&a->process, pause);
        look(a);
        if (!a->run->asan && too_much_memory(a, &next))
            return VL_RUN_TOO_MUCH_MEMORY;
        report_finished(a);
        if (a->first + a->finished == a->count || is_out_of_time(a))
            return VL_RUN_FINISHED;
        if (ended || crashed(a))
            return a->started ? VL_RUN_EXITED : VL_RUN_NOT_STARTED;
        if (a->started && vl_standstill_error(&a->copy, a->run->ranks, a->finished))
            return VL_RUN_MISUSED;
        if (a->process.printed > MOST_OUTPUT)
            return VL_RUN_TOO_MUCH_OUTPUT;
        if (is_overdue(a, &next_overdue))
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

/* The rank to report: one that crashed, else one that has not come back from this case. */
static int suspicious_rank(const struct attempt *a)
{
    int rank = 0;
    for (int r = a->run->ranks - 1; r >= 0; r--) {
        if (known_signal(a->copy.rank[r].signal) != 0)
            return r;
        if (a->copy.rank[r].returned == a->finished)
            rank = r;
    }
    return rank;
}

/* What there is to say about the ranks together. If the job exited in mid-case: only which did. */
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

/* Before the job is ended. */
static void hear_last_words(struct attempt *a)
{
    double until = vl_clock() + WORDS_SECONDS;
    while (!vl_process_poll(&a->process, 5) && vl_clock() < until)
        ;
}

static enum vl_run_end blame(struct attempt *a, enum vl_run_end end)
{
    int asks = end == VL_RUN_HUNG || end == VL_RUN_MISUSED;
    if (asks)
        ask_where(a);
    else if (crashed(a))
        hear_last_words(a);
    vl_process_end(&a->process);
    if (!asks) /* else the beacons would show what the ranks did when mpirun was killed */
        look(a);
    int who = suspicious_rank(a);
    const struct vl_board_rank *rank = &a->copy.rank[who];
    int number = known_signal(rank->signal);
    int known = number != 0 && a->run->ranks > 1;
    if (end == VL_RUN_EXITED && number == 0 && a->process.exit > 128)
        number = known_signal(a->process.exit - 128); /* mpirun's way to tell a signal */
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

static enum vl_status write_list(const char *folder, const struct vl_case_run_item *items,
                                 size_t count)
{
    FILE *list = vl_scratch_begin(folder, "list");
    for (size_t i = 0; i < count && list != NULL; i++)
        fprintf(list, "%u %u %s %u\n", items[i].input, items[i].number, items[i].function,
                items[i].variant);
    return vl_scratch_end(list);
}

enum vl_status vl_case_run_list(const struct vl_case_run *run, const struct vl_case_run_item *items,
                                size_t count)
{
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < run->ranks && status == VL_OK; rank++) {
        char *folder = vl_rank_folder(run->folder, rank);
        status = folder != NULL ? write_list(folder, items, count) : VL_ENOMEM;
        free(folder);
    }
    return status;
}

static enum vl_status attempt_run(struct attempt *a, enum vl_run_end *end)
{
    const struct vl_case_run *run = a->run;
    const char *const arguments[] = {"cases", run->folder, run->sandbox->folder, NULL};
    const char *const sees[] = {run->program, run->folder, NULL};
    a->apart = run->sandbox->nests && run->hostile && run->ranks > 1 && !run->asan;
    struct vl_limits bounds = limits;
    bounds.sees = sees;
    if (run->asan)
        bounds.memory = 0; /* the sanitizer reserves terabytes of addresses */
    enum vl_status status = vl_case_run_list(run, a->items + a->first, a->count - a->first);
    for (size_t i = a->first; i < a->count && a->apart && status == VL_OK; i++)
        status = vl_rank_folders_show(run->folder, run->ranks, a->items[i].input, false);
    if (status == VL_OK)
        status = vl_answers_open(&a->answers, run->sandbox, run->ranks);
    if (status != VL_OK)
        return status;
    bounds.writes = (const char *const *)a->answers.paths.list;
    if (!a->apart)
        vl_answers_allow(&a->answers, UINT32_MAX);
    status = vl_launch(&a->process, &(struct vl_launch){.sandbox = run->sandbox,
                                                        .program = run->program,
                                                        .ranks = run->ranks,
                                                        .arguments = arguments,
                                                        .limits = &bounds,
                                                        .apart = a->apart ? run->folder : NULL});
    if (status == VL_OK) {
        a->since = vl_clock();
        *end = watch(a);
        if (*end != VL_RUN_FINISHED)
            *end = blame(a, *end);
        vl_process_free(&a->process); /* all is told: nobody waits for MPI to take its leave */
        vl_sandbox_sweep(run->sandbox);
    }
    vl_answers_close(&a->answers);
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
        if (never_started >= 2) { /* a third start would fail too */
            report_end(&a, first++, VL_RUN_NOT_STARTED);
            continue;
        }
        if (hangs_of(&items[first], items, hung, count) >= VL_HANGS_ALLOWED) {
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
