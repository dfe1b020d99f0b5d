#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_23 = {
    .number = 23,
    .slug = "boundaries_of_stages",
    .title = N_("Boundaries of pipeline stages"),
    .story = N_(
        "Micro-batches go forward through a pipeline, over transfers that each stage prepares once. The "
        "activations are right. With two stages nothing is left open. With five, `vialata mpi` says that "
        "something is."),
    .ranks = 5,
    .runs = {1, 2, 3, 5},
    .symptom = VL_SYMPTOM_LEFT,
    .who = VL_CLINIC_RANK(1) | VL_CLINIC_RANK(2) | VL_CLINIC_RANK(3),
    .places = {"else if (stage->send != MPI_REQUEST_NULL)"},
    .cause = VL_CAUSE_NEVER_FREED,
    .close = VL_CAUSE_NEVER_COMPLETED,
    .hints =
        {N_("Each stage prepares its transfers once. How many are there on the first stage, on the last one, and "
            "on the others?"),
         N_("`MPI_Wait` does not give a persistent request back. Compare what a stage in the middle opens with "
            "what it closes.")},
    .explained = N_(
        "A persistent request stays after every wait, until `MPI_Request_free` gives it back. The first stage "
        "has one for its send, and the last stage has one for its receive. A stage in the middle has both. It "
        "frees the receive, and then the `else` skips the send. With two stages there is none in the middle, "
        "so nothing is left. Each of the two needs a condition of its own."),
    .repairs = {{"else if (stage->send != MPI_REQUEST_NULL)",
                 "if (stage->send != MPI_REQUEST_NULL)"}},
};
