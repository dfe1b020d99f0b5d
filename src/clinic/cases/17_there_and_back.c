#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_17 = {
    .number = 17,
    .slug = "there_and_back",
    .title = N_("Tokens there and back"),
    .story =
        N_("Tokens go to their experts with an all-to-all, and come back with another one. The "
           "program should print how many visitors each expert had. On three ranks MPI ends it "
           "before that, because a message is truncated."),
    .ranks = 3,
    .runs = {2, 3, 4, 6},
    .symptom = VL_SYMPTOM_ERROR,
    .who = VL_CLINIC_ALL,
    .places = {"travel(visitors, &arriving, tokens"},
    .cause = VL_CAUSE_WRONG_COUNT,
    .close = VL_CAUSE_NONE,
    .hints = {N_("A truncated message is longer than its receive allows. On which of the two "
                 "journeys does it happen?"),
              N_("Take two ranks, and write down how many tokens each sends to the other. Then "
                 "write down the same for the journey back.")},
    .explained =
        N_("On the journey there, a rank sends the counts in `leaving` and receives those in "
           "`arriving`. On the journey back it is the other way round: a rank sends what has "
           "arrived, and receives what has left. But all ranks receive with `arriving`. Rank 1 "
           "has more tokens than the others, so more come back to it than it expects, and MPI "
           "reports the error there. The other ranks expect too many, and do not notice it. If "
           "all ranks had the same number of tokens, nothing would show."),
    .repairs = {{"travel(visitors, &arriving, tokens, &arriving);",
                 "travel(visitors, &arriving, tokens, &leaving);"}},
};
