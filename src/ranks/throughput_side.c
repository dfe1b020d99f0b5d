#include "ranks/throughput_side.h"

#include "ranks/launch.h"
#include "sandbox/interrupt.h"
#include "sandbox/memory/memory_files.h"
#include "sandbox/memory/memory_sockets.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define MOST_OUTPUT   (4u << 20)
#define LARGE_SECONDS 0.1 /* of an order, before memory is looked at, and between two looks */

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
    side->tasks = (struct vl_tasks){0};
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

uint64_t vl_throughput_draw(void)
{
    uint64_t number = 0;
    (void)!getrandom(&number, sizeof number, 0); /* so few bytes always come */
    return number;
}

void vl_throughput_side_order(struct vl_throughput_side *side, const struct vl_order *order)
{
    struct vl_order numbered = *order;
    numbered.number = side->number = vl_throughput_draw();
    for (int rank = 0; rank < side->ranks; rank++) /* smaller than PIPE_BUF: whole */
        (void)!write(side->go[rank], &numbered, sizeof numbered);
}

/* Take the answer of one rank if it is there. */
static enum vl_throughput_end take_answer(struct vl_throughput_side *side, int rank, int *answered,
                                          enum vl_status *status)
{
    struct vl_board_answer answer;
    ssize_t n = read(side->said[rank], &answer, sizeof answer);
    if (n < 0)
        return VL_THROUGHPUT_MEASURED;
    if (n != (ssize_t)sizeof answer || *answered || answer.number != side->number)
        return VL_THROUGHPUT_CONFUSED;
    *answered = 1;
    memcpy(side->seals[rank], answer.seals, sizeof answer.seals);
    if (answer.status != VL_OK)
        *status = (enum vl_status)answer.status;
    return VL_THROUGHPUT_MEASURED;
}

bool vl_throughput_side_is_large(const struct vl_throughput_side *side)
{
    size_t held = 0;
    vl_sandbox_count(side->sandbox, &held);
    return held + vl_memory_sockets(&side->process) > VL_SANDBOX_MEMORY ||
           vl_memory_files(&side->process, side->sandbox) > VL_MEMORY_FILES;
}

enum vl_throughput_end vl_throughput_side_await(struct vl_throughput_side *side, double seconds,
                                                enum vl_status *status)
{
    struct pollfd wait[VL_BOARD_RANKS];
    int answered[VL_BOARD_RANKS] = {0};
    double until = vl_process_deadline(&side->process, seconds), next = vl_clock() + LARGE_SECONDS;
    *status = VL_OK;
    for (int rank = 0; rank < side->ranks; rank++)
        wait[rank] = (struct pollfd){.fd = side->said[rank], .events = POLLIN};
    while (!vl_interrupt_seen()) {
        poll(wait, (nfds_t)side->ranks, 20);
        int left = 0;
        for (int rank = 0; rank < side->ranks; rank++) {
            enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
            if ((wait[rank].revents & POLLIN) != 0)
                end = take_answer(side, rank, &answered[rank], status);
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
        if (vl_clock() < next)
            continue;
        if (vl_throughput_side_is_large(side))
            return VL_THROUGHPUT_LARGE;
        next = vl_clock() + LARGE_SECONDS;
    }
    return VL_THROUGHPUT_MEASURED;
}
