#include "grade/job/attempt.h"

#include "grade/job/printed.h"
#include "ranks/rank_folders.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKING_SECONDS 0.3
#define WORDS_SECONDS  0.25 /* at most, for what ranks have printed to come through mpirun ... */
#define LOST_SECONDS   0.05 /* ... and where it may never come: it is no longer kept, ... */
#define ALL_UNHEARD    1.0  /* ... or so long was waited in vain */
#define WORDS_SHOWN    4096
#define START_BYTES    4096 /* by a rank; with the next, 62 % of their sum were seen at most */
#define CONNECT_BYTES  1024 /* by two ranks */

/* A rank that calls MPI_Test in a loop is hardly ever seen in the call: remember the call for a
 * moment. */
static void see_asking(struct vl_attempt *a, int rank)
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

void vl_attempt_allow(struct vl_attempt *a)
{
    const size_t before = a->allowed, left = a->inputs->made - a->first;
    a->allowed = a->wanted < left ? a->wanted : left;
    for (size_t *next = &a->inputs->shown; *next < a->first + a->allowed && a->status == VL_OK;
         ++*next)
        a->status = vl_rank_folders_show(a->run->folder, a->run->ranks, a->items[*next].input);
    if (a->allowed > before && a->status == VL_OK)
        vl_answers_allow(&a->answers, (uint32_t)a->allowed);
}

/* More than a start takes is counted as the first case's. */
static void audit_start(struct vl_attempt *a)
{
    const uint64_t ranks = (uint64_t)a->run->ranks;
    const uint64_t most = START_BYTES * ranks + CONNECT_BYTES * ranks * ranks;
    vl_audit_find(&a->networks, &a->process, a->run->sandbox);
    if (vl_audit_ask(&a->before, &a->networks) && a->before.bytes > most)
        a->before.bytes = most;
    a->wanted = 1;
    vl_attempt_allow(a);
}

/* While all ranks wait; then they go on. */
static struct vl_audit audit_case(void *attempt)
{
    struct vl_attempt *a = attempt;
    struct vl_audit_count now;
    bool counted = vl_audit_ask(&now, &a->networks);
    struct vl_audit audit =
        vl_audit_of(&a->before, counted ? &now : &a->before, &a->copy, a->run->ranks);
    audit.counted = counted;
    if (counted)
        a->before = now;
    /* Only now: what goes between ranks after the audit comes too late. */
    a->wanted = a->finished + 1;
    vl_process_forget_output(&a->process);
    vl_attempt_allow(a);
    return audit;
}

void vl_attempt_look(struct vl_attempt *a)
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

bool vl_attempt_crashed(const struct vl_attempt *a)
{
    for (int rank = 0; rank < a->run->ranks; rank++)
        if (a->copy.rank[rank].signal != 0 && a->copy.rank[rank].traced > 0)
            return true;
    return false;
}

/* Marks may be lost: where more is printed than is kept, or where they come after the wait. */
void vl_attempt_hear(struct vl_attempt *a)
{
    const struct vl_process *process = &a->process;
    const double begun = vl_clock();
    size_t marks = 0, here;
    for (int rank = 0; rank < a->run->ranks; rank++)
        marks += a->copy.rank[rank].marks;
    for (;;) {
        here = a->marks + vl_printed_marks(process->words, process->kept);
        bool hopeless = process->kept == process->most || a->unheard > ALL_UNHEARD;
        if (here >= marks || process->ended ||
            vl_clock() > begun + (hopeless ? LOST_SECONDS : WORDS_SECONDS))
            break;
        vl_process_poll(&a->process, 1);
    }
    if (here >= marks)
        return;
    a->unheard += vl_clock() - begun;
    a->marks += marks - here; /* nobody waits for them again */
}

/* What the program itself printed. mpirun puts its messages between lines of dashes. */
static char *own_words(const char *printed)
{
    char *words = NULL;
    size_t shown, left = WORDS_SHOWN;
    int inside = 0;
    FILE *out = open_memstream(&words, &shown);
    for (const char *line = printed; out != NULL && line != NULL && *line != '\0';) {
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

/* The words of a case, which are forgotten then; of one that is not finished, all that came last. */
static char *take_words(struct vl_attempt *a, size_t item, bool finished)
{
    size_t end = 0;
    const unsigned number = a->items[item].number;
    const char *stream = a->process.words != NULL ? a->process.words : "";
    char *printed = finished ? vl_printed_of(&end, stream, number) : NULL;
    bool full =
        end == 0 && a->process.kept == a->process.most; /* its mark may have found no room */
    if (!finished || full)
        printed = vl_printed_last(stream, number);
    if (full)
        end = a->process.kept;
    char *words = own_words(printed);
    free(printed);
    a->marks += vl_printed_marks(stream, end);
    vl_process_forget_first(&a->process, end);
    return words;
}

void vl_attempt_report(struct vl_attempt *a, size_t item, struct vl_case_run_report told)
{
    char *words = take_words(a, item, told.end == VL_RUN_FINISHED);
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

void vl_attempt_report_end(struct vl_attempt *a, size_t item, enum vl_run_end end)
{
    vl_attempt_report(a, item, (struct vl_case_run_report){.end = end, .rank = -1});
}
