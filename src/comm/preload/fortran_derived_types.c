/* Fortran: types that a program makes from others, and frees. */
#include "comm/preload/fortran.h"

#include <stdlib.h>

typedef const MPI_Aint *aints; /* integers that can hold an address: one or an array */

#define ENTRY(name, parameters, call)                                                              \
    VL_ENTRY_FILLS(MPI_Datatype, MPI_DATATYPE_NULL, PMPI_Type_c2f, name, parameters, call)

/* ---- one block, or blocks of one length ---- */

ENTRY(type_contiguous, (vl_in count, vl_in type, vl_out handle, vl_out error),
      MPI_Type_contiguous(*count, vl_type(type), &made))
ENTRY(type_vector,
      (vl_in count, vl_in length, vl_in stride, vl_in type, vl_out handle, vl_out error),
      MPI_Type_vector(*count, *length, *stride, vl_type(type), &made))
ENTRY(type_create_hvector,
      (vl_in count, vl_in length, aints stride, vl_in type, vl_out handle, vl_out error),
      MPI_Type_create_hvector(*count, *length, *stride, vl_type(type), &made))
ENTRY(type_create_indexed_block,
      (vl_in count, vl_in length, vl_in places, vl_in type, vl_out handle, vl_out error),
      MPI_Type_create_indexed_block(*count, *length, places, vl_type(type), &made))
ENTRY(type_create_hindexed_block,
      (vl_in count, vl_in length, aints places, vl_in type, vl_out handle, vl_out error),
      MPI_Type_create_hindexed_block(*count, *length, places, vl_type(type), &made))

/* ---- blocks of several lengths, or of several types ---- */

ENTRY(type_indexed,
      (vl_in count, vl_in lengths, vl_in places, vl_in type, vl_out handle, vl_out error),
      MPI_Type_indexed(*count, lengths, places, vl_type(type), &made))
ENTRY(type_create_hindexed,
      (vl_in count, vl_in lengths, aints places, vl_in type, vl_out handle, vl_out error),
      MPI_Type_create_hindexed(*count, lengths, places, vl_type(type), &made))

static int make_struct(vl_in count, vl_in lengths, aints places, vl_in types, MPI_Datatype *made)
{
    size_t blocks = *count > 0 ? (size_t)*count : 0; /* MPI will refuse a negative count */
    MPI_Datatype *known = malloc((blocks + 1) * sizeof(MPI_Datatype));
    if (known == NULL) {
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    for (size_t i = 0; i < blocks; i++)
        known[i] = vl_type(&types[i]);
    int result = MPI_Type_create_struct(*count, lengths, places, known, made);
    free(known);
    return result;
}

ENTRY(type_create_struct,
      (vl_in count, vl_in lengths, aints places, vl_in types, vl_out handle, vl_out error),
      make_struct(count, lengths, places, types, &made))

/* ---- parts of an array ---- */

ENTRY(type_create_subarray,
      (vl_in dimensions, vl_in sizes, vl_in parts, vl_in starts, vl_in order, vl_in type,
       vl_out handle, vl_out error),
      MPI_Type_create_subarray(*dimensions, sizes, parts, starts, *order, vl_type(type), &made))
ENTRY(type_create_darray,
      (vl_in ranks, vl_in rank, vl_in dimensions, vl_in sizes, vl_in ways, vl_in shares, vl_in grid,
       vl_in order, vl_in type, vl_out handle, vl_out error),
      MPI_Type_create_darray(*ranks, *rank, *dimensions, sizes, ways, shares, grid, *order,
                             vl_type(type), &made))

/* ---- copies ---- */

ENTRY(type_dup, (vl_in type, vl_out handle, vl_out error), MPI_Type_dup(vl_type(type), &made))
ENTRY(type_create_resized, (vl_in type, aints low, aints extent, vl_out handle, vl_out error),
      MPI_Type_create_resized(vl_type(type), *low, *extent, &made))

static int let_go(vl_out handle)
{
    MPI_Datatype known = vl_type(handle);
    int result = MPI_Type_free(&known);
    if (result == MPI_SUCCESS)
        *handle = PMPI_Type_c2f(known);
    return result;
}

VL_ENTRY_CHANGES(type_free, (vl_out handle, vl_out error), let_go(handle))
