/*
 * The ledger of a pair: how much processor time each side used, and when. The kernel counts it.
 *
 *     reference   prepare |==own==| asleep          asleep |==own==| seal, finish
 *     submission  prepare  asleep |==own==||==own==| asleep           seal, finish
 *
 * What a submission computes when no clock runs for it (while works are prepared, while it is the
 * other's turn, once it has answered) shows here: the reference does the same work around its turns.
 */
#ifndef VIALATA_RANKS_LEDGER_H
#define VIALATA_RANKS_LEDGER_H

#include <stdbool.h>

/* Seconds of one side in one pair. */
struct vl_ledger {
    double turn[2];       /* how long each of its turns took */
    double in_turns;      /* processor time in both */
    double resting;       /* how long the other's turns took */
    double while_resting; /* processor time in those */
    double elsewhere;     /* processor time outside its own turns, in the whole pair */
    bool moved;           /* it left the cores where it had been put */
    bool steps;           /* its work is also done once in its preparation */
};

/* How long a turn counts: not less than the processor time of an average one, so that the work of a
 * turn cannot be done in the turn before. */
double vl_ledger_turn(const struct vl_ledger *ledger, int half, int ranks);

enum vl_ledger_finding {
    VL_LEDGER_CLEAN,
    VL_LEDGER_ELSEWHERE, /* it worked when it was not its turn */
    VL_LEDGER_THREADS,   /* it used more processor time in its turns than 'ranks' cores have */
    VL_LEDGER_FINDINGS
};

/* What a pair says about the submission. A ledger with NAN is not clean. */
enum vl_ledger_finding vl_ledger_judge(const struct vl_ledger *submission,
                                       const struct vl_ledger *reference, int ranks);

/*
 * Do so many clean pairs, and so many others, accuse the submission? Noise alone speaks against up to
 * one pair in four, and work out of turn shows in nearly every pair. So two thirds of VL_LEDGER_SURE
 * pairs or more must speak against it, or all of fewer.
 */
#define VL_LEDGER_SURE 15
bool vl_ledger_accuses(int clean, int against);

#endif
