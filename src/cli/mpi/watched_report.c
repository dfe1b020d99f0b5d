#include "cli/mpi/watched_report.h"

#include "base/number.h"
#include "base/text.h"
#include "cli/mpi/unwatched.h"
#include "cli/mpi/wait_drawing.h"
#include "cli/mpi/wait_picture.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Is a rank gone in a way that is wrong for sure: MPI found an error, or it called exit without MPI_Finalize? */
static bool has_failed(const struct vl_watched_job *job)
{
    bool error = false, exited = false, aborted = false;
    for (int rank = 0; rank < job->ranks; rank++) {
        const struct vl_beacon *beacon = &job->board[rank]->beacon;
        bool left = beacon->phase == VL_PHASE_LEFT;
        error |= beacon->error != 0;
        exited |= left && beacon->call.operation == VL_OP_NONE;
        aborted |= left && beacon->call.operation != VL_OP_NONE; /* the others are ended then */
    }
    return error || (exited && !aborted);
}

static bool all_finalized(const struct vl_watched_job *job)
{
    for (int rank = 0; rank < job->ranks; rank++)
        if (job->board[rank]->beacon.phase != VL_PHASE_RETURNED)
            return false;
    return true;
}

enum vl_status vl_watched_find(struct vl_finding *finding, struct vl_program_places *places,
                               const struct vl_watched_job *job)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS] = {0};
    const struct vl_hang_places where = {
        .find = vl_program_place, .context = places, .program = true};
    *finding = (struct vl_finding){0};
    if ((vl_watched_unwatched(job) & VL_UNWATCHED_THREADS) != 0)
        return VL_OK; /* who knows what the other threads do? */
    for (int rank = 0; rank < job->ranks; rank++)
        beacons[rank] = &job->board[rank]->beacon;
    bool stopped = job->end == VL_WATCHED_INTERRUPTED || job->end == VL_WATCHED_OVER;
    if (stopped && (job->has_threads || !vl_hang_is_certain(beacons, job->ranks, 0)))
        return vl_hang_table(&finding->detail, beacons, &where, job->ranks);
    /* A rank that fails at once ends the job, perhaps before the last one has come out of MPI_Init. */
    if (vl_watched_begun(job) < job->ranks && !has_failed(job))
        return VL_OK;
    if (all_finalized(job))
        return vl_hang_find(finding, beacons, &where, job->ranks, VL_FINISHED, 0);
    if (job->end != VL_WATCHED_ENDED)
        return vl_hang_find(finding, beacons, &where, job->ranks, 0, 0);
    /* One that gave up has left things undone, and says itself why. */
    return has_failed(job) ? vl_hang_find(finding, beacons, &where, job->ranks, 0, 0) : VL_OK;
}

enum vl_exit vl_watched_refuse(enum vl_status status)
{
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK, _("The run could not be started: %m."));
    return vl_say_status(status);
}

bool vl_watched_tell_stop(const struct vl_terminal *terminal, enum vl_watched_end end, double after)
{
    char seconds[VL_NUMBER_TEXT];
    if (end == VL_WATCHED_STANDSTILL)
        vl_terminal_sentence(
            terminal, VL_STYLE_BAD,
            _("Nothing could move any more, so the program was ended after %s seconds."),
            vl_number_text(seconds, after, 1));
    else if (end != VL_WATCHED_ENDED)
        vl_terminal_sentence(terminal, VL_STYLE_BAD,
                             _("The program was ended after %s seconds, while it was still "
                               "running."),
                             vl_number_text(seconds, after, 1));
    return end != VL_WATCHED_ENDED;
}

/* Who waits for whom: returns how many ranks wait for one. */
static int look_who_waits(int *next, const struct vl_watched_job *job)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS];
    int waiting = 0;
    for (int rank = 0; rank < job->ranks; rank++)
        beacons[rank] = &job->board[rank]->beacon;
    vl_hang_next(next, beacons, job->ranks);
    for (int rank = 0; rank < job->ranks; rank++)
        waiting += next[rank] >= 0;
    return job->end != VL_WATCHED_ENDED ? waiting : 0;
}

static void draw(const struct vl_watched_job *job, const struct vl_terminal *terminal)
{
    int next[VL_BOARD_RANKS];
    fputc('\n', terminal->stream);
    if (look_who_waits(next, job) == 0 || vl_wait_drawing_put(terminal, next, job->ranks) == 0)
        return;
    vl_terminal_sentence(terminal, VL_STYLE_DIM, "%s",
                         _("(An arrow points to the rank that is waited for.)"));
    fputc('\n', terminal->stream);
}

