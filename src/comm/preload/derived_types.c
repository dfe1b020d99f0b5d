/* Types that a program makes from others, and frees. */
#include "comm/intercept/watch.h"
#include "comm/preload/made.h"

static int made_by(int result, uint32_t operation, const MPI_Datatype *made, const void *address)
{
    if (result == MPI_SUCCESS)
        vl_made(VL_MADE_TYPE, (uintptr_t)*made, made, operation, address);
    return result;
}

/* MPI's constructor 'name': its parameters, and what they are called; 'made' is the last. */
#define MAKES(operation, name, parameters, arguments)                                              \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        return made_by(PMPI_##name arguments, VL_OP_##operation, made, VL_HERE);                   \
    }

/* ---- one block, or blocks of one length ---- */

MAKES(TYPE_CONTIGUOUS, Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype *made),
      (count, type, made))
MAKES(TYPE_VECTOR, Type_vector,
      (int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made),
      (count, length, stride, type, made))
MAKES(TYPE_HVECTOR, Type_create_hvector,
      (int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made),
      (count, length, stride, type, made))
MAKES(TYPE_INDEXED_BLOCK, Type_create_indexed_block,
      (int count, int length, const int places[], MPI_Datatype type, MPI_Datatype *made),
      (count, length, places, type, made))
MAKES(TYPE_HINDEXED_BLOCK, Type_create_hindexed_block,
      (int count, int length, const MPI_Aint places[], MPI_Datatype type, MPI_Datatype *made),
      (count, length, places, type, made))

/* ---- blocks of several lengths, or of several types ---- */

MAKES(TYPE_INDEXED, Type_indexed,
      (int count, const int lengths[], const int places[], MPI_Datatype type, MPI_Datatype *made),
      (count, lengths, places, type, made))
MAKES(TYPE_HINDEXED, Type_create_hindexed,
      (int count, const int lengths[], const MPI_Aint places[], MPI_Datatype type,
       MPI_Datatype *made),
      (count, lengths, places, type, made))
MAKES(TYPE_STRUCT, Type_create_struct,
      (int count, const int lengths[], const MPI_Aint places[], const MPI_Datatype types[],
       MPI_Datatype *made),
      (count, lengths, places, types, made))

/* ---- parts of an array ---- */

MAKES(TYPE_SUBARRAY, Type_create_subarray,
      (int dimensions, const int sizes[], const int parts[], const int starts[], int order,
       MPI_Datatype type, MPI_Datatype *made),
      (dimensions, sizes, parts, starts, order, type, made))
MAKES(TYPE_DARRAY, Type_create_darray,
      (int ranks, int rank, int dimensions, const int sizes[], const int ways[], const int shares[],
       const int grid[], int order, MPI_Datatype type, MPI_Datatype *made),
      (ranks, rank, dimensions, sizes, ways, shares, grid, order, type, made))

/* ---- copies ---- */

MAKES(TYPE_DUP, Type_dup, (MPI_Datatype type, MPI_Datatype *made), (type, made))
MAKES(TYPE_RESIZED, Type_create_resized,
      (MPI_Datatype type, MPI_Aint low, MPI_Aint extent, MPI_Datatype *made),
      (type, low, extent, made))

int MPI_Type_free(MPI_Datatype *type)
{
    MPI_Datatype was = *type;
    int result = PMPI_Type_free(type);
    if (result == MPI_SUCCESS)
        vl_freed(VL_MADE_TYPE, (uintptr_t)was, type);
    return result;
}
