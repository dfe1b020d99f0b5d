#include "grade/experiment/right.h"

#include "grade/judge/judge.h"
#include "grade/judge/misuse.h"
#include "grade/judge/outputs.h"

#include <stdlib.h>

static bool is_misused(const struct vl_case *c, const struct vl_bag *outputs,
                       const struct vl_laboratory *laboratory)
{
    struct vl_finding finding = {0};
    bool misused = c->per_rank && (vl_misuse_find(&finding, outputs, c, laboratory->build,
                                                  laboratory->sandbox, false) != VL_OK ||
                                   finding.code != NULL);
    vl_finding_free(&finding);
    return misused;
}

static bool is_rank_right(const struct vl_case *c, const struct vl_bag *inputs,
                          const struct vl_laboratory *laboratory, const struct vl_bag *outputs)
{
    struct vl_case_result result = {0};
    struct vl_judged judged = {0};
    bool right = outputs != NULL && vl_judge(&result, &judged, c, 1, inputs, outputs) == VL_OK &&
                 result.status == VL_CASE_PASSED && !is_misused(c, outputs, laboratory);
    free(result.code);
    free(result.message);
    return right;
}

bool vl_is_right(const struct vl_case *c, const struct vl_bag *inputs,
                 const struct vl_laboratory *laboratory, unsigned number)
{
    bool right = true;
    for (int rank = 0; right && rank < (c->per_rank ? 1 : c->ranks); rank++) {
        struct vl_bag *outputs = vl_outputs_of(c, inputs, laboratory->sandbox, number, rank);
        right = is_rank_right(c, inputs, laboratory, outputs);
        vl_bag_free(outputs);
    }
    return right;
}
