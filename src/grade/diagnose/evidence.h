/*
 * The evidence for one mistake, from the cases of a function. It is the cause only if it explains
 * every case that failed, and no case that passed refutes it.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_EVIDENCE_H
#define VIALATA_GRADE_DIAGNOSE_EVIDENCE_H

#include "grade/catalogue/case.h"
#include <stdbool.h>

/* A submission explained by a mistake is nearer to it than this share of the mistake's own distance
 * from the truth. Of the many that a machine makes, some come near by chance. */
#define VL_EVIDENCE_NEARER  0.1
#define VL_EVIDENCE_MACHINE 0.002

struct vl_evidence {
    bool refuted;
    /* All failures, and the mistake's own, are in the last bits. There are more orders of adding
     * floats than anybody can list, so one of them counts for all. */
    bool last_bits;
    size_t cases;    /* that were looked at */
    size_t failures; /* cases that failed and are explained */
    /* Numbers of the explained cases that the mistake changes; those that are whole and small agree by
     * chance, so many of them are needed. Where each array is the same number all over, in every case, there
     * are many ways to that. */
    size_t telling, small;
    bool varied;        /* the small ones are not */
    double first_small; /* of the case before */
    double distance;    /* sum of those from the submission, each over the largest allowed */
};

/* Add a case: the outputs of the submission (NULL: it passed), those of the mistake (NULL: nothing
 * came back), and the truth. 'nearer' is that share. Begin with a zeroed one. */
void vl_evidence_add(struct vl_evidence *evidence, const struct vl_case *c,
                     const struct vl_bag *submission, const struct vl_bag *mistake,
                     const struct vl_bag *truth, double nearer);

/* Do the explained cases say enough for a mistake that a machine made? */
bool vl_evidence_suffices(const struct vl_evidence *evidence);

/* How far an answer is from another one: the largest distance over the arrays of 'truth', relative
 * to the other. INFINITY if an array is missing or has another size, if only one of both is finite
 * at some place, or if the statuses differ. */
double vl_answer_distance(const struct vl_bag *answer, const struct vl_bag *other,
                          const struct vl_bag *truth, const struct vl_case *c);

#endif
