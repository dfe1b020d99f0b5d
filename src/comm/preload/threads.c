#include "comm/preload/threads.h"

#include "comm/beacon.h"
#include "comm/intercept/watch.h"

#include <dirent.h>
#include <mpi.h>
#include <stdbool.h>

static uint32_t others; /* those that were there before MPI */
bool vl_threads_are_several;
static _Thread_local bool is_watched __attribute__((tls_model("initial-exec")));

static uint32_t count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    uint32_t found = 0;
    const struct dirent *entry;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL)
        found += entry->d_name[0] != '.';
    if (tasks != NULL)
        closedir(tasks);
    return found;
}

void vl_threads_prepare(void)
{
    uint32_t all = count();
    others = all > 0 ? all - 1 : 0;
}

uint32_t vl_threads_begin(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    is_watched = true;
    vl_threads_are_several = level == MPI_THREAD_MULTIPLE;
    uint32_t all = vl_threads_are_several ? count() : 0;
    return all > others ? all - others : vl_threads_are_several;
}

bool vl_thread_began_mpi(void)
{
    if (is_watched)
        return true;
    vl_beacon_note_unwatched(VL_UNWATCHED_THREADS);
    return false;
}
