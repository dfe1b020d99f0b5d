#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_09 = {
    .number = 9,
    .slug = "mesh",
    .title = N_("Rows and columns of a mesh"),
    .story = N_(
        "Six ranks form a mesh of three replicas with two parts each. They take a step and print the norm, and "
        "then replica 0 saves the model. On two ranks it worked. On six ranks all norms are right, but the model "
        "is never saved and the program never ends."),
    .ranks = 6,
    .runs = {2, 4, 6},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(0) | VL_CLINIC_RANK(1),
    .places = {"MPI_Gather(weights, PART"},
    .cause = VL_CAUSE_WRONG_COMMUNICATOR,
    .close = VL_CAUSE_COLLECTIVE_SKIPPED,
    .hints =
        {N_("Which ranks have to take part in a collective, and which ranks come to each collective here?"),
         N_("For every collective, compare the members of its communicator with the ranks that call it.")},
    .explained = N_(
        "Only the two ranks of replica 0 save the model, but they collect it over `MPI_COMM_WORLD`. Rank 0 waits "
        "for parts from all six ranks, and four of them never call `MPI_Gather`. On two ranks the row and the "
        "world have the same members, so there it works. The parts of a replica have to be gathered over `row`."),
    .repairs = {{"model, PART, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
                 "model, PART, MPI_DOUBLE, 0, row);"}},
};
