/*
 * What the calls of lab 02 share: this rank's number and row, and bytes that show whether they were
 * ever written.
 */
#ifndef VIALATA_GRADE_LABS_02_COLLECTIVES_RUNNER_HERE_H
#define VIALATA_GRADE_LABS_02_COLLECTIVES_RUNNER_HERE_H

#include "runner/arrays.h"
#include "runner/call.h"

#define VL_MOST_RANKS     16
#define VL_UNWRITTEN_BYTE 0xee /* no input byte has this value */

struct vl_here {
    MPI_Comm comm;
    int rank, ranks, tag, root;
    size_t n, element_bytes, bytes; /* of a row: n elements */
};
struct vl_here vl_here(const struct vl_bag *inputs);

/* This rank's row of an input of bytes, 'bytes' long. */
const unsigned char *vl_own_bytes(const struct vl_bag *inputs, const char *name, size_t bytes);
/* How many elements of a row of floats there are: fewer than n where n is too long for a message. */
size_t vl_row_floats(const struct vl_bag *inputs, const char *name);

/* Bytes to be written, all VL_UNWRITTEN_BYTE at first; or this rank's row, to be changed in place.
 * NULL without memory. */
void *vl_bytes_output(struct vl_bag *outputs, const char *name, size_t bytes);
void *vl_bytes_in_place(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name);
/* The bytes as numbers, (bytes / element_bytes, element_bytes) float32, for the grader to read; a
 * byte not written is poison there. */
void vl_show_bytes(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name);

/* The runner's own messages, without data and not counted: a rank tells another how far it is. 'comes'
 * waits for one and takes it, but gives up after a while, so that nothing hangs; then it returns 0, and
 * it is taken later. */
void vl_word_send(MPI_Comm comm, int to);
int vl_word_comes(MPI_Comm comm, int from);
void vl_word_take(MPI_Comm comm, int from);

/* Calls that the table in calls.c names. */
vl_call_function vl_call_exchange, vl_call_transfer_poll, vl_call_two_all_reduces,
    vl_call_levels_create, vl_call_levels_free, vl_call_two_level, vl_call_two_level_traffic,
    vl_call_broadcast_seconds, vl_call_reduce_scatter_seconds, vl_call_all_gather_seconds,
    vl_call_all_reduce_seconds, vl_call_two_level_seconds, vl_call_predict_collectives;

#endif
