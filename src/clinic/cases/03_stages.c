#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_03 = {
    .number = 3,
    .slug = "stages",
    .title = N_("Stages that share an embedding"),
    .story = N_(
        "Activations go forward through the stages, gradients come back, and the first stage adds up both "
        "gradients of the embedding. On two ranks it worked. On four ranks, every rank but rank 0 prints its sum, "
        "and the program never ends."),
    .ranks = 4,
    .runs = {2, 3, 4, 6},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(0),
    .places = {"receive(other, stage + 1, EMBEDDING);"},
    .cause = VL_CAUSE_WRONG_PEER,
    .close = VL_CAUSE_MISSING_MESSAGE,
    .hints =
        {N_("Rank 0 receives two messages in this step. Which ranks should they come from?"),
         N_("List all messages of the step with their sender, receiver and tag. Which of them is sent to rank 0, "
            "but never received?")},
    .explained = N_(
        "The last stage sends its gradient of the embedding to rank 0. Rank 0 awaits it from the next stage, and "
        "that stage sends no such message. On two ranks the next stage is also the last one, so there it works. "
        "Rank 0 has to name the last stage as the source."),
    .repairs = {{"receive(other, stage + 1, EMBEDDING);",
                 "receive(other, stages - 1, EMBEDDING);"}},
};
