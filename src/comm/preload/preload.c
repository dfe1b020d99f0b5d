/*
 * What `vialata mpi` preloads into a program, besides the wrappers (comm/intercept/): once MPI is up, the rank
 * writes to its board, and says which files its code came from. Where the folder for that is missing, or MPI
 * started this program from within another, nothing is written, and the program runs as ever.
 */
#include "comm/beacon.h"
#include "comm/intercept/watch.h"
#include "comm/preload/threads.h"
#include "comm/span.h"
#include "wire/board.h"
#include "wire/spans.h"
#include "wire/watched.h"

#include <limits.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program itself has no name in the list of the loader. */
static const char *path_of(const struct dl_phdr_info *module, char own[PATH_MAX])
{
    if (module->dlpi_name[0] != '\0')
        return module->dlpi_name;
    ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);
    own[length > 0 ? length : 0] = '\0';
    return own;
}

static int put_module(struct dl_phdr_info *module, size_t size, void *stream)
{
    char own[PATH_MAX];
    (void)size;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *piece = &module->dlpi_phdr[i];
        unsigned long begin = (unsigned long)(module->dlpi_addr + piece->p_vaddr);
        if (piece->p_type == PT_LOAD && (piece->p_flags & PF_X) != 0)
            fprintf(stream, "%lx %lx %lx %s\n", begin, begin + (unsigned long)piece->p_memsz,
                    (unsigned long)module->dlpi_addr, path_of(module, own));
    }
    return 0;
}

static void write_modules(const char *folder, int rank)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" VL_WATCHED_MODULES, folder, rank);
    FILE *stream = fopen(path, "we");
    if (stream == NULL)
        return;
    dl_iterate_phdr(put_module, stream);
    fclose(stream);
}

/* ---- what it does and when, if somebody wants to know ---- */

static struct vl_spans *spans;

static void take_span(const struct vl_span *span)
{
    struct vl_spans_one one = {.kind = span->kind,
                               .peer = span->peer,
                               .begin = span->begin,
                               .end = span->end,
                               .bytes = span->bytes,
                               .number = span->number};
    strncpy(one.name, span->name, sizeof one.name - 1);
    vl_spans_put(spans, &one);
}

static void record_spans(const char *folder, int rank)
{
    spans = vl_spans_map(folder, rank);
    if (spans != NULL)
        vl_span_hand_to(take_span, &spans->inside);
}

static void begin(void)
{
    const char *folder = getenv(VL_WATCHED_FOLDER);
    MPI_Comm parent = MPI_COMM_NULL;
    int rank = 0;
    uint32_t threads = vl_threads_begin();
    PMPI_Comm_get_parent(&parent);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct vl_board_rank *board =
        folder != NULL && parent == MPI_COMM_NULL ? vl_board_map(folder, rank) : NULL;
    if (board == NULL)
        return;
    write_modules(folder, rank);
    record_spans(folder, rank);
    board->process = getpid();
    const char *job = getenv("PMIX_NAMESPACE");
    board->job = job != NULL ? (uint32_t)strtoul(job, NULL, 10) : 0;
    board->threads = threads;
    vl_beacon_use(&board->beacon);
    vl_beacon_begin(getenv(VL_WATCHED_STRICT) != NULL, 0);
    __atomic_store_n(&board->begun, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&board->started, 1, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void prepare(void)
{
    vl_beacon_before_init = vl_threads_prepare;
    vl_beacon_on_init = begin;
}

/* None of the course's collectives is watched here. */
const struct vl_beacon_call *vl_contract_at_work(void)
{
    static const struct vl_beacon_call none = {.operation = VL_OP_NONE};
    return &none;
}
