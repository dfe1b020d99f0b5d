#include "grade/run/traffic.h"

#include "base/number.h"
#include "base/text.h"
#include "grade/run/result.h"

static void fail(struct vl_case_result *result, const struct vl_audit *audit,
                 enum vl_audit_finding found)
{
    char seen[VL_NUMBER_TEXT], told[VL_NUMBER_TEXT];
    if (found == VL_AUDIT_UNSENT)
        vl_result_set(result, VL_CASE_FAILED, "bytes_unsent",
                      _("The calls to MPI account for %1$s bytes, but the kernel counted only %2$s "
                        "between the ranks."),
                      vl_number_text(told, (double)audit->least, 0),
                      vl_number_text(seen, (double)audit->count.bytes, 0));
    else if ((double)audit->least > VL_AUDIT_SHARE * (double)audit->most)
        vl_result_set(result, VL_CASE_FAILED, "too_many_bytes",
                      _("The ranks sent each other %1$s bytes, and %2$s are enough for this."),
                      vl_number_text(told, (double)audit->least, 0),
                      vl_number_text(seen, (double)audit->most, 0));
    else
        vl_result_set(result, VL_CASE_FAILED, "bytes_unmetered",
                      _("The kernel counted %1$s bytes between the ranks, but the calls to MPI "
                        "account for %2$s: ranks exchange data through MPI alone."),
                      vl_number_text(seen, (double)vl_audit_payload(audit), 0),
                      vl_number_text(told, (double)audit->most, 0));
}

/* Where the truth says what each rank sends at most, none may do another's part: the sum would be right.
 * Returns false if one does. */
static bool judge_ranks(struct vl_case_result *result, const struct vl_audit *audit,
                        const struct vl_judged *judged)
{
    char seen[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    for (int rank = 0; rank < audit->ranks; rank++) {
        struct vl_audit part;
        if (!vl_audit_of_rank(&part, audit, rank, judged->rank_bytes[rank],
                              judged->rank_messages[rank]) ||
            vl_audit_compare(&part) == VL_AUDIT_AGREES)
            continue;
        vl_result_set(result, VL_CASE_FAILED, "bytes_unmetered",
                      _("By the kernel's count, rank %1$d sent %2$s bytes; its part is %3$s."),
                      rank, vl_number_text(seen, (double)vl_audit_payload(&part), 0),
                      vl_number_text(most, (double)part.most, 0));
        return false;
    }
    return true;
}

static bool agrees(struct vl_case_result *result, const struct vl_audit *audit)
{
    enum vl_audit_finding found = vl_audit_compare(audit);
    if (found != VL_AUDIT_AGREES)
        fail(result, audit, found);
    return found == VL_AUDIT_AGREES;
}

static bool is_right(struct vl_case_result *result, const struct vl_audit *audit,
                     const struct vl_judged *judged)
{
    if (!agrees(result, audit))
        return false;
    if (judged->sent_bytes < 0)
        return true;
    struct vl_audit right = vl_audit_with_truth(audit, judged->sent_bytes, judged->sent_messages);
    return agrees(result, &right) && judge_ranks(result, &right, judged);
}

void vl_judge_traffic(struct vl_case_result *result, const struct vl_audit *audit,
                      const struct vl_judged *judged, bool *tainted)
{
    bool before = *tainted;
    *tainted |= vl_audit_compare(audit) == VL_AUDIT_UNMETERED;
    if (result->status != VL_CASE_PASSED)
        return;
    bool right = is_right(result, audit, judged);
    if (right && before)
        vl_result_set(result, VL_CASE_FAILED, "bytes_unmetered",
                      _("In an earlier case on the same number of ranks, data went past MPI, "
                        "so this one earns nothing."));
    if (!right || before)
        result->points = 0;
}
