#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_20 = {
    .number = 20,
    .slug = "ring_attention",
    .title = N_("Ring attention"),
    .story =
        N_("The keys of all ranks pass by every rank, in both directions of a ring. On two ranks "
           "the scores are right. On five ranks they are all wrong, although every rank receives "
           "as many keys as it should."),
    .ranks = 5,
    .runs = {1, 2, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(4),
    .places = {"return (struct neighbours){0, rank - 1};"},
    .cause = VL_CAUSE_WRONG_PEER,
    .close = VL_CAUSE_NONE,
    .hints = {N_("On two ranks it works. What is the same there for the two neighbours of a rank, "
                 "and different on five ranks?"),
              N_("If b is on the right of a, then a is on the left of b. Check this for all five "
                 "ranks.")},
    .explained =
        N_("The last rank takes rank 0 for its left neighbour and the rank before it for its "
           "right one. It still exchanges a message with each of them in both directions, so "
           "every receive finds a message and nothing stops. But at this place keys of head 0 "
           "become keys of head 1, and turn back. On two ranks both neighbours are the same rank. "
           "The right neighbour of the last rank is rank 0. With a tag for each direction the "
           "mistake would stop the program, and so it would be seen sooner."),
    .repairs = {{"(struct neighbours){0, rank - 1};", "(struct neighbours){rank - 1, 0};"}},
};
