/* Only for comm/intercept/: errors that MPI finds are written into the beacon before they end the program. */
#ifndef VIALATA_COMM_INTERCEPT_REFUSAL_H
#define VIALATA_COMM_INTERCEPT_REFUSAL_H

#include <mpi.h>

/* Once MPI is up: whatever is made from the world inherits it. A program that sets MPI_ERRORS_RETURN replaces it. */
void vl_refusal_watch(void);
/* A window inherits nothing. */
void vl_refusal_watch_window(MPI_Win window);

#endif
