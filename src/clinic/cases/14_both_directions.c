#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_14 = {
    .number = 14,
    .slug = "both_directions",
    .title = N_("A ring in both directions"),
    .story =
        N_("Partial sums travel around a ring in both directions at once. After the last step, "
           "every rank has the sum of its block over all ranks. Some of the sums that the program "
           "prints are wrong, and not the same ones in every run."),
    .ranks = 3,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_ALL,
    .places = {"MPI_Irecv(scratch", "static double *gradients, scratch", "add(half(rank"},
    .cause = VL_CAUSE_SHARED_BUFFER,
    .close = VL_CAUSE_WRONG_REDUCTION,
    .hints = {N_("Follow one step on rank 0. Which numbers are added to the first half of a block, "
                 "and which to the second half?"),
              N_("Four transfers are under way in a step. Write down which memory each of them "
                 "uses.")},
    .explained =
        N_("Both receives of a step are under way at the same time, and both write to the same "
           "memory. What comes last overwrites what came before, or the two are mixed. Then the "
           "same numbers are added to both halves. Each direction needs scratch memory of its "
           "own. It would also be right to do one direction after the other, but then each link "
           "is used in one direction at a time."),
    .repairs = {{"scratch[HALF];", "scratch[2][HALF];"},
                {"MPI_Irecv(scratch,", "MPI_Irecv(scratch[way],"},
                {"ranks, way), scratch);", "ranks, way), scratch[way]);"}},
};
