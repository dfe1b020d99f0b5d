#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_01 = {
    .number = 1,
    .slug = "blocks_around",
    .title = N_("Blocks around a ring"),
    .story = N_(
        "Every rank begins with one block of the weights, and passes blocks around a ring until it has "
        "all of them. With short blocks it worked. With blocks of this size, nothing is ever printed."),
    .ranks = 4,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_ALL,
    .places = {"MPI_Send(out, BLOCK"},
    .cause = VL_CAUSE_SENDS_MEET,
    .close = VL_CAUSE_WRONG_ORDER,
    .hints =
        {N_("When may `MPI_Send` return, if the message is too long for MPI to put it aside?"),
         N_("Every rank makes the same two calls in the same order. Follow one step on all ranks: who has "
            "called a receive by the time the first send should end?")},
    .explained = N_(
        "MPI may put a short message aside, so that `MPI_Send` returns at once; a long one waits "
        "for its receive. Here all ranks send first, so each waits for a neighbour that waits, "
        "too. `MPI_Sendrecv` sends and receives at the same time. A nonblocking receive before the "
        "send, with a wait after it, would also work."),
    .repairs =
        {{"MPI_Send(out, BLOCK, MPI_DOUBLE, right, step, MPI_COMM_WORLD);\n"
          "        MPI_Recv(in, BLOCK, MPI_DOUBLE, left, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
          "MPI_Sendrecv(out, BLOCK, MPI_DOUBLE, right, step, in, BLOCK, MPI_DOUBLE, left, step,\n"
          "                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);"}},
};
