/*
 * Fortran: operators of a reduction.
 *
 * Open MPI calls an operator that was made in Fortran with Fortran's arguments, and only its Fortran library can
 * make it one. So what that has made is noted here, and MPI_Op_create is not called.
 */
#include "comm/preload/fortran.h"
#include "comm/preload/made.h"

typedef void user_function(void *, void *, vl_out, vl_out);
extern void __attribute__((weak))
pmpi_op_create_(user_function *function, vl_in commutes, vl_out handle, vl_out error);

/* A program that calls it in Fortran has that library. */
static int create(user_function *function, vl_in commutes, vl_out handle)
{
    MPI_Fint result = MPI_ERR_INTERN;
    if (pmpi_op_create_ != NULL)
        pmpi_op_create_(function, commutes, handle, &result);
    if (result == MPI_SUCCESS)
        vl_made(VL_MADE_OPERATOR, (uintptr_t)PMPI_Op_f2c(*handle), handle, VL_OP_OP_CREATE,
                vl_foreign.caller);
    return result;
}

VL_ENTRY_CHANGES(op_create, (user_function * function, vl_in commutes, vl_out handle, vl_out error),
                 create(function, commutes, handle))

static int let_go(vl_out handle)
{
    MPI_Op known = PMPI_Op_f2c(*handle);
    int result = MPI_Op_free(&known);
    if (result == MPI_SUCCESS)
        *handle = PMPI_Op_c2f(known);
    return result;
}

VL_ENTRY_CHANGES(op_free, (vl_out handle, vl_out error), let_go(handle))
