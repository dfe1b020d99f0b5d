/*
 * Who waits for whom, drawn: each chain on a line of its own, a circle first.
 *
 *   0 → 2 → 1 → 0
 *   3 → 1
 */
#ifndef VIALATA_CLI_MPI_WAIT_DRAWING_H
#define VIALATA_CLI_MPI_WAIT_DRAWING_H

#include "report/draw/terminal.h"

#include <stdbool.h>

#define VL_WAIT_DRAWING_RANKS 8  /* more are told, but not drawn */
#define VL_WAIT_RANKS         32 /* at most */

/* Which ranks wait for themselves in the end? */
void vl_wait_circles(bool *in_circle, const int *next, int ranks);

/* next[r] as vl_hang_next gives it (ranks/hang/hang.h). Returns how many lines were drawn. */
int vl_wait_drawing_put(const struct vl_terminal *terminal, const int *next, int ranks);

#endif
