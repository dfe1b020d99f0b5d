/*
 * Transfers of vialata/collectives.h that are under way, for the program that is watched.
 */
#ifndef VIALATA_COMM_TRANSFERS_H
#define VIALATA_COMM_TRANSFERS_H

/* Finish those that are open in this case: of a run that has ended with an error, and whose transfers
 * nobody else will finish. Others must be there to send or receive what they carry. */
void vl_transfers_finish_open(void);

#endif
