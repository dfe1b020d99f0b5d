/*
 * A standstill: when a job is said to hang, and what is said of it.
 */
#ifndef VIALATA_RANKS_HANG_STANDSTILL_H
#define VIALATA_RANKS_HANG_STANDSTILL_H

#include "ranks/hang/hang.h"
#include "ranks/hang/place_in_source.h"
#include "vialata/status.h"
#include "wire/board.h"

#include <stdbool.h>
#include <stddef.h>

struct vl_standstill {
    uint64_t picture; /* fingerprint of everything that could change */
    double since;     /* when this picture was first seen */
    double looked;
};

/* Look again (begin with a zeroed one). True once nothing has moved for a while, and nothing ever
 * can. 'finished': how many cases the job has finished; 'synchronous' is about the present one. */
bool vl_standstill_seen(struct vl_standstill *still, const struct vl_board *board, int ranks,
                        size_t finished, int synchronous);

/* Did MPI find an error in this case? */
int vl_standstill_error(const struct vl_board *board, int ranks, size_t finished);

/* Explain it: who waits for whom, where. 'finder' knows the program. VL_ENOMEM. */
enum vl_status vl_standstill_find(struct vl_finding *finding, const struct vl_board *board,
                                  int ranks, size_t finished, int synchronous,
                                  struct vl_place_finder *finder);

#endif