/* The lines of the detail that the message has not said. */
static void tell_rest(const struct vl_terminal *terminal, const struct vl_finding *finding)
{
    char *rest = finding->detail != NULL ? strdup(finding->detail) : NULL, *next = rest;
    for (char *line = strsep(&next, "\n"); line != NULL; line = strsep(&next, "\n"))
        if (finding->message == NULL || strstr(finding->message, line) == NULL)
            vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 2, line);
    free(rest);
}

/* Nothing was watched. One that gave up at once has said why, and its other ranks were ended. */
static bool lacks_ranks(const struct vl_watched_job *job, const struct vl_finding *finding)
{
    int begun = vl_watched_begun(job);
    return finding->code == NULL && job->end == VL_WATCHED_ENDED && begun < job->ranks &&
           (begun == 0 || job->status == 0);
}

void vl_watched_tell(const struct vl_watched_job *job, const struct vl_finding *finding,
                     const struct vl_program_places *places)
{
    struct vl_terminal terminal;
    uint32_t unwatched = vl_watched_unwatched(job);
    vl_terminal_open(&terminal, stderr);
    if (lacks_ranks(job, finding))
        vl_terminal_sentence(
            &terminal, VL_STYLE_PLAIN, "%s",
            _("Not every rank called MPI_Init of Open MPI, so nothing was watched."));
    if (finding->code == NULL && job->end == VL_WATCHED_ENDED) {
        /* What was found of the rest, which is nothing, needs no words. */
        vl_unwatched_tell(&terminal, unwatched & VL_UNWATCHED_THREADS);
        return;
    }
    fputc('\n', stderr);
    if (vl_finding_is_allowed(finding))
        vl_terminal_sentence(&terminal, VL_STYLE_PLAIN, "%s",
                             _("The program has ended, but it left something behind. MPI allows "
                               "that; it only costs memory."));
    else if (!vl_watched_tell_stop(&terminal, job->end, job->seconds))
        vl_terminal_sentence(&terminal, VL_STYLE_BAD, "%s",
                             _("The program has ended, but something is wrong with it."));
    if ((unwatched & VL_UNWATCHED_THREADS) == 0)
        draw(job, &terminal);
    if (finding->code != NULL)
        vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, finding->message);
    tell_rest(&terminal, finding);
    if (places->lacks_lines)
        vl_terminal_sentence(
            &terminal, VL_STYLE_PLAIN, "%s",
            _("If you compile the program with `-g`, this report also names the lines."));
    if (job->has_threads)
        vl_terminal_sentence(
            &terminal, VL_STYLE_PLAIN, "%s",
            _("The program was not ended earlier, because it had threads that might still call "
              "MPI."));
    vl_unwatched_tell(&terminal, unwatched);
}

enum vl_status vl_watched_picture(char **svg, const struct vl_watched_job *job,
                                  const struct vl_finding *finding)
{
    int next[VL_BOARD_RANKS];
    *svg = NULL;
    return look_who_waits(next, job) > 0 ? vl_wait_picture(svg, next, job->ranks, finding->detail)
                                         : VL_OK;
}

json_t *vl_watched_json(const struct vl_watched_job *job, const struct vl_finding *finding)
{
    static const char *const ends[] = {[VL_WATCHED_ENDED] = "ended",
                                       [VL_WATCHED_STANDSTILL] = "standstill",
                                       [VL_WATCHED_OVER] = "over",
                                       [VL_WATCHED_INTERRUPTED] = "interrupted"};
    json_t *found = finding->code != NULL
                        ? json_pack("{s:s, s:s, s:s?}", "code", finding->code, "message",
                                    finding->message, "detail", finding->detail)
                        : json_null();
    uint32_t unwatched = vl_watched_unwatched(job) | (job->has_threads ? VL_UNWATCHED_THREADS : 0);
    /* One that was ended has no status of its own. */
    json_t *status = job->end == VL_WATCHED_ENDED ? json_integer(job->status) : json_null();
    return json_pack("{s:s, s:s, s:o, s:f, s:i, s:i, s:o, s:o}", "schema", "vialata.mpi/1", "end",
                     ends[job->end], "status", status, "seconds", job->seconds, "ranks", job->ranks,
                     "watched", vl_watched_begun(job), "finding", found, "unwatched",
                     vl_unwatched_json(unwatched));
}
