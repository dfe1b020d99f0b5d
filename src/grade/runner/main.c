/*
 * vialata-runner: the untrusted program. A submission is linked into it and called here.
 *
 *   runner cases FOLDER OUT    the cases of FOLDER/list, in order: inputs from FOLDER, results to
 * OUT runner timed OUT           orders from the grader (timed.h)
 *
 * It knows no expected value and gives no grade; its exit status earns nothing.
 */
#include "grade/runner/board.h"
#include "grade/runner/call.h"
#include "grade/runner/timed.h"
#include "grade/runner/trace.h"

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct {
    const struct vl_call *calls;
    const struct vl_timed_call *timed;
} tables[] = {{vl_calls_training_step, vl_timed_training_step}};

#define TABLES (sizeof tables / sizeof *tables)

static const struct vl_call *find_call(const char *function)
{
    for (size_t lab = 0; lab < TABLES; lab++)
        for (const struct vl_call *call = tables[lab].calls; call->function != NULL; call++)
            if (strcmp(call->function, function) == 0)
                return call;
    return NULL;
}

static const struct vl_timed_call *find_timed(const char *function)
{
    for (size_t lab = 0; lab < TABLES; lab++)
        for (const struct vl_timed_call *call = tables[lab].timed; call->function != NULL; call++)
            if (strcmp(call->function, function) == 0)
                return call;
    return NULL;
}

/* In place of the system's: results live in a scratch folder for a moment, and waiting for a disk
 * between two turns would be most of a timed run. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* 1 + index of the array of that name, 0 for none. */
static int64_t index_of(const struct vl_bag *bag, const char *name)
{
    for (size_t i = 0; name != NULL && i < vl_bag_count(bag); i++)
        if (strcmp(vl_bag_entry(bag, i)->name, name) == 0)
            return (int64_t)i + 1;
    return 0;
}

static void run_case(const char *function, const char *in, const char *out)
{
    const struct vl_call *call = find_call(function);
    struct vl_bag *inputs = NULL, *outputs = vl_bag_create();
    enum vl_status status = vl_bag_read(&inputs, in);
    struct vl_bag *before = vl_bag_copy(inputs);
    if (status == VL_OK && call != NULL && before != NULL && outputs != NULL)
        status = call->run(outputs, inputs);
    else if (status == VL_OK)
        status = VL_EINTERNAL;
    const char *changed = vl_bag_damaged(inputs);
    if (changed == NULL)
        changed = vl_bag_difference(before, inputs);
    int64_t damaged = index_of(outputs, vl_bag_damaged(outputs));
    if (vl_bag_set_int(outputs, "status", status) && vl_bag_set_int(outputs, "damaged", damaged) &&
        vl_bag_set_int(outputs, "inputs_changed", index_of(inputs, changed)))
        vl_bag_write(outputs, out);
    vl_bag_free(inputs);
    vl_bag_free(before);
    vl_bag_free(outputs);
}

static int run_cases(const char *folder, const char *out, int rank, struct vl_board_rank *place)
{
    char path[PATH_MAX], results[PATH_MAX], function[64];
    unsigned number;
    snprintf(path, sizeof path, "%s/list", folder);
    FILE *list = fopen(path, "re");
    if (list == NULL)
        return 1;
    __atomic_store_n(&place->started, 1, __ATOMIC_RELEASE);
    while (fscanf(list, "%u %63s", &number, function) == 2) {
        snprintf(path, sizeof path, "%s/in%u.st", folder, number);
        snprintf(results, sizeof results, "%s/out%u.%d.st", out, number, rank);
        run_case(function, path, results);
        fflush(stdout);
        __atomic_fetch_add(&place->finished, 1, __ATOMIC_RELEASE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    fclose(list);
    return 0;
}

static struct vl_board *open_board(const char *out)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/board", out);
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *board = MAP_FAILED;
    if (file >= 0) {
        board = mmap(NULL, sizeof(struct vl_board), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    return board != MAP_FAILED ? board : NULL;
}

int main(int argc, char **argv)
{
    int rank, result = 2;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a line printed before a crash is worth having */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *out = argc > 1 ? argv[argc - 1] : ".";
    struct vl_board *board = open_board(out);
    if (board != NULL && rank < VL_BOARD_RANKS) {
        vl_trace_start(&board->rank[rank]);
        if (argc == 4 && strcmp(argv[1], "cases") == 0)
            result = run_cases(argv[2], out, rank, &board->rank[rank]);
        else if (argc == 3 && strcmp(argv[1], "timed") == 0) {
            board->rank[rank].started = 1;
            vl_timed_run(out, rank, find_timed);
            result = 0;
        }
    }
    MPI_Finalize();
    return result;
}
