/* Fortran's arguments, as C has them. */
#include "comm/preload/fortran.h"

_Thread_local struct vl_foreign vl_foreign;

/* Fortran's constants are addresses: of common blocks in Open MPI's library, or in the program if that has
 * them, too. An Open MPI without Fortran has none. */
#define CONSTANT extern char __attribute__((weak))
CONSTANT mpi_fortran_bottom_, mpi_fortran_in_place_;
CONSTANT mpi_fortran_unweighted_, mpi_fortran_weights_empty_;
CONSTANT mpi_fortran_status_ignore_, mpi_fortran_statuses_ignore_;

void *vl_bottom(void *data)
{
    return data == &mpi_fortran_bottom_ ? MPI_BOTTOM : data;
}

void *vl_share(void *data)
{
    return data == &mpi_fortran_in_place_ ? MPI_IN_PLACE : vl_bottom(data);
}

const int *vl_weights(vl_in weights)
{
    const void *address = weights;
    if (address == &mpi_fortran_unweighted_)
        return MPI_UNWEIGHTED;
    return address == &mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : weights;
}

/* For a number that it does not know, Open MPI gives NULL, which the wrappers may not ask about. What it says
 * of a null handle is the same. */
MPI_Comm vl_comm(vl_in comm)
{
    MPI_Comm known = PMPI_Comm_f2c(*comm);
    return known != NULL ? known : MPI_COMM_NULL;
}

MPI_Datatype vl_type(vl_in type)
{
    MPI_Datatype known = PMPI_Type_f2c(*type);
    return known != NULL ? known : MPI_DATATYPE_NULL;
}

bool vl_is_ignored(vl_in statuses)
{
    const void *address = statuses;
    return address == &mpi_fortran_status_ignore_ || address == &mpi_fortran_statuses_ignore_;
}

MPI_Status *vl_status_take(vl_out status, MPI_Status *own)
{
    if (vl_is_ignored(status))
        return MPI_STATUS_IGNORE;
    PMPI_Status_f2c(status, own);
    return own;
}

void vl_status_give(vl_out status, MPI_Status *own)
{
    if (own != MPI_STATUS_IGNORE)
        PMPI_Status_c2f(own, status);
}
