#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_19 = {
    .number = 19,
    .slug = "layer_norms",
    .title = N_("The layer norms of a replica"),
    .story =
        N_("Rank 0 sends the scales and shifts of three layers to the other ranks, which should "
           "print the same numbers as rank 0. With one layer it worked. With three, some vectors "
           "are right and others are not, and MPI reports no error."),
    .ranks = 3,
    .runs = {2, 3, 4, 6},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_ALL,
    .places = {"return layer + (int)vector;"},
    .cause = VL_CAUSE_WRONG_TAG,
    .close = VL_CAUSE_WRONG_ORDER,
    .hints = {N_("How does MPI decide which of the messages from rank 0 goes to which receive?"),
              N_("Write down the six messages to one rank in the order in which they are sent, and "
                 "next to each what its envelope says: source and tag.")},
    .explained =
        N_("The shift of a layer has the same tag as the scale of the next layer. Of two messages "
           "that fit, a receive takes the one that was sent first. Rank 0 sends the shift first, "
           "and the others ask for the scale first. All vectors have the same length, so MPI "
           "cannot notice it. A tag must belong to one vector only, as with twice the layer plus "
           "the kind of vector. It would also be right to receive in the order of the sends."),
    .repairs = {{"return layer + (int)vector;", "return VECTORS * layer + (int)vector;"}},
};
