#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_05 = {
    .number = 5,
    .slug = "tokens_of_experts",
    .title = N_("Tokens for the experts"),
    .story = N_(
        "Three sequences of different lengths go through a layer of experts, and every rank should print the same sum after each. On three ranks it worked. On four ranks, one rank prints three lines and the others print "
        "two, the sums of the second sequence differ, and the program never ends."),
    .ranks = 4,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(1),
    .places = {"if (count == 0)", "        return 0;", "MPI_Allreduce(&own"},
    .cause = VL_CAUSE_COLLECTIVE_SKIPPED,
    .close = VL_CAUSE_COLLECTIVE_ORDER,
    .hints =
        {N_("How many times does each rank call `MPI_Allreduce` for the three sequences?"),
         N_("Work out which rank gets each token of the shortest sequence, and follow a rank that gets none.")},
    .explained = N_(
        "The second sequence has three tokens, so on four ranks one rank has none. That rank returns before "
        "`MPI_Allreduce`. Its call for the third sequence then meets the call of the others for the second one, "
        "and at the end one call of the others has no partner. A rank without tokens still has to "
        "take part, with a zero."),
    .repairs = {{"    if (count == 0)\n        return 0;\n", ""}},
};
