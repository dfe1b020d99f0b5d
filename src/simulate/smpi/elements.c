/*
 * What SimGrid's MPI declares and does not have. SimGrid 3.32 ends the program in
 * PMPI_Get_elements_x, so this one takes its place in the programs that are linked with SimGrid
 * (-Bsymbolic: a program's own names win).
 */
#include <mpi.h>

int PMPI_Get_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count *elements)
{
    int count = 0;
    int result = PMPI_Get_count(status, type, &count);
    *elements = count == MPI_UNDEFINED ? 0 : count;
    return result;
}
