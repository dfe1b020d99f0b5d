/*
 * What Open MPI keeps in memory that processes share: files in /dev/shm, one of each rank for its messages, and more
 * for windows. mpirun removes them at the end. If it is killed before that, they stay, 4 MB of each rank.
 *
 *   /dev/shm/vader_segment.HOST.USER.JOB.RANK      JOB: hexadecimal
 *   /dev/shm/osc_rdma.HOST.JOB.NUMBER
 */
#ifndef VIALATA_CLI_MPI_SHARED_SEGMENTS_H
#define VIALATA_CLI_MPI_SHARED_SEGMENTS_H

#include <stdint.h>

/* Remove those of one job: its number, as Open MPI tells it to its ranks (PMIX_NAMESPACE). 0: of none. */
void vl_shared_segments_remove(uint32_t job);

#endif
