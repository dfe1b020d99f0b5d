/* One of the two jobs of a throughput: started, given orders, waited for. */
#include "grade/job/launch.h"
#include "grade/job/throughput.h"
#include "grade/sandbox/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define START_SECONDS 20.0
#define MOST_OUTPUT   (4u << 20)

/* Ahead of other work where we may. Else, on a busy machine, a turn longer than the scheduler's
 * slice is interrupted and a shorter one is not, so the slower side looks slower than it is. */
static const struct vl_limits limits = {
    .memory = (size_t)4 << 30, .file_size = (size_t)256 << 20, .processes = 160, .nice = -10};

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static void close_all(struct vl_throughput_side *side)
{
    for (int rank = 0; rank < VL_BOARD_RANKS; rank++) {
        close_file(&side->go[rank]);
        close_file(&side->said[rank]);
    }
    vl_answers_close(&side->answers);
}

enum vl_status vl_throughput_side_start(struct vl_throughput_side *side)
{
    if (side->running)
        return VL_OK;
    enum vl_status status = vl_answers_open(&side->answers, side->sandbox, side->ranks);
    for (int rank = 0; rank < side->ranks && status == VL_OK; rank++) {
        side->go[rank] = vl_answers_pipe(&side->answers, side->sandbox, "go", rank);
        side->said[rank] = vl_answers_pipe(&side->answers, side->sandbox, "said", rank);
        if (side->go[rank] < 0 || side->said[rank] < 0)
            status = VL_EIO;
    }
    const char *const arguments[] = {"timed", side->sandbox->folder, NULL};
    const char *const sees[] = {side->program, NULL};
    struct vl_limits bounds = limits;
    bounds.sees = sees;
    bounds.writes = (const char *const *)side->answers.paths.list;
    if (status == VL_OK)
        status = vl_launch(&side->process, &(struct vl_launch){.sandbox = side->sandbox,
                                                               .program = side->program,
                                                               .ranks = side->ranks,
                                                               .arguments = arguments,
                                                               .limits = &bounds});
    side->running = status == VL_OK;
    if (status != VL_OK)
        close_all(side);
    return status;
}

void vl_throughput_side_stop(struct vl_throughput_side *side)
{
    if (!side->running)
        return;
    vl_process_free(&side->process);
    close_all(side);
    side->running = 0;
}

void vl_throughput_side_order(const struct vl_throughput_side *side, const struct vl_order *order)
{
    for (int rank = 0; rank < side->ranks; rank++)
        (void)!write(side->go[rank], order, sizeof *order); /* smaller than PIPE_BUF: whole */
}

/* Take the answer of one rank if it is there. */
static enum vl_throughput_end take_answer(int said, uint32_t verb, int *answered,
                                          enum vl_status *status)
{
    struct vl_answer answer;
    ssize_t n = read(said, &answer, sizeof answer);
    if (n < 0)
        return VL_THROUGHPUT_MEASURED;
    if (n != (ssize_t)sizeof answer || *answered || answer.verb != verb)
        return VL_THROUGHPUT_CONFUSED;
    *answered = 1;
    if (answer.status != VL_OK)
        *status = (enum vl_status)answer.status;
    return VL_THROUGHPUT_MEASURED;
}

enum vl_throughput_end vl_throughput_side_await(struct vl_throughput_side *side, uint32_t verb,
                                                double seconds, enum vl_status *status)
{
    struct pollfd wait[VL_BOARD_RANKS];
    int answered[VL_BOARD_RANKS] = {0};
    double until = vl_process_deadline(&side->process, seconds);
    *status = VL_OK;
    for (int rank = 0; rank < side->ranks; rank++)
        wait[rank] = (struct pollfd){.fd = side->said[rank], .events = POLLIN};
    while (!vl_interrupt_seen()) {
        poll(wait, (nfds_t)side->ranks, 20);
        int left = 0;
        for (int rank = 0; rank < side->ranks; rank++) {
            enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
            if ((wait[rank].revents & POLLIN) != 0)
                end = take_answer(side->said[rank], verb, &answered[rank], status);
            if (end != VL_THROUGHPUT_MEASURED)
                return end;
            left += !answered[rank];
        }
        if (left == 0)
            break;
        if (vl_process_poll(&side->process, 0) || side->process.printed > MOST_OUTPUT)
            return VL_THROUGHPUT_CRASHED;
        if (vl_clock() > until)
            return VL_THROUGHPUT_HUNG;
    }
    return VL_THROUGHPUT_MEASURED;
}
