/*
 * Only for comm/intercept/: a collective and its nonblocking sister, wrapped by one entry. In
 *
 *   VL_COLLECTIVE(Bcast, Ibcast,
 *                 (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
 *                 (data, count, type, root, comm),
 *                 broadcast(count, type, root, comm, VL_HERE))
 *
 * the parameters are those of MPI_Bcast, the arguments are what PMPI_Bcast is called with, and the last line
 * describes the call. It stands for these two functions:
 *
 *   int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
 *   {
 *       struct vl_collective c = broadcast(count, type, root, comm, VL_HERE);
 *       double began = vl_collective_enter(&c);
 *       vl_collective_meet(&c, comm);
 *       int result = PMPI_Bcast(data, count, type, root, comm);
 *       vl_watch_leave(began, "MPI_Bcast");
 *       return result;
 *   }
 *
 *   int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm,
 *                  MPI_Request *request)
 *   {
 *       struct vl_collective c = broadcast(count, type, root, comm, VL_HERE);
 *       vl_collective_begin(&c);
 *       int result = PMPI_Ibcast(data, count, type, root, comm, request);
 *       return vl_collective_started(&c, result, comm, request);
 *   }
 *
 * The communicator must be called comm. VL_HERE is an argument of the entry, so that the wrapper itself expands it:
 * in a function that the wrapper calls, the return address would be here and not in the program. A debugger that
 * stops in MPI_Bcast shows its entry.
 */
#ifndef VIALATA_COMM_INTERCEPT_COLLECTIVE_H
#define VIALATA_COMM_INTERCEPT_COLLECTIVE_H

#include "comm/intercept/watch.h"

#define VL_COLLECTIVE(name, starting_name, parameters, arguments, description)                     \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        struct vl_collective c = description;                                                      \
        double began = vl_collective_enter(&c);                                                    \
        vl_collective_meet(&c, comm);                                                              \
        int result = PMPI_##name arguments;                                                        \
        vl_watch_leave(began, "MPI_" #name);                                                       \
        return result;                                                                             \
    }                                                                                              \
    int MPI_##starting_name(VL_OPEN parameters, MPI_Request *request)                              \
    {                                                                                              \
        struct vl_collective c = description;                                                      \
        vl_collective_begin(&c);                                                                   \
        int result = PMPI_##starting_name(VL_OPEN arguments, request);                             \
        return vl_collective_started(&c, result, comm, request);                                   \
    }
#define VL_OPEN(...) __VA_ARGS__ /* a list without its parentheses */

#endif
