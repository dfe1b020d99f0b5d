#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_10 = {
    .number = 10,
    .slug = "losses_of_batches",
    .title = N_("The losses of all batches"),
    .story = N_(
        "Twelve batches are dealt out to the ranks, and rank 0 collects their losses, one message per batch. On "
        "two, three and four ranks it worked. On five ranks, every rank but rank 0 prints its line, and the "
        "program never ends."),
    .ranks = 5,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(0),
    .places = {"for (int others = BATCHES - BATCHES / ranks; others > 0; others--) {",
               "MPI_Recv(&loss, 1"},
    .cause = VL_CAUSE_MISSING_MESSAGE,
    .close = VL_CAUSE_WRONG_COUNT,
    .hints =
        {N_("How many messages do the other ranks send to rank 0, all together?"),
         N_("Count the batches that rank 0 keeps for itself on five ranks, and compare that with the number it "
            "assumes.")},
    .explained = N_(
        "On five ranks rank 0 has batches 0, 5 and 10, so the others send nine losses. But 12 / 5 is rounded down "
        "to 2, and rank 0 awaits ten messages. The tenth is never sent. It works as long as the batches can be "
        "divided by the number of ranks. Rank 0 has to round up to get its own number of batches."),
    .repairs = {{"BATCHES - BATCHES / ranks;", "BATCHES - (BATCHES + ranks - 1) / ranks;"}},
};
