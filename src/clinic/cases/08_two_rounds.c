#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_08 = {
    .number = 8,
    .slug = "two_rounds",
    .title = N_("Two rounds of a pipeline"),
    .story = N_(
        "Three micro-batches pass through all ranks twice, because each rank holds two pieces of the model. Every "
        "rank prints a line for the first round. Then nothing more happens."),
    .ranks = 4,
    .runs = {1, 2, 4, 5},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(3),
    .places = {"send(round, micro, (rank + 1) % ranks, tag_of(round, micro));"},
    .cause = VL_CAUSE_WRONG_TAG,
    .close = VL_CAUSE_MISSING_MESSAGE,
    .hints =
        {N_("Which tags do the messages from the last rank to the first have? Which tags does the "
            "first rank await?"),
         N_("Read what the tag of a message should name. On which rank does the next piece belong to "
            "another round?")},
    .explained = N_(
        "A tag names the round of the piece that the message goes to. Most ranks send to a piece of the same "
        "round, so they may use their own. After the last rank the next round begins, but the last rank sends with the tags of the round that has just ended. Rank 0 awaits the tags of the new round, and these never come. "
        "On the last rank, the tag has to count one round more."),
    .repairs = {{"tag_of(round, micro));\n}",
                 "tag_of(rank == ranks - 1 ? round + 1 : round, micro));\n}"}},
};
