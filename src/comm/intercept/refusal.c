#include "comm/intercept/refusal.h"

#include "comm/intercept/watch.h"
#include "wire/mpi_refusal.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define FRAMES 32

static enum vl_mpi_refusal refusal_of(int code)
{
    static const struct {
        int class;
        enum vl_mpi_refusal refusal;
    } known[] = {
        {MPI_ERR_TRUNCATE, VL_REFUSED_TRUNCATED},
        {MPI_ERR_BUFFER, VL_REFUSED_BUFFER},
        {MPI_ERR_COUNT, VL_REFUSED_COUNT},
        {MPI_ERR_TYPE, VL_REFUSED_TYPE},
        {MPI_ERR_TAG, VL_REFUSED_TAG},
        {MPI_ERR_COMM, VL_REFUSED_COMMUNICATOR},
        {MPI_ERR_RANK, VL_REFUSED_RANK},
        {MPI_ERR_ROOT, VL_REFUSED_ROOT},
        {MPI_ERR_REQUEST, VL_REFUSED_REQUEST},
        {MPI_ERR_GROUP, VL_REFUSED_GROUP},
        {MPI_ERR_OP, VL_REFUSED_OPERATION},
        {MPI_ERR_WIN, VL_REFUSED_WINDOW},
    };
    int class = code;
    PMPI_Error_class(code, &class);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].class == class)
            return known[i].refusal;
    return VL_REFUSED_OTHER;
}

/* Is it code of MPI's libraries? Fortran has some of its own. */
static bool is_library(const void *address)
{
    Dl_info module;
    if (dladdr(address, &module) == 0 || module.dli_fname == NULL)
        return false;
    const char *slash = strrchr(module.dli_fname, '/');
    return strncmp(slash != NULL ? slash + 1 : module.dli_fname, "libmpi", 6) == 0;
}

/* Who called the library that calls this handler; NULL if that cannot be told from the stack. */
static const void *caller(void)
{
    void *frame[FRAMES];
    int frames = backtrace(frame, FRAMES), i = 0;
    while (i < frames && !is_library(frame[i]))
        i++;
    while (i < frames && is_library(frame[i]))
        i++;
    return i < frames ? frame[i] : NULL;
}

/* 'name' is the library's function; of one that has a wrapper more is known. */
static void note(int code, const char *name)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    beacon->error_call = beacon->call;
    if (beacon->call.operation == VL_OP_NONE) {
        beacon->error_call.address = (uintptr_t)caller();
        strncpy(beacon->error_name, name != NULL ? name : "", sizeof beacon->error_name - 1);
    }
    __atomic_store_n(&beacon->error, refusal_of(code), __ATOMIC_RELEASE);
}

/* Open MPI hands on the name of its function. A program may call its handler itself: then MPI refused nothing. */
static void tell(int code, va_list more)
{
    const char *name = va_arg(more, const char *);
    if (vl_thread_is_watched() && (name == NULL || strstr(name, "call_errhandler") == NULL))
        note(code, name);
    if (vl_beacon_on_error != NULL)
        vl_beacon_on_error();
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    va_list more;
    va_start(more, code);
    tell(*code, more);
    va_end(more);
    PMPI_Comm_set_errhandler(*comm, MPI_ERRORS_ARE_FATAL);
    PMPI_Comm_call_errhandler(*comm, *code);
}

static void on_window_error(MPI_Win *window, int *code, ...)
{
    va_list more;
    va_start(more, code);
    tell(*code, more);
    va_end(more);
    PMPI_Win_set_errhandler(*window, MPI_ERRORS_ARE_FATAL);
    PMPI_Win_call_errhandler(*window, *code);
}

void vl_refusal_watch(void)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_create_errhandler(on_error, &handler) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    PMPI_Errhandler_free(&handler);
}

void vl_refusal_watch_window(MPI_Win window)
{
    MPI_Errhandler handler;
    if (PMPI_Win_create_errhandler(on_window_error, &handler) != MPI_SUCCESS)
        return;
    PMPI_Win_set_errhandler(window, handler);
    PMPI_Errhandler_free(&handler);
}
