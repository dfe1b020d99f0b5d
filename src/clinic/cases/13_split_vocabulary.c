#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_13 = {
    .number = 13,
    .slug = "split_vocabulary",
    .title = N_("A split vocabulary"),
    .story =
        N_("Every rank computes the logits of its own words, and rank 0 puts them together. On "
           "two ranks everything is right. On five, the plain sums are right and the weighted "
           "sums are wrong."),
    .ranks = 5,
    .runs = {1, 2, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0),
    .places = {"MPI_ANY_SOURCE"},
    .cause = VL_CAUSE_ORDER_OF_ARRIVAL,
    .close = VL_CAUSE_WRONG_PEER,
    .hints = {N_("The plain sum is right and the weighted sum is not. What does this say about the "
                 "logits that rank 0 has?"),
              N_("Rank 1 is slower than the others. Follow what rank 0 does with the first message "
                 "that comes.")},
    .explained =
        N_("With `MPI_ANY_SOURCE`, a receive takes the message that comes first, from whichever "
           "rank. Rank 0 puts it where the logits of rank 1 belong, and rank 1 is not always the "
           "first. With only one other rank, no parts can change places. Rank 0 has to ask rank "
           "`part` for its part. It can also look into the status of each message: `MPI_Probe` "
           "says who has sent it, and so where it belongs."),
    .repairs = {{"MPI_ANY_SOURCE", "part"}},
};
