/*
 * Only for comm/preload/: how a Fortran program gets to the wrappers.
 *
 *   mpi.h         MPI_Send -----------------> comm/intercept/ --> PMPI_Send
 *   mpif.h        mpi_send_      \              ^
 *   use mpi       mpi_send_       >-- here -----'
 *   use mpi_f08   mpi_send_f08_  /
 *
 * Open MPI's Fortran libraries call PMPI_Send, past the wrappers. So every call that is wrapped in C has an
 * entry here as well, under the names that gfortran gives it. All arguments are addresses. A handle is an
 * integer; mpi_f08 has a type for each kind of handle, with nothing in it but that integer, so its entry is the
 * same function. It may leave out the error, which is NULL then.
 *
 * A name without an underscore at its end (gfortran -fno-underscoring) has no entry: it could be somebody's
 * function in a C program.
 */
#ifndef VIALATA_COMM_PRELOAD_FORTRAN_H
#define VIALATA_COMM_PRELOAD_FORTRAN_H

#include "comm/intercept/foreign.h"

#include <mpi.h>
#include <stdbool.h>

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of integers are handed on as they are");

typedef const MPI_Fint *vl_in; /* one integer, or an array */
typedef MPI_Fint *vl_out;

/* ---- arguments, as C has them ---- */

/* Of a graph: MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY for Fortran's. */
const int *vl_weights(vl_in weights);
void *vl_bottom(void *data);      /* MPI_BOTTOM for Fortran's constant, else as it is */
void *vl_share(void *data);       /* MPI_IN_PLACE as well */
MPI_Comm vl_comm(vl_in comm);     /* MPI_COMM_NULL if there is none of that number */
MPI_Datatype vl_type(vl_in type); /* MPI_DATATYPE_NULL likewise */

/* The status that C is to write: *own, which begins with what is in 'status'; MPI_STATUS_IGNORE if Fortran
 * ignores it. Afterwards give hands it back. */
MPI_Status *vl_status_take(vl_out status, MPI_Status *own);
void vl_status_give(vl_out status, MPI_Status *own);
bool vl_is_ignored(vl_in statuses); /* one or several */

/* ---- entries ---- */

/* The entry of MPI's call 'name': statements that set 'result'. The last parameter is vl_out error. */
#define VL_ENTRY_OF(name, parameters, ...)                                                         \
    VL_ENTRY_NAME(name, , ) parameters;                                                            \
    VL_ENTRY_NAME(name, _, VL_ENTRY_SAME(name)) parameters;                                        \
    VL_ENTRY_NAME(name, f08_, VL_ENTRY_SAME(name)) parameters;                                     \
    void mpi_##name##_ parameters                                                                  \
    {                                                                                              \
        const struct vl_foreign outer = vl_foreign; /* MPI may call the program back */            \
        int result;                                                                                \
        vl_foreign = (struct vl_foreign){.caller = __builtin_return_address(0)};                   \
        __VA_ARGS__                                                                                \
        vl_foreign = outer;                                                                        \
        if (error != NULL)                                                                         \
            *error = result;                                                                       \
    }
#define VL_ENTRY_NAME(name, end, same)                                                             \
    __attribute__((visibility("default"))) same void mpi_##name##_##end
#define VL_ENTRY_SAME(name) __attribute__((alias("mpi_" #name "_")))

/* One call of C. */
#define VL_ENTRY(name, parameters, call) VL_ENTRY_OF(name, parameters, result = call;)

/* It fills &made, a handle of C's type, for the parameter 'handle'. */
#define VL_ENTRY_FILLS(type_in_c, none, to_fortran, name, parameters, call)                        \
    VL_ENTRY_OF(name, parameters, type_in_c made = none; vl_foreign.variables = handle;            \
                result = call; if (result == MPI_SUCCESS) *handle = to_fortran(made);)

/* The same for a communicator. */
#define VL_ENTRY_MAKES(name, parameters, call)                                                     \
    VL_ENTRY_FILLS(MPI_Comm, MPI_COMM_NULL, PMPI_Comm_c2f, name, parameters, call)

/* One call of C that changes the parameter 'handle' itself. */
#define VL_ENTRY_CHANGES(name, parameters, call)                                                   \
    VL_ENTRY_OF(name, parameters, vl_foreign.variables = handle; result = call;)

/* It fills &started, for the parameter 'request'. */
#define VL_ENTRY_STARTS(name, parameters, call)                                                    \
    VL_ENTRY_OF(name, parameters, MPI_Request started = MPI_REQUEST_NULL;                          \
                vl_foreign.requests = &started; vl_foreign.variables = request; result = call;     \
                if (result == MPI_SUCCESS) *request = PMPI_Request_c2f(started);)

/* It writes to 'answer', for the parameter 'status'. */
#define VL_ENTRY_ANSWERS(name, parameters, call)                                                   \
    VL_ENTRY_OF(name, parameters, MPI_Status own;                                                  \
                MPI_Status *answer = vl_status_take(status, &own); result = call;                  \
                vl_status_give(status, answer);)

#endif
