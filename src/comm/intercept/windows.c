/*
 * Windows for one-sided communication, made and freed, and fences: collectives over the ranks of the window. What
 * goes through a window, and who locks it, is not watched.
 */
#include "comm/intercept/refusal.h"
#include "comm/intercept/watch.h"

#include <stdlib.h>

struct window {
    MPI_Win handle;
    struct vl_beacon_call fence; /* as it is called on this one, but for its place */
    struct window *next;
};

static struct window *windows;

/* Where it is linked in; there is NULL for one that is not known, or in a thread that is not watched. */
static struct window **find(MPI_Win handle)
{
    static struct window *none;
    struct window **at = vl_thread_is_watched() ? &windows : &none;
    while (*at != NULL && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

static void forget(struct window **at)
{
    struct window *window = *at;
    *at = window->next;
    free(window);
}

static double enter(struct vl_beacon_call *call)
{
    vl_watch_called(call);
    vl_watch_collective(call);
    return vl_watch_enter(call);
}

static int made(int result, MPI_Comm comm, MPI_Win handle, double began, const char *name)
{
    vl_watch_leave(began, name);
    struct vl_known *known = vl_known(comm);
    struct window *window =
        result == MPI_SUCCESS && vl_thread_is_watched() ? malloc(sizeof *window) : NULL;
    vl_beacon_note_unwatched(VL_UNWATCHED_WINDOWS);
    if (window == NULL || known == NULL) {
        free(window);
        return result;
    }
    vl_refusal_watch_window(handle);
    *window = (struct window){
        .handle = handle, .fence = vl_call_plain(VL_OP_WIN_FENCE, comm, NULL), .next = windows};
    window->fence.communicator = vl_known_child(known);
    windows = window;
    return result;
}

#define MAKES(name, operation, parameters, arguments)                                              \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        struct vl_beacon_call call = vl_call_plain(operation, comm, VL_HERE);                      \
        double began = enter(&call);                                                               \
        int result = PMPI_##name arguments;                                                        \
        return made(result, comm, *window, began, "MPI_" #name);                                   \
    }

MAKES(Win_create, VL_OP_WIN_CREATE,
      (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
      (base, size, unit, info, comm, window))
MAKES(Win_create_dynamic, VL_OP_WIN_CREATE_DYNAMIC, (MPI_Info info, MPI_Comm comm, MPI_Win *window),
      (info, comm, window))
MAKES(Win_allocate, VL_OP_WIN_ALLOCATE,
      (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
MAKES(Win_allocate_shared, VL_OP_WIN_ALLOCATE_SHARED,
      (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))

/* A window that is not known may be anything: MPI alone says what is wrong with it. */
int MPI_Win_fence(int assertion, MPI_Win handle)
{
    const struct window *window = *find(handle);
    if (window == NULL)
        return PMPI_Win_fence(assertion, handle);
    struct vl_beacon_call call = window->fence;
    call.address = (uintptr_t)VL_HERE;
    double began = enter(&call);
    int result = PMPI_Win_fence(assertion, handle);
    vl_watch_leave(began, "MPI_Win_fence");
    return result;
}

int MPI_Win_free(MPI_Win *handle)
{
    const MPI_Win was = *handle;
    const struct window *window = *find(was);
    if (window == NULL)
        return PMPI_Win_free(handle);
    struct vl_beacon_call call = window->fence;
    call.operation = VL_OP_WIN_FREE;
    call.address = (uintptr_t)VL_HERE;
    double began = enter(&call);
    int result = PMPI_Win_free(handle);
    vl_watch_leave(began, "MPI_Win_free");
    if (result == MPI_SUCCESS)
        forget(find(was)); /* meanwhile the program may have freed others */
    return result;
}
