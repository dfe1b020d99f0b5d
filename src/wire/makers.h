/*
 * MPI's calls that make something which the program is to free again. They are operations of the beacon
 * (VL_OP_TYPE_VECTOR), so that a report can name them.
 */
#ifndef VIALATA_WIRE_MAKERS_H
#define VIALATA_WIRE_MAKERS_H

/* The operation, and MPI's name without its MPI_. */
#define VL_MAKERS(X)                                                                               \
    X(SEND_INIT, Send_init)                                                                        \
    X(SSEND_INIT, Ssend_init)                                                                      \
    X(BSEND_INIT, Bsend_init)                                                                      \
    X(RSEND_INIT, Rsend_init)                                                                      \
    X(RECV_INIT, Recv_init)                                                                        \
    X(COMM_GROUP, Comm_group)                                                                      \
    X(COMM_REMOTE_GROUP, Comm_remote_group)                                                        \
    X(WIN_GROUP, Win_get_group)                                                                    \
    X(GROUP_INCL, Group_incl)                                                                      \
    X(GROUP_EXCL, Group_excl)                                                                      \
    X(GROUP_RANGE_INCL, Group_range_incl)                                                          \
    X(GROUP_RANGE_EXCL, Group_range_excl)                                                          \
    X(GROUP_UNION, Group_union)                                                                    \
    X(GROUP_INTERSECTION, Group_intersection)                                                      \
    X(GROUP_DIFFERENCE, Group_difference)                                                          \
    X(TYPE_CONTIGUOUS, Type_contiguous)                                                            \
    X(TYPE_VECTOR, Type_vector)                                                                    \
    X(TYPE_HVECTOR, Type_create_hvector)                                                           \
    X(TYPE_INDEXED, Type_indexed)                                                                  \
    X(TYPE_HINDEXED, Type_create_hindexed)                                                         \
    X(TYPE_INDEXED_BLOCK, Type_create_indexed_block)                                               \
    X(TYPE_HINDEXED_BLOCK, Type_create_hindexed_block)                                             \
    X(TYPE_STRUCT, Type_create_struct)                                                             \
    X(TYPE_SUBARRAY, Type_create_subarray)                                                         \
    X(TYPE_DARRAY, Type_create_darray)                                                             \
    X(TYPE_DUP, Type_dup)                                                                          \
    X(TYPE_RESIZED, Type_create_resized)                                                           \
    X(OP_CREATE, Op_create)

#endif
