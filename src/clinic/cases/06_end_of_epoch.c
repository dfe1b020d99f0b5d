#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_06 = {
    .number = 6,
    .slug = "end_of_epoch",
    .title = N_("The end of an epoch"),
    .story = N_(
        "After each epoch the last rank says how many batches are used for validation, and collects the sum of "
        "all losses for its log. The log stays empty: nothing is printed, and the program never ends."),
    .ranks = 3,
    .runs = {2, 3, 4, 6},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(2),
    .places = {"MPI_Reduce(&loss, &sum, 1, MPI_DOUBLE", "MPI_Bcast(&batches, 1, MPI_INT, rank"},
    .cause = VL_CAUSE_COLLECTIVE_ORDER,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("Which collectives does each rank call in an epoch, and in which order?"),
         N_("The drawing at the top says what comes first. Compare it with both functions for the end of an "
            "epoch.")},
    .explained = N_(
        "The last rank starts with the reduction, and the others start with the broadcast. The reduction cannot "
        "end before the others contribute their losses. They cannot do so before they know how many batches there "
        "are. All ranks of a communicator have to call its collectives in the same order, so here the "
        "broadcast comes first."),
    .repairs = {{"    MPI_Reduce(&loss, &sum, 1, MPI_DOUBLE, MPI_SUM, rank, MPI_COMM_WORLD);\n"
                 "    MPI_Bcast(&batches, 1, MPI_INT, rank, MPI_COMM_WORLD);\n",
                 "    MPI_Bcast(&batches, 1, MPI_INT, rank, MPI_COMM_WORLD);\n"
                 "    MPI_Reduce(&loss, &sum, 1, MPI_DOUBLE, MPI_SUM, rank, MPI_COMM_WORLD);\n"}},
};
