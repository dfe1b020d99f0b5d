#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_24 = {
    .number = 24,
    .slug = "backward_with_a_log",
    .title = N_("A backward pass with a log"),
    .story = N_(
        "While the gradients of a layer are summed over all ranks, the layer before it is computed. All sums "
        "are right, but a step takes longer than it should. While layer 0 is computed, every rank should say "
        "`with 2 of 2 transfers under way`, and one of them says something else."),
    .ranks = 3,
    .runs = {2, 3, 4},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0),
    .places = {"note_squares(layer);", "MPI_Wait(&transfers[layer]"},
    .cause = VL_CAUSE_NO_OVERLAP,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("Compare the lines that the ranks print. What does one rank do in the loop that the others do not?"),
         N_("The log needs sums that are complete. Does it need them before the next layer is computed?")},
    .explained = N_(
        "For its log, rank 0 needs the summed gradients, so it waits for each sum before it computes the next "
        "layer. While it computes, none of its transfers is under way. A sum needs all ranks, so the others "
        "are held up, too. Nothing is wrong with the numbers: only the time is lost. The log can be written "
        "after the loop, when all sums are complete."),
    .repairs = {{"        start_sum(layer);\n"
                 "        if (rank == 0)\n"
                 "            note_squares(layer);\n",
                 "        start_sum(layer);\n"},
                {"    MPI_Waitall(LAYERS, transfers, MPI_STATUSES_IGNORE);\n",
                 "    MPI_Waitall(LAYERS, transfers, MPI_STATUSES_IGNORE);\n"
                 "    for (int layer = 0; rank == 0 && layer < LAYERS; layer++)\n"
                 "        note_squares(layer);\n"}},
};
