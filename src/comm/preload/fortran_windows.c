/* Fortran: windows made and freed, and fences. */
#include "comm/preload/fortran.h"

#define WINDOW(name, parameters, call)                                                             \
    VL_ENTRY_FILLS(MPI_Win, MPI_WIN_NULL, PMPI_Win_c2f, name, parameters, call)
#define INFO PMPI_Info_f2c(*info)

WINDOW(win_create,
       (void *base, const MPI_Aint *size, vl_in unit, vl_in info, vl_in comm, vl_out handle,
        vl_out error),
       MPI_Win_create(vl_bottom(base), *size, *unit, INFO, vl_comm(comm), &made))
WINDOW(win_create_dynamic, (vl_in info, vl_in comm, vl_out handle, vl_out error),
       MPI_Win_create_dynamic(INFO, vl_comm(comm), &made))

/* 'base' is where the address goes, as an integer or as a C_PTR. */
#define ALLOCATED                                                                                  \
    (const MPI_Aint *size, vl_in unit, vl_in info, vl_in comm, void *base, vl_out handle,          \
     vl_out error)
#define ALLOCATES(name) MPI_##name(*size, *unit, INFO, vl_comm(comm), base, &made)

WINDOW(win_allocate, ALLOCATED, ALLOCATES(Win_allocate))
WINDOW(win_allocate_cptr, ALLOCATED, ALLOCATES(Win_allocate))
WINDOW(win_allocate_shared, ALLOCATED, ALLOCATES(Win_allocate_shared))
WINDOW(win_allocate_shared_cptr, ALLOCATED, ALLOCATES(Win_allocate_shared))

VL_ENTRY(win_fence, (vl_in assertion, vl_in window, vl_out error),
         MPI_Win_fence(*assertion, PMPI_Win_f2c(*window)))

static int let_go(vl_out window)
{
    MPI_Win known = PMPI_Win_f2c(*window);
    int result = MPI_Win_free(&known);
    if (result == MPI_SUCCESS)
        *window = PMPI_Win_c2f(known);
    return result;
}

VL_ENTRY(win_free, (vl_out window, vl_out error), let_go(window))
