/* Beginning and end of MPI. A process that ends in mid-case says so in its beacon, since the others may wait for
 * it. */
#include "comm/intercept/refusal.h"
#include "comm/intercept/watch.h"

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t rank_process; /* a child that it forks has the same beacon, and may exit before it */

static void left(void)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    if (beacon->phase == VL_PHASE_INSIDE && getpid() == rank_process)
        __atomic_store_n(&beacon->phase, VL_PHASE_LEFT, __ATOMIC_RELEASE);
}

static void begin(void)
{
    vl_refusal_watch();
    rank_process = getpid();
    atexit(left);
    if (vl_beacon_on_init != NULL)
        vl_beacon_on_init();
}

int MPI_Init(int *argc, char ***argv)
{
    if (vl_beacon_before_init != NULL)
        vl_beacon_before_init();
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS)
        begin();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    if (vl_beacon_before_init != NULL)
        vl_beacon_before_init();
    int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS)
        begin();
    return result;
}

/* Persistent requests that were never freed. */
static void note_persistent(struct vl_beacon_made *made)
{
    for (const struct vl_request *one = vl_request_newest(); one != NULL; one = one->older) {
        if (!one->persistent)
            continue;
        if (made->count++ == 0)
            made->call = (struct vl_beacon_call){.operation = one->maker, .address = one->made_at};
        made->idle += !one->started;
    }
}

int MPI_Finalize(void)
{
    if (vl_beacon_on_init != NULL)
        vl_beacon_end(VL_BEACON_FINALIZED);
    left();
    int result = PMPI_Finalize(); /* it may call functions of the program that free something */
    if (vl_beacon_on_init != NULL) {
        note_persistent(&vl_beacon_mine()->made[VL_MADE_PERSISTENT]);
        __atomic_store_n(&vl_beacon_mine()->is_out, 1, __ATOMIC_RELEASE);
    }
    return result;
}

int MPI_Abort(MPI_Comm comm, int code)
{
    struct vl_beacon_call call = vl_call_plain(VL_OP_OTHER, comm, VL_HERE);
    vl_watch_enter(&call);
    left();
    return PMPI_Abort(comm, code);
}
