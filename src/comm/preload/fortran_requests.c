/*
 * Fortran: open requests. They are integers in the program's memory, and C's in an array of ours for as long as the
 * call lasts. The wrappers know a request by where it is stored: vl_foreign leads them from ours to the program's.
 */
#include "comm/preload/fortran.h"

#include <stdlib.h>

#define FEW           64
#define STATUS_FIELDS (sizeof(MPI_Status) / sizeof(MPI_Fint))

/* Requests and statuses of one call: on the stack if few. */
struct several {
    size_t requests, statuses; /* how many */
    MPI_Request *request;
    MPI_Status *status; /* NULL if they are ignored: so are both of C's constants for that */
    MPI_Request few_requests[FEW];
    MPI_Status few_statuses[FEW];
};

static void forget(struct several *all)
{
    if (all->request != all->few_requests)
        free(all->request);
    if (all->status != all->few_statuses)
        free(all->status);
}

static bool make_room(struct several *all)
{
    all->request = all->few_requests;
    if (all->requests > FEW)
        all->request = malloc(all->requests * sizeof *all->request);
    if (all->request != NULL && all->statuses > FEW)
        all->status = malloc(all->statuses * sizeof *all->status);
    else if (all->statuses > 0)
        all->status = all->few_statuses;
    return all->request != NULL && (all->statuses == 0 || all->status != NULL);
}

/* statuses: this many, NULL for none. False without memory. */
static bool take(struct several *all, MPI_Fint count, vl_in requests, MPI_Fint status_count,
                 vl_out statuses)
{
    bool ignored = statuses == NULL || status_count < 0 || vl_is_ignored(statuses);
    all->requests = count > 0 ? (size_t)count : 0; /* MPI will refuse a negative one */
    all->statuses = ignored ? 0 : (size_t)status_count;
    all->status = MPI_STATUSES_IGNORE;
    if (!make_room(all)) {
        forget(all);
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
        return false;
    }
    for (size_t i = 0; i < all->requests; i++)
        all->request[i] = PMPI_Request_f2c(requests[i]);
    for (size_t i = 0; i < all->statuses; i++)
        PMPI_Status_f2c(&statuses[i * STATUS_FIELDS], &all->status[i]);
    vl_foreign.requests = all->request;
    vl_foreign.variables = requests;
    return true;
}

static void give(struct several *all, vl_out requests, vl_out statuses)
{
    for (size_t i = 0; i < all->requests; i++)
        if (all->request[i] != NULL) /* a number that MPI does not know */
            requests[i] = PMPI_Request_c2f(all->request[i]);
    for (size_t i = 0; i < all->statuses; i++)
        PMPI_Status_c2f(&all->status[i], &statuses[i * STATUS_FIELDS]);
    forget(all);
}

/* Fortran counts from 1. */
static int from_1(int result, vl_out index)
{
    if (result == MPI_SUCCESS && *index != MPI_UNDEFINED)
        ++*index;
    return result;
}

static int all_from_1(int result, vl_in count, vl_out indices)
{
    for (MPI_Fint i = 0; result == MPI_SUCCESS && *count != MPI_UNDEFINED && i < *count; i++)
        ++indices[i];
    return result;
}

/* The parameter 'requests' has 'count' elements, and 'statuses' has 'status_count' unless it is NULL.
 * In C they are all.request and all.status. */
#define ENTRY(name, parameters, count, status_count, statuses, call)                               \
    VL_ENTRY_OF(                                                                                   \
        name, parameters, struct several all; result = MPI_ERR_NO_MEM;                             \
        if (take(&all, count, requests, status_count, statuses)) {                                 \
            result = call;                                                                         \
            give(&all, requests, statuses);                                                        \
        })

ENTRY(wait, (vl_out requests, vl_out status, vl_out error), 1, 1, status,
      MPI_Wait(all.request, all.status))
ENTRY(test, (vl_out requests, vl_out flag, vl_out status, vl_out error), 1, 1, status,
      MPI_Test(all.request, flag, all.status))
ENTRY(waitall, (vl_in count, vl_out requests, vl_out statuses, vl_out error), *count, *count,
      statuses, MPI_Waitall(*count, all.request, all.status))
ENTRY(testall, (vl_in count, vl_out requests, vl_out flag, vl_out statuses, vl_out error), *count,
      *count, statuses, MPI_Testall(*count, all.request, flag, all.status))
ENTRY(waitany, (vl_in count, vl_out requests, vl_out index, vl_out status, vl_out error), *count, 1,
      status, from_1(MPI_Waitany(*count, all.request, index, all.status), index))
ENTRY(testany,
      (vl_in count, vl_out requests, vl_out index, vl_out flag, vl_out status, vl_out error),
      *count, 1, status, from_1(MPI_Testany(*count, all.request, index, flag, all.status), index))
ENTRY(waitsome,
      (vl_in count, vl_out requests, vl_out done, vl_out indices, vl_out statuses, vl_out error),
      *count, *count, statuses,
      all_from_1(MPI_Waitsome(*count, all.request, done, indices, all.status), done, indices))
ENTRY(testsome,
      (vl_in count, vl_out requests, vl_out done, vl_out indices, vl_out statuses, vl_out error),
      *count, *count, statuses,
      all_from_1(MPI_Testsome(*count, all.request, done, indices, all.status), done, indices))

ENTRY(request_get_status, (vl_out requests, vl_out flag, vl_out status, vl_out error), 1, 1, status,
      MPI_Request_get_status(all.request[0], flag, all.status))

ENTRY(start, (vl_out requests, vl_out error), 1, 0, NULL, MPI_Start(all.request))
ENTRY(startall, (vl_in count, vl_out requests, vl_out error), *count, 0, NULL,
      MPI_Startall(*count, all.request))
ENTRY(cancel, (vl_out requests, vl_out error), 1, 0, NULL, MPI_Cancel(all.request))
ENTRY(request_free, (vl_out requests, vl_out error), 1, 0, NULL, MPI_Request_free(all.request))
