/*
 * Only for comm/intercept/ and comm/preload/: calls that come from Fortran.
 *
 *   the program --> mpi_isend_ (comm/preload/) --> MPI_Isend (comm/intercept/) --> PMPI_Isend
 *
 * To the wrapper of MPI_Isend it looks as if our own library called, with a request of its own. Here it learns
 * where the program called, and which of the program's variables holds the request.
 *
 * Only the library that is preloaded has entries for Fortran (CMake defines vialata_mpi_EXPORTS for its
 * sources). The course's programs are in C: there the answers are what the wrapper sees itself, at no cost.
 */
#ifndef VIALATA_COMM_INTERCEPT_FOREIGN_H
#define VIALATA_COMM_INTERCEPT_FOREIGN_H

#include <mpi.h>
#include <stddef.h>

struct vl_foreign {
    const void *caller;          /* NULL: C called */
    const MPI_Request *requests; /* ours; NULL: this call has none */
    /* The program's: the first has requests[0]; or, without requests, the handle that is made or freed. */
    const MPI_Fint *variables;
};

/* The call that is under way in this thread. A function of the program that MPI calls meanwhile (an operation, an
 * error handler) would have its own calls taken for this one. What is preloaded is there before the first thread,
 * which makes the way to it short. */
extern _Thread_local struct vl_foreign vl_foreign __attribute__((tls_model("initial-exec")));

#ifdef vialata_mpi_EXPORTS

static inline const void *vl_foreign_place(const void *here)
{
    return vl_foreign.caller != NULL ? vl_foreign.caller : here;
}

static inline const void *vl_foreign_variable(const MPI_Request *request)
{
    if (vl_foreign.requests == NULL)
        return request;
    return vl_foreign.variables + (request - vl_foreign.requests);
}

#else

static inline const void *vl_foreign_place(const void *here)
{
    return here;
}

static inline const void *vl_foreign_variable(const MPI_Request *request)
{
    return request;
}

#endif
#endif
