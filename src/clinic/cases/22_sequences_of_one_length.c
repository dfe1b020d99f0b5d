#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_22 = {
    .number = 22,
    .slug = "sequences_of_one_length",
    .title = N_("Sequences of one length"),
    .story = N_(
        "In each step, ranks whose sequences have the same length learn together. What they learn is right. "
        "But `vialata mpi` says that something is left behind. The more steps there are, the more is left."),
    .ranks = 5,
    .runs = {2, 3, 5, 6},
    .symptom = VL_SYMPTOM_LEFT,
    .who = VL_CLINIC_RANK(1) | VL_CLINIC_RANK(2) | VL_CLINIC_RANK(3) | VL_CLINIC_RANK(4),
    .places = {"MPI_Comm_free(&group);", "learned += (step + 1) * learn(group, step, rank);",
               "MPI_Comm_split(MPI_COMM_WORLD, length"},
    .cause = VL_CAUSE_NEVER_FREED,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("How many groups does a rank belong to in the course of six steps? And what does rank 0 get?"),
         N_("A variable holds one communicator. What happens to the one it held before, when the next step "
            "begins?")},
    .explained = N_(
        "`MPI_Comm_split` makes a new communicator in every step, for every rank that has a sequence. The "
        "variable then holds the new one, and nobody can free the one before it. After the loop only the last "
        "of six is freed. Each of them takes memory, and MPI can make only so many, so a long run would fail. "
        "A group has to be freed in the step that made it. Rank 0 gets `MPI_COMM_NULL`, so it leaves nothing."),
    .repairs = {{"        if (group != MPI_COMM_NULL)\n"
                 "            learned += (step + 1) * learn(group, step, rank);\n"
                 "    }\n"
                 "    if (group != MPI_COMM_NULL)\n"
                 "        MPI_Comm_free(&group);\n",
                 "        if (group != MPI_COMM_NULL) {\n"
                 "            learned += (step + 1) * learn(group, step, rank);\n"
                 "            MPI_Comm_free(&group);\n"
                 "        }\n"
                 "    }\n"}},
};
