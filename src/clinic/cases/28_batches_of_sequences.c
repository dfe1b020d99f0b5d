#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_28 = {
    .number = 28,
    .slug = "batches_of_sequences",
    .title = N_("Micro-batches of sequences"),
    .story = N_(
        "Each rank averages the gradients of its own sequences, in micro-batches, and then the mean over all "
        "sequences is taken. The sequences are the same on every number of ranks, so the mean should be the "
        "same, too. It is different on every number of ranks."),
    .ranks = 4,
    .runs = {1, 2, 3, 4},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0) | VL_CLINIC_RANK(1),
    .places = {"1.0 / batches", "gradient[i] += scale * sum / count;"},
    .cause = VL_CAUSE_WRONG_REDUCTION,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("By which factor does the gradient of a single sequence enter the mean over its rank? Is it the same "
            "for all sequences of the rank?"),
         N_("On two of the four ranks the micro-batches are not of equal size. What should a small one count for?")},
    .explained = N_(
        "Each micro-batch enters the rank's mean with the same weight. Ranks 0 and 1 have nine sequences, so "
        "their last micro-batch has only one, and it counts as much as four others together. The mean of means "
        "is the mean of all only where the parts are of equal size, as on ranks 2 and 3. A micro-batch has to "
        "count for its share of the rank's sequences. Sums that are divided once, at the end, would do the "
        "same."),
    .repairs = {{"    int batches = (own.count + MICRO - 1) / MICRO;\n", ""},
                {"1.0 / batches", "(double)count / own.count"}},
};
