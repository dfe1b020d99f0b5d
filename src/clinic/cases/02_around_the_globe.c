#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_02 = {
    .number = 2,
    .slug = "around_the_globe",
    .title = N_("Columns around the globe"),
    .story = N_(
        "Every rank gets a column of the map from each neighbour, smooths its own strip, and prints a sum. "
        "On four ranks it worked. On five ranks, two of them print their sum and the program never ends."),
    .ranks = 5,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(0) | VL_CLINIC_RANK(4),
    .places =
        {"if (rank % 2 == 0) {",
         "        MPI_Recv(theirs, ROWS, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
         "        MPI_Send"},
    .cause = VL_CAUSE_RECEIVES_MEET,
    .close = VL_CAUSE_WRONG_ORDER,
    .hints =
        {N_("What must be true of two neighbours so that one of them sends while the other receives?"),
         N_("Draw the five ranks in a circle, and write next to each of them which call comes "
            "first when it trades. Look at every pair of neighbours, including the last rank and "
            "the first.")},
    .explained = N_(
        "When two neighbours trade, an even rank receives first and an odd rank sends first. Around a circle of "
        "five, ranks 4 and 0 are neighbours and both even. Both receive first, so neither of them comes to its "
        "send. With an even number of ranks there is no such pair. If the lower of the two ranks always "
        "receives first, or with `MPI_Sendrecv`, any number of ranks works."),
    .repairs = {{"if (rank % 2 == 0) {", "if (rank < peer) {"}},
};
