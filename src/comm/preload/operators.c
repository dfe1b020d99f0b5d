/* Operators of a reduction that a program makes and frees. */
#include "comm/intercept/watch.h"
#include "comm/preload/made.h"

int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *made)
{
    int result = PMPI_Op_create(function, commutes, made);
    if (result == MPI_SUCCESS)
        vl_made(VL_MADE_OPERATOR, (uintptr_t)*made, made, VL_OP_OP_CREATE, VL_HERE);
    return result;
}

int MPI_Op_free(MPI_Op *op)
{
    MPI_Op was = *op;
    int result = PMPI_Op_free(op);
    if (result == MPI_SUCCESS)
        vl_freed(VL_MADE_OPERATOR, (uintptr_t)was, op);
    return result;
}
