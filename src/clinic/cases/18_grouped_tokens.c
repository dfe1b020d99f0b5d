#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_18 = {
    .number = 18,
    .slug = "grouped_tokens",
    .title = N_("Tokens grouped by expert"),
    .story =
        N_("Tokens are grouped by expert and sent to their experts. Those for the rank's own "
           "expert stay. Every rank prints the right numbers of tokens. On rank 0 all sums are "
           "right as well. On rank 4 only the sum of its own tokens is right."),
    .ranks = 5,
    .runs = {2, 3, 5, 6},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0) | VL_CLINIC_RANK(1) | VL_CLINIC_RANK(2) | VL_CLINIC_RANK(3),
    .places = {"begin(out_firsts, outgoing"},
    .cause = VL_CAUSE_WRONG_SHARE,
    .close = VL_CAUSE_WRONG_COUNT,
    .hints = {N_("Which sums are wrong? Compare the number of the rank that prints with the number "
                 "of the rank that sent the tokens."),
              N_("Draw the tokens of rank 1 as they are in its memory, and mark where each group "
                 "begins. Does MPI read each group from there?")},
    .explained =
        N_("The tokens that stay are not sent, but they are still in the array, between the "
           "others. Their count is 0 in `outgoing`, so every group after them seems to begin too "
           "early. A rank sends the right tokens to ranks before it, and the wrong ones to ranks "
           "after it. The last rank has none after it, so it does nothing wrong. The groups begin "
           "where `loads` says, with the tokens that stay."),
    .repairs = {{"begin(out_firsts, outgoing, ranks);", "begin(out_firsts, loads, ranks);"}},
};
