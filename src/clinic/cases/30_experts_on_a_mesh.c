#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_30 = {
    .number = 30,
    .slug = "experts_on_a_mesh",
    .title = N_("Experts on a mesh"),
    .story = N_(
        "Tokens travel to the experts of their row and back. Then the gradient of each expert is averaged over "
        "its copies, and the loss over the whole batch. Nothing stops, but not all ranks print the same loss."),
    .ranks = 6,
    .runs = {2, 4, 6},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_ALL,
    .places = {"loss = mean(loss, mesh.in_column);"},
    .cause = VL_CAUSE_WRONG_COMMUNICATOR,
    .close = VL_CAUSE_WRONG_REDUCTION,
    .hints =
        {N_("Which ranks print the same loss? Which communicator has just these members?"),
         N_("Copies of an expert are on the ranks of one column. Where are the tokens of the batch?")},
    .explained = N_(
        "The gradient of an expert belongs to the ranks that have a copy of it: those of one column. The loss "
        "belongs to all ranks, because each has tokens of its own. But it is averaged over the column, too, so "
        "each column has a mean of its own tokens only. Every call finds its partners, so nothing stops. The "
        "mean of the loss has to be taken over `MPI_COMM_WORLD`. A mean over the row and then over the column "
        "gives the same."),
    .repairs = {{"loss = mean(loss, mesh.in_column);", "loss = mean(loss, MPI_COMM_WORLD);"}},
};
