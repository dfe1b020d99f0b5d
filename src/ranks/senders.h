/*
 * From where the bytes of a case were sent, read from the ranks' beacons.
 *
 *   rank 0   ring.c:30   512      zero.c:57   1024
 *   rank 1   ring.c:30   512      zero.c:57   1024
 *   together ring.c:30 1024      zero.c:57   2048
 *
 * Beacons are written by untrusted programs: this explains, and nothing in it is believed.
 */
#ifndef VIALATA_RANKS_SENDERS_H
#define VIALATA_RANKS_SENDERS_H

#include "ranks/hang/hang.h"

/*
 * Into *sentence, translated and fresh: the calls in the submission's own files that sent the most, and how
 * much all ranks together sent from each. A call inside a contract counts for that of the contract, where
 * the submission makes it. NULL if no such call is known. beacons[r] is that of rank r, never NULL.
 * VL_ENOMEM.
 */
enum vl_status vl_senders_say(char **sentence, const struct vl_beacon *const *beacons, int ranks,
                              const struct vl_hang_places *places);

#endif
