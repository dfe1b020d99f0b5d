/*
 * What can be wrong with a program on many ranks: the causes that a diagnosis in the clinic chooses from. Their
 * names stay English, what they mean is said in the user's language.
 */
#ifndef VIALATA_CLINIC_CAUSE_H
#define VIALATA_CLINIC_CAUSE_H

enum vl_cause {
    VL_CAUSE_NONE,
    VL_CAUSE_SENDS_MEET,
    VL_CAUSE_RECEIVES_MEET,
    VL_CAUSE_WRONG_ORDER,
    VL_CAUSE_COLLECTIVE_ORDER,
    VL_CAUSE_COLLECTIVE_SKIPPED,
    VL_CAUSE_WRONG_ROOT,
    VL_CAUSE_WRONG_PEER,
    VL_CAUSE_WRONG_TAG,
    VL_CAUSE_WRONG_COUNT,
    VL_CAUSE_WRONG_TYPE,
    VL_CAUSE_WRONG_COMMUNICATOR,
    VL_CAUSE_MISSING_MESSAGE,
    VL_CAUSE_EARLY_READ,
    VL_CAUSE_EARLY_WRITE,
    VL_CAUSE_SHARED_BUFFER,
    VL_CAUSE_ORDER_OF_ARRIVAL,
    VL_CAUSE_NEVER_COMPLETED,
    VL_CAUSE_NEVER_FREED,
    VL_CAUSE_NO_OVERLAP,
    VL_CAUSE_WRONG_SHARE,
    VL_CAUSE_WRONG_REDUCTION,
    VL_CAUSES
};

/* "wrong_tag", as a person types it. */
const char *vl_cause_name(enum vl_cause cause);

/* The cause of that name, also with '-' for '_'; VL_CAUSE_NONE if there is none. */
enum vl_cause vl_cause_named(const char *name);

/* A sentence, N_(): what it means. */
const char *vl_cause_meaning(enum vl_cause cause);

#endif
