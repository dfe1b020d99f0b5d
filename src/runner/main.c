/*
 * vialata-runner: the untrusted program. A submission is linked into it and called here.
 *
 *   runner cases FOLDER OUT    the cases of FOLDER/<rank>/list, in order; results go to OUT
 *   runner timed OUT           orders from the grader (timed.h)
 *
 * It knows no expected value and gives no grade; its exit status earns nothing.
 */
#include "comm/beacon.h"
#include "comm/meter.h"
#include "comm/stains.h"
#include "runner/call.h"
#include "runner/case_comm.h"
#include "runner/printing.h"
#include "runner/survive.h"
#include "runner/timed.h"
#include "runner/trace.h"
#include "wire/board.h"
#include "wire/guards.h"
#include "wire/results.h"
#include "wire/stain.h"
#include "wire/unset.h"

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const struct vl_call *find_call(const char *function)
{
    for (size_t lab = 0; lab < vl_runner_lab_count; lab++)
        for (const struct vl_call *call = vl_runner_labs[lab].calls; call->function != NULL; call++)
            if (strcmp(call->function, function) == 0)
                return call;
    return NULL;
}

static const struct vl_timed_call *find_timed(const char *function)
{
    for (size_t lab = 0; lab < vl_runner_lab_count; lab++)
        for (const struct vl_timed_call *call = vl_runner_labs[lab].timed;
             call != NULL && call->function != NULL; call++)
            if (strcmp(call->function, function) == 0)
                return call;
    return NULL;
}

static bool add_counts(struct vl_bag *outputs)
{
    const struct vl_meter_row *all = &vl_meter_now()->total;
    return vl_bag_set_int(outputs, "sent_bytes", (int64_t)all->sent_bytes) &&
           vl_bag_set_int(outputs, "sent_messages", (int64_t)all->sent_messages) &&
           vl_bag_set_int(outputs, "received_bytes", (int64_t)all->received_bytes) &&
           vl_bag_set_int(outputs, "received_messages", (int64_t)all->received_messages);
}

/* Is there something among the results that nobody had written? */
static void look_for_stains(const struct vl_bag *outputs)
{
    int found = -1;
    for (size_t i = 0; i < vl_bag_count(outputs) && found < 0; i++)
        found = vl_stain_find(vl_bag_entry(outputs, i));
    vl_stains_tell(found);
}

/* For the grader, which judges how the ranks behaved towards each other. */
static bool add_beacon(struct vl_bag *outputs, int world_rank)
{
    size_t words = (sizeof(struct vl_beacon) + 7) / 8;
    void *copy = vl_bag_add(outputs, "beacon", VL_I64, 1, &words);
    if (copy == NULL)
        return false;
    memcpy(copy, vl_beacon_mine(), sizeof(struct vl_beacon));
    return vl_bag_set_int(outputs, "world_rank", world_rank);
}

/* After MPI_Finalize no further case can be run; the beacon has recorded the call. */
static void leave_if_finalized(void)
{
    int over = 0;
    MPI_Finalized(&over);
    if (over)
        exit(1);
}

/* Linked in only with the references with mistakes, and with the changes of a submission: choose the one that
 * later calls reach. */
__attribute__((weak)) void vl_variant_choose(unsigned variant);
/* With the changes of a submission: what a change does to its inputs is asked, too. */
__attribute__((weak)) void vl_variant_shows_inputs(void);

/* For the grader, which compares it with what the kernel counted. */
static void put_traffic(struct vl_board_rank *place)
{
    const struct vl_meter_wire *wire = &vl_meter_now()->wire;
    place->least_bytes = wire->least;
    place->most_bytes = wire->most;
    place->messages = wire->messages;
    place->added_bytes = wire->added;
}

/* One call of the function of a case. */
struct calling {
    const struct vl_call *call;
    struct vl_bag *outputs, *inputs;
    enum vl_status status;
    unsigned input; /* which case it is */
};

static void make_call(void *context)
{
    struct calling *calling = context;
    calling->status = calling->call->run(calling->outputs, calling->inputs);
}

/* False if it did not come back: only of a reference with a bug. Its results are then nowhere. */
static bool comes_back(struct calling *calling)
{
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (vl_variant_choose != NULL && ranks == 1)
        return vl_survives(make_call, calling, calling->input);
    make_call(calling);
    return true;
}

