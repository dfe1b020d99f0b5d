#include "grade/diagnose/evidence.h"

#include "grade/judge/judgement.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ALIKE     0.5  /* relative */
#define LAST_BITS 1e-6 /* relative: what another order of adding floats changes */
#define SMALL     99   /* a whole number up to this one */
#define MANY      12   /* of them, that no other mistake changes in the same way by chance */

static const struct vl_tensor_entry *find(const struct vl_bag *bag,
                                          const struct vl_tensor_entry *model)
{
    const struct vl_tensor_entry *entry = vl_bag_find(bag, model->name);
    return entry != NULL && entry->count == model->count ? entry : NULL;
}

/* Do the statuses agree? Of several ranks, only those that both answers have count. */
static bool same_status(const struct vl_bag *answer, const struct vl_bag *other,
                        const struct vl_case *c)
{
    char name[VL_RANKED_NAME];
    if (!c->per_rank)
        return vl_bag_int(answer, "status") == vl_bag_int(other, "status");
    for (int rank = 0; rank < c->ranks; rank++) {
        vl_ranked(name, "status", rank);
        int told = vl_bag_find(answer, name) != NULL && vl_bag_find(other, name) != NULL;
        if (told && vl_bag_int(answer, name) != vl_bag_int(other, name))
            return false;
    }
    return true;
}

double vl_answer_distance(const struct vl_bag *answer, const struct vl_bag *other,
                          const struct vl_bag *truth, const struct vl_case *c)
{
    double largest = 0;
    if (answer == NULL || other == NULL || !same_status(answer, other, c))
        return INFINITY;
    for (size_t a = 0; a < vl_bag_count(truth); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(truth, a);
        if (!vl_judgement_is_compared(entry))
            continue;
        const struct vl_tensor_entry *one = find(answer, entry), *two = find(other, entry);
        if (one == NULL || two == NULL)
            return INFINITY;
        largest = fmax(largest, vl_compare(one, two, entry, c->floor).error);
    }
    return largest;
}

/* Does the submission differ from the mistake in any whole number of the answer? */
static bool chose_otherwise(const struct vl_bag *submission, const struct vl_bag *mistake,
                            const struct vl_bag *truth)
{
    for (size_t a = 0; mistake != NULL && a < vl_bag_count(truth); a++) {
        const struct vl_tensor_entry *right = vl_bag_entry(truth, a);
        if (right->dtype != VL_I64 || !vl_judgement_is_compared(right))
            continue;
        const struct vl_tensor_entry *one = find(submission, right), *two = find(mistake, right);
        for (size_t i = 0; one != NULL && two != NULL && i < right->count; i++)
            if (vl_entry_value(one, i) != vl_entry_value(two, i))
                return true;
    }
    return false;
}

/* Seen from the truth, two answers that are close to zero are near each other, whatever they are. Are they
 * alike in each array that the mistake changes? */
static bool agrees(const struct vl_bag *submission, const struct vl_bag *mistake,
                   const struct vl_bag *truth, const struct vl_case *c)
{
    for (size_t a = 0; mistake != NULL && a < vl_bag_count(truth); a++) {
        const struct vl_tensor_entry *right = vl_bag_entry(truth, a);
        if (!vl_judgement_is_compared(right))
            continue;
        const struct vl_tensor_entry *one = find(submission, right), *two = find(mistake, right);
        if (one == NULL || two == NULL || vl_compare(two, right, right, c->floor).error <= c->bound)
            continue;
        if (!(vl_compare(one, two, right, 0).error < ALIKE) ||
            !(vl_compare(two, one, right, 0).error < ALIKE))
            return false;
    }
    return true;
}

/* Count the numbers of one array that the mistake changes. Returns the first small one, NAN if there is none. */
static double count_in(struct vl_evidence *evidence, const struct vl_tensor_entry *wrong,
                       const struct vl_tensor_entry *right)
{
    double first = NAN;
    for (size_t i = 0; i < right->count; i++) {
        double is = vl_entry_value(wrong, i), should = vl_entry_value(right, i);
        if (!vl_entry_counts(right, i) || is == should)
            continue;
        bool small = right->dtype == VL_I64 && fabs(is) <= SMALL && fabs(should) <= SMALL;
        *(small ? &evidence->small : &evidence->telling) += 1;
        if (small && isnan(first))
            first = is;
        evidence->varied |= small && is != first;
    }
    return first;
}

static void count_changed(struct vl_evidence *evidence, const struct vl_bag *mistake,
                          const struct vl_bag *truth)
{
    double first = NAN;
    for (size_t a = 0; a < vl_bag_count(truth); a++) {
        const struct vl_tensor_entry *right = vl_bag_entry(truth, a);
        const struct vl_tensor_entry *wrong = mistake != NULL ? find(mistake, right) : NULL;
        if (wrong == NULL || !vl_judgement_is_compared(right))
            continue;
        double here = count_in(evidence, wrong, right);
        first = isnan(first) ? here : first;
    }
    evidence->varied |= evidence->failures > 1 && !isnan(first) && !isnan(evidence->first_small) &&
                        first != evidence->first_small;
    evidence->first_small = first;
}

bool vl_evidence_suffices(const struct vl_evidence *evidence)
{
    return evidence->telling > 0 || (evidence->small >= MANY && evidence->varied);
}

void vl_evidence_add(struct vl_evidence *evidence, const struct vl_case *c,
                     const struct vl_bag *submission, const struct vl_bag *mistake,
                     const struct vl_bag *truth, double nearer)
{
    evidence->cases++;
    if (submission == NULL) {
        evidence->refuted |= !(vl_answer_distance(mistake, truth, truth, c) <= c->bound);
        return;
    }
    /* Both distances are from the mistake, so both are on its scale. */
    double harm = vl_answer_distance(truth, mistake, truth, c);
    double error = vl_answer_distance(submission, truth, truth, c);
    double distance = vl_answer_distance(submission, mistake, truth, c);
    /* If the mistake gives no numbers (infinity, or nothing came back), the same must come out. */
    double near = isfinite(harm) ? nearer * harm : LAST_BITS;
    bool last_bits =
        nearer == VL_EVIDENCE_NEARER && error < LAST_BITS && harm > 0 && harm < LAST_BITS;
    evidence->last_bits = last_bits && (evidence->last_bits || evidence->failures == 0);
    evidence->failures++;
    evidence->refuted |= !(distance < near) && !evidence->last_bits;
    evidence->refuted |= c->choices && chose_otherwise(submission, mistake, truth);
    /* Many ways lead to a result that is not a number: that somebody wrote one down says something, that a
     * machine came upon one does not. */
    evidence->refuted |= !isfinite(harm) && nearer != VL_EVIDENCE_NEARER;
    evidence->refuted |= nearer != VL_EVIDENCE_NEARER && !agrees(submission, mistake, truth, c);
    evidence->distance += distance / near;
    count_changed(evidence, mistake, truth);
}
