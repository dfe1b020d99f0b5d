#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_21 = {
    .number = 21,
    .slug = "recursive_doubling",
    .title = N_("Recursive doubling on any number of ranks"),
    .story = N_(
        "Two buckets of gradients are summed over all ranks by recursive doubling. The sums are right on every "
        "number of ranks. But on six ranks, `vialata mpi` says that something is left open, and on four it "
        "does not."),
    .ranks = 6,
    .runs = {3, 4, 5, 6},
    .symptom = VL_SYMPTOM_LEFT,
    .who = VL_CLINIC_RANK(4) | VL_CLINIC_RANK(5),
    .places = {"MPI_Isend(gradients, BUCKET", "MPI_Recv(sum, BUCKET, MPI_DOUBLE, partner"},
    .cause = VL_CAUSE_NEVER_COMPLETED,
    .close = VL_CAUSE_NEVER_FREED,
    .hints =
        {N_("Six is not a power of two. Which calls are made on six ranks and never on four?"),
         N_("The answer of the partner shows that the gradients have arrived. Does MPI know that the rank needs "
            "nothing more from this transfer?")},
    .explained = N_(
        "Ranks 4 and 5 give their gradients to a partner with `MPI_Isend`, and nobody completes that send. The "
        "sum that comes back proves that the gradients have arrived, but MPI keeps the request until a wait or "
        "a test completes it. On two, four or eight ranks there is nobody above the pairs, so nothing is left. "
        "A call of `MPI_Wait` after the receive completes the send. `MPI_Send` instead of `MPI_Isend` would "
        "also do, because the partner receives at once."),
    .repairs =
        {{"MPI_Recv(sum, BUCKET, MPI_DOUBLE, partner, RETURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
          "MPI_Recv(sum, BUCKET, MPI_DOUBLE, partner, RETURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
          "    MPI_Wait(&given, MPI_STATUS_IGNORE);"}},
};