static void run_case(struct vl_board_rank *place, const char *function, const char *folder,
                     const char *out, unsigned input, unsigned number)
{
    char path[PATH_MAX];
    const struct vl_call *call = find_call(function);
    struct vl_bag *inputs = NULL, *outputs = vl_bag_create();
    int world_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    snprintf(path, sizeof path, "%s/%d/in%u.st", folder, world_rank, input);
    enum vl_status status = vl_bag_read(&inputs, path);
    vl_bag_guard(inputs, vl_guard_of(world_rank));
    vl_bag_guard(outputs, vl_guard_of(world_rank));
    if (vl_bag_int(inputs, VL_ZEROS) != 0)
        vl_bag_poison_with_zeros(outputs);
    vl_case_comm_open(vl_bag_int(inputs, "reversed") != 0);
    vl_beacon_begin(1, (int)vl_bag_int(inputs, "synchronous"));
    __atomic_add_fetch(&place->begun, 1, __ATOMIC_RELEASE);
    vl_meter_reset();
    struct calling calling = {call, outputs, inputs, VL_EINTERNAL, input};
    bool back = true;
    if (status == VL_OK && call != NULL && outputs != NULL)
        back = comes_back(&calling);
    if (status == VL_OK)
        status = calling.status;
    leave_if_finalized();
    look_for_stains(outputs);
    vl_beacon_end(status);
    __atomic_add_fetch(&place->returned, 1, __ATOMIC_RELEASE);
    vl_beacon_mine()->held = vl_case_comm_close();
    bool whole = back && vl_guards_add(outputs) && vl_guards_add(inputs) && add_counts(outputs) &&
                 vl_bag_set_int(outputs, "status", status) && add_beacon(outputs, world_rank);
    snprintf(path, sizeof path, "%s/" VL_RESULTS_NAME, out, world_rank);
    /* Of a reference with a bug nobody asks what it did to its inputs. */
    if (whole && vl_results_add(path, number, outputs) == VL_OK &&
        (vl_variant_choose == NULL || vl_variant_shows_inputs != NULL))
        vl_results_add(path, VL_RESULTS_INPUTS + number, inputs);
    vl_bag_free(inputs);
    vl_bag_free(outputs);
}

/* Until the grader lets this rank begin this many cases. A job that was started early waits for
 * long. */
static void wait_until_allowed(const struct vl_board_rank *place, uint32_t cases)
{
    for (int looks = 0; __atomic_load_n(&place->allowed, __ATOMIC_ACQUIRE) < cases; looks++)
        nanosleep(&(struct timespec){.tv_nsec = looks < 100 ? 200000 : 2000000}, NULL);
}

static int run_cases(const char *folder, const char *out, struct vl_board_rank *place)
{
    char path[PATH_MAX], function[64];
    unsigned input, number, variant;
    int world_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    snprintf(path, sizeof path, "%s/%d/list", folder, world_rank);
    FILE *list = fopen(path, "re");
    if (list == NULL)
        return 1;
    vl_beacon_on_error = vl_trace_stay;
    __atomic_store_n(&place->started, 1, __ATOMIC_RELEASE);
    wait_until_allowed(place, 1);
    while (fscanf(list, "%u %u %63s %u", &input, &number, function, &variant) == 4) {
        if (vl_variant_choose != NULL)
            vl_variant_choose(variant);
        run_case(place, function, folder, out, input, number);
        put_traffic(place);
        vl_printing_end_case(number);
        wait_until_allowed(place, __atomic_add_fetch(&place->finished, 1, __ATOMIC_RELEASE) + 1);
    }
    fclose(list);
    return 0;
}

int main(int argc, char **argv)
{
    int rank, ranks, result = 2;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a line printed before a crash is worth having */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *out = argc > 1 ? argv[argc - 1] : ".";
    struct vl_board_rank *board = vl_board_map(out, rank);
    if (board != NULL) {
        vl_trace_start(board);
        vl_beacon_use(&board->beacon);
        vl_printing_begin(rank, ranks, &board->marks);
        if (argc == 4 && strcmp(argv[1], "cases") == 0)
            result = run_cases(argv[2], out, board);
        else if (argc == 3 && strcmp(argv[1], "timed") == 0) {
            board->started = 1;
            vl_case_comm_use_world();
            vl_timed_run(out, rank, find_timed);
            result = 0;
        }
    }
    MPI_Finalize();
    return result;
}
