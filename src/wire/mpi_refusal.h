/*
 * What MPI refused in a call, as ranks tell each other's watcher: MPI's own numbers for it are its library's affair.
 */
#ifndef VIALATA_WIRE_MPI_REFUSAL_H
#define VIALATA_WIRE_MPI_REFUSAL_H

enum vl_mpi_refusal {
    VL_REFUSED_NOTHING,
    VL_REFUSED_TRUNCATED, /* a message is longer than the room for it */
    VL_REFUSED_BUFFER,
    VL_REFUSED_COUNT,
    VL_REFUSED_TYPE,
    VL_REFUSED_TAG,
    VL_REFUSED_COMMUNICATOR,
    VL_REFUSED_RANK,
    VL_REFUSED_ROOT,
    VL_REFUSED_REQUEST,
    VL_REFUSED_GROUP,
    VL_REFUSED_OPERATION, /* an MPI_Op */
    VL_REFUSED_WINDOW,
    VL_REFUSED_OTHER
};

#endif
