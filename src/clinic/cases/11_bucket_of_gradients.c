#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_11 = {
    .number = 11,
    .slug = "bucket_of_gradients",
    .title = N_("Two buckets of gradients"),
    .story = N_(
        "Gradients are averaged over all ranks in two buckets while the backward pass goes on, and then "
        "every rank takes the same step. All ranks should print the same sums, and they do not."),
    .ranks = 3,
    .runs = {2, 3, 4},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_ALL,
    .places = {"update(bucket, ranks);", "MPI_Wait(&under_way[bucket]"},
    .cause = VL_CAUSE_EARLY_READ,
    .close = VL_CAUSE_NO_OVERLAP,
    .hints =
        {N_("What does `MPI_Iallreduce` promise about its buffer when it returns?"),
         N_("Find the line that reads the gradients for the step, and the one after which they are sure to "
            "be the sum over all ranks.")},
    .explained = N_(
        "`MPI_Iallreduce` only starts the sum. Until the wait returns, the buffer holds the rank's own "
        "gradients, a part of the sum or all of it. The step has to come after the wait."),
    .repairs =
        {{"update(bucket, ranks);\n        MPI_Wait(&under_way[bucket], MPI_STATUS_IGNORE);",
          "MPI_Wait(&under_way[bucket], MPI_STATUS_IGNORE);\n        update(bucket, ranks);"}},
};
