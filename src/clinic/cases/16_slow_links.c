#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_16 = {
    .number = 16,
    .slug = "slow_links",
    .title = N_("Slow links between nodes"),
    .story = N_("Gradients are added up on three nodes of two ranks each. Ranks 0 and 1 print the "
                "right sum. The other ranks do not, although the two ranks of each node agree."),
    .ranks = 6,
    .runs = {2, 4, 5, 6},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0),
    .places = {"MPI_Send(gradients, GRADIENTS"},
    .cause = VL_CAUSE_WRONG_TYPE,
    .close = VL_CAUSE_WRONG_COUNT,
    .hints =
        {N_("On rank 2 some of the gradients are right and some are not. Which ones?"),
         N_("The leaders send messages up and down. How many bytes are sent each time, and how "
            "many bytes does the receive expect?")},
    .explained =
        N_("MPI does not know the type of an array in C. It believes the type named in the call. "
           "Rank 0 names `MPI_FLOAT` for an array of `double`, so it sends 4 bytes for each "
           "element and not 8. The bytes of the first half arrive, and they are right. In the "
           "second half each leader keeps the sum of its own node. A message may be shorter than "
           "its receive, so MPI reports no error. The type has to be `MPI_DOUBLE`, as in the "
           "receive."),
    .repairs = {{"MPI_Send(gradients, GRADIENTS, MPI_FLOAT,",
                 "MPI_Send(gradients, GRADIENTS, MPI_DOUBLE,"}},
};
