#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_12 = {
    .number = 12,
    .slug = "forward_passes",
    .title = N_("A forward pass in stages"),
    .story = N_("Three micro-batches go through a pipeline, and every stage keeps the inputs it "
                "receives. Stage 0 makes three different micro-batches. On the stages after it the "
                "sums are wrong, and often they are the same for all three."),
    .ranks = 4,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0) | VL_CLINIC_RANK(1) | VL_CLINIC_RANK(2),
    .places = {"layer(inputs[micro], outputs", "MPI_Isend(outputs", "static double inputs["},
    .cause = VL_CAUSE_EARLY_WRITE,
    .close = VL_CAUSE_SHARED_BUFFER,
    .hints = {N_("Until when may MPI read the buffer of an `MPI_Isend`?"),
              N_("Look at what a stage does between the start of a send and the wait for it. Which "
                 "memory does it use in the meantime?")},
    .explained =
        N_("`MPI_Isend` only starts a send. MPI may read the buffer until the wait returns. A "
           "short message is copied at once, but a long one is read when its receive comes. By "
           "then the stage may have written the next micro-batch into the same buffer. A stage "
           "can wait for the previous send before it computes the next output. It can also keep "
           "one output for each micro-batch: then all sends can go on during the computation."),
    .repairs = {{"        layer(inputs[micro], outputs, stage);",
                 "        if (micro > 0)\n"
                 "            MPI_Wait(&sent[micro - 1], MPI_STATUS_IGNORE);\n"
                 "        layer(inputs[micro], outputs, stage);"}},
};
