#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_15 = {
    .number = 15,
    .slug = "padded_shards",
    .title = N_("Padded shards"),
    .story =
        N_("The weights are split into shards, and one all-gather fetches all of them. On three "
           "ranks it works. On four ranks MPI ends the program, because a message is truncated."),
    .ranks = 4,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_ERROR,
    .who = VL_CLINIC_RANK(3),
    .places = {"MPI_Allgather(shard, count"},
    .cause = VL_CAUSE_WRONG_COUNT,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("How long is the shard of each rank on three ranks, and how long on four?"),
         N_("Read where `take_padding_out` expects the shard of each rank. Does the all-gather "
            "put it there?")},
    .explained =
        N_("In an all-gather every rank must name the same count. On four ranks, the first three "
           "have 7501 weights and rank 3 has 7500. Each rank names the number of its own weights, "
           "so what the others send is too long for rank 3. On three ranks all have the same "
           "number, so nothing shows. With its padding every shard has the same length, and all "
           "ranks must name this length, `padded`. `MPI_Allgatherv` takes a count for each rank, "
           "and needs no padding."),
    .repairs = {{"MPI_Allgather(shard, count, MPI_DOUBLE, weights, count,",
                 "MPI_Allgather(shard, padded, MPI_DOUBLE, weights, padded,"}},
};
