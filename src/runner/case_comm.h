/*
 * The communicator of a case: fresh for it, lent to the submission, and gone afterwards.
 *
 *   open  -->  the function is called  -->  close: are all back? is anything in it still open?
 *
 * call.h has vl_case_comm(), for the calls.
 */
#ifndef VIALATA_RUNNER_CASE_COMM_H
#define VIALATA_RUNNER_CASE_COMM_H

#include <stdbool.h>

/* Collective. A message that one case never received cannot reach another. */
void vl_case_comm_open(bool reversed);

/*
 * Collective: waits until all ranks are back. Does MPI keep the communicator although it was freed?
 * Then a request in it is open, also one that the wrappers have not seen. Asks for some 50 ms before
 * it says so, since a message may leave a little after its send has returned.
 */
bool vl_case_comm_close(void);

/* Timed runs: all ranks, for good. */
void vl_case_comm_use_world(void);

#endif
