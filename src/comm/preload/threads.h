/*
 * Only for comm/preload/: the threads of a program that is watched (comm/intercept/watch.h says who may write).
 *
 *   all threads of the process = the one that calls MPI_Init + MPI's own + others, which may call MPI, too
 */
#ifndef VIALATA_COMM_PRELOAD_THREADS_H
#define VIALATA_COMM_PRELOAD_THREADS_H

#include <stdint.h>

/* Before MPI_Init_thread: count those that are there already. */
void vl_threads_prepare(void);

/* After MPI_Init, in the thread that is to be watched: 0 if only one at a time may call MPI, else how many there are
 * without the others (struct vl_board_rank). */
uint32_t vl_threads_begin(void);

#endif
