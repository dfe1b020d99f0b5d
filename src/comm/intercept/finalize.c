/* Beginning and end of MPI. MPI_Init installs an error handler. A process that ends in mid-case
 * says so in its beacon, since the others may wait for it. */
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

static void note_error(int code)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    int class = code;
    PMPI_Error_class(code, &class);
    beacon->error_call = beacon->call;
    if (class == MPI_ERR_TRUNCATE)
        class = VL_BEACON_TRUNCATED;
    __atomic_store_n(&beacon->error, class, __ATOMIC_RELEASE);
}

/* The error handler; a program that sets MPI_ERRORS_RETURN replaces it. */
static void on_error(MPI_Comm *comm, int *code, ...)
{
    if (vl_thread_is_watched())
        note_error(*code);
    if (vl_beacon_on_error != NULL)
        vl_beacon_on_error();
    PMPI_Comm_set_errhandler(*comm, MPI_ERRORS_ARE_FATAL);
    PMPI_Comm_call_errhandler(*comm, *code);
}

/* Communicators inherit the handler of the one they are made from. */
static void begin(void)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_create_errhandler(on_error, &handler) == MPI_SUCCESS) {
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        PMPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
        PMPI_Errhandler_free(&handler);
    }
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

/* Is there a persistent request that was never freed? */
static bool keeps_persistent(void)
{
    for (const struct vl_request *one = vl_request_newest(); one != NULL; one = one->older)
        if (one->persistent)
            return true;
    return false;
}

int MPI_Finalize(void)
{
    if (vl_beacon_on_init != NULL) {
        vl_beacon_mine()->held = keeps_persistent();
        vl_beacon_end(VL_BEACON_FINALIZED);
    }
    left();
    return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code)
{
    struct vl_beacon_call call = vl_call_plain(VL_OP_OTHER, comm, VL_HERE);
    vl_watch_enter(&call);
    left();
    return PMPI_Abort(comm, code);
}
