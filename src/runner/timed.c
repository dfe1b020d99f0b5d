#include "runner/timed.h"

#include "base/machine/memory.h"
#include "wire/board.h"
#include "wire/counts.h"
#include "wire/results.h"
#include "wire/seal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct bench {
    const struct vl_timed_call *call;
    void *works[VL_ORDER_WORKS];
    uint32_t count;
};

static void clear(struct bench *bench)
{
    for (uint32_t i = 0; i < bench->count; i++)
        bench->call->release(bench->works[i]);
    *bench = (struct bench){0};
}

static enum vl_status prepare(struct bench *bench, const struct vl_order *order,
                              const struct vl_timed_call *call)
{
    clear(bench);
    if (call == NULL || order->count > VL_ORDER_WORKS)
        return VL_EINTERNAL;
    bench->call = call;
    enum vl_status status = VL_OK;
    for (; status == VL_OK && bench->count < order->count; bench->count++)
        status = call->prepare(&bench->works[bench->count], order->seed + bench->count);
    return status;
}

static enum vl_status turn(const struct bench *bench, const struct vl_order *order)
{
    enum vl_status status = VL_OK;
    for (uint32_t i = order->first; status == VL_OK && i < order->first + order->count; i++)
        status = bench->call->turn(bench->works[i]);
    return status;
}

/* The outputs of a work, in a new bag. */
static enum vl_status pack(struct vl_bag **outputs, const struct bench *bench, uint32_t work)
{
    *outputs = vl_bag_create();
    return *outputs != NULL ? bench->call->finish(*outputs, bench->works[work]) : VL_ENOMEM;
}

static enum vl_status seal(uint64_t seals[VL_ORDER_WORKS], const struct bench *bench,
                           const struct vl_order *order)
{
    enum vl_status status = VL_OK;
    for (uint32_t work = 0; status == VL_OK && work < order->count; work++) {
        struct vl_bag *outputs;
        status = pack(&outputs, bench, work);
        if (status == VL_OK)
            seals[work] = vl_seal(outputs, order->seed);
        vl_bag_free(outputs);
    }
    return status;
}

static enum vl_status finish(const struct bench *bench, const struct vl_order *order,
                             const char *folder, int rank)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" VL_RESULTS_NAME, folder, rank);
    struct vl_bag *outputs;
    enum vl_status status = pack(&outputs, bench, order->first);
    if (status == VL_OK)
        status = vl_results_add(path, order->first, outputs);
    vl_bag_free(outputs);
    return status;
}

/* Linked only into the counting runner (counted/counted.h). */
__attribute__((weak)) void vl_counts_begin(void);
__attribute__((weak)) void vl_counts_end(struct vl_counts *counts);

static enum vl_status give_counts(const struct vl_counts *counts, unsigned number,
                                  const char *folder, int rank)
{
    char path[PATH_MAX];
    size_t numbers = VL_COUNTS_NUMBERS;
    snprintf(path, sizeof path, "%s/" VL_RESULTS_NAME, folder, rank);
    struct vl_bag *bag = vl_bag_create();
    void *array = bag != NULL ? vl_bag_add(bag, VL_COUNTS_ARRAY, VL_I64, 1, &numbers) : NULL;
    enum vl_status status = VL_ENOMEM;
    if (array != NULL) {
        memcpy(array, counts, sizeof *counts);
        status = vl_results_add(path, number, bag);
    }
    vl_bag_free(bag);
    return status;
}

static enum vl_status count(const struct bench *bench, const struct vl_order *order,
                            const char *folder, int rank)
{
    struct vl_counts shortest = {0};
    enum vl_status status = vl_counts_begin != NULL ? VL_OK : VL_EINTERNAL;
    for (uint32_t i = 0; status == VL_OK && i < order->count; i++) {
        struct vl_counts counts;
        vl_counts_begin();
        status = bench->call->turn(bench->works[order->first + i]);
        vl_counts_end(&counts);
        if (i == 0 || counts.turn_ns < shortest.turn_ns)
            shortest = counts;
    }
    return status == VL_OK ? give_counts(&shortest, order->first, folder, rank) : status;
}

static int open_pipe(const char *folder, const char *name, int rank, int mode)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.%d", folder, name, rank);
    return open(path, mode | O_CLOEXEC);
}

void vl_timed_run(const char *folder, int rank,
                  const struct vl_timed_call *(*find)(const char *function))
{
    /* What preparing a work costs is compared with the reference. */
    vl_memory_keep();
    int orders = open_pipe(folder, "go", rank, O_RDONLY);
    int answers = open_pipe(folder, "said", rank, O_WRONLY);
    struct bench bench = {0};
    struct vl_order order;
    while (read(orders, &order, sizeof order) == (ssize_t)sizeof order) {
        struct vl_board_answer answer = {.number = order.number, .status = VL_EINTERNAL};
        if (order.verb == VL_ORDER_QUIT)
            break;
        order.function[sizeof order.function - 1] = '\0';
        if (order.verb == VL_ORDER_PREPARE)
            answer.status = prepare(&bench, &order, find(order.function));
        else if (order.first + order.count > bench.count)
            answer.status = VL_EINTERNAL;
        else if (order.verb == VL_ORDER_TURN)
            answer.status = turn(&bench, &order);
        else if (order.verb == VL_ORDER_SEAL)
            answer.status = seal(answer.seals, &bench, &order);
        else if (order.verb == VL_ORDER_COUNT)
            answer.status = count(&bench, &order, folder, rank);
        else
            answer.status = finish(&bench, &order, folder, rank);
        if (write(answers, &answer, sizeof answer) != (ssize_t)sizeof answer)
            break;
    }
    clear(&bench);
    close(orders);
    close(answers);
}
