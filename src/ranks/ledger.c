#include "ranks/ledger.h"

#include <math.h>

#define ALLOWANCE 0.2e-3 /* seconds: to wake up, to fall asleep */
#define PARALLEL  1.1    /* seconds of processor time per second and rank */
#define RESTING   0.02   /* of the other's turns */
#define SHIFTED   0.1    /* of the reference's turns */
#define UNEVEN    0.05 /* of what the reference does outside its turns: most pairs are within 2 % */

static double turns(const struct vl_ledger *ledger)
{
    return ledger->turn[0] + ledger->turn[1];
}

double vl_ledger_turn(const struct vl_ledger *ledger, int half, int ranks)
{
    return fmax(ledger->turn[half], ledger->in_turns / (2 * ranks));
}

/*
 * Around their turns both sides do the same: they fill inputs, copy and seal outputs. A work that is
 * a step of a model makes one step in its preparation, too, which a slower submission does slower. No
 * other work calls the submission there, and none may hide half of its slowness so.
 */
static double allowed_elsewhere(const struct vl_ledger *submission,
                                const struct vl_ledger *reference, int ranks)
{
    double slower = submission->steps ? fmax(0, turns(submission) - turns(reference)) : 0;
    return (1 + UNEVEN) * reference->elsewhere + ranks * (SHIFTED * turns(reference) + slower) +
           ALLOWANCE;
}

enum vl_ledger_finding vl_ledger_judge(const struct vl_ledger *submission,
                                       const struct vl_ledger *reference, int ranks)
{
    if (!(submission->while_resting <= RESTING * submission->resting + ALLOWANCE) ||
        !(submission->elsewhere <= allowed_elsewhere(submission, reference, ranks)))
        return VL_LEDGER_ELSEWHERE;
    if (submission->moved ||
        !(submission->in_turns <= PARALLEL * ranks * turns(submission) + ALLOWANCE))
        return VL_LEDGER_THREADS;
    return VL_LEDGER_CLEAN;
}

bool vl_ledger_accuses(int clean, int against)
{
    if (clean + against < VL_LEDGER_SURE)
        return clean == 0;
    return against >= 2 * clean;
}
