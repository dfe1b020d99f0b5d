/*
 * Transfers of vialata/collectives.h that the program being watched has under way.
 */
#ifndef VIALATA_COMM_TRANSFERS_H
#define VIALATA_COMM_TRANSFERS_H

/* Finish the transfers that are still open in this case, after a run that ended with an error and left them behind.
 * It waits for their messages, so the other ranks must send or receive them. */
void vl_transfers_finish_open(void);

#endif
