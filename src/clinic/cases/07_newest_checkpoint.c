#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_07 = {
    .number = 7,
    .slug = "newest_checkpoint",
    .title = N_("The newest checkpoint"),
    .story = N_(
        "After a failure, all ranks continue from the newest checkpoint, which rank 3 has. They should all print "
        "the same sum. Three ranks print one sum, and the fourth prints another."),
    .ranks = 4,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(0) | VL_CLINIC_RANK(1) | VL_CLINIC_RANK(2),
    .places = {"int owner = step == newest ? rank : 0;", "MPI_Bcast(weights, WEIGHTS"},
    .cause = VL_CAUSE_WRONG_ROOT,
    .close = VL_CAUSE_WRONG_PEER,
    .hints =
        {N_("Which of the two sums is right? Work out which checkpoint it belongs to."),
         N_("Write down, for each rank, all arguments of the broadcast. Which of them have to be the same on all "
            "ranks?")},
    .explained = N_(
        "`MPI_MAX` tells every rank the newest step, but not which rank has it. Only that rank knows the owner; "
        "the others believe it is rank 0, and get the weights of rank 0. In a broadcast all ranks have to "
        "name the same root. A second reduction can tell them the owner. `MPI_MAXLOC` in the first one can, too."),
    .repairs =
        {{"    int owner = step == newest ? rank : 0;\n",
          "    int owner = step == newest ? rank : 0;\n"
          "    MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);\n"}},
};
