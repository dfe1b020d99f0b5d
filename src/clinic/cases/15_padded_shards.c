#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_15 = {
    .number = 15,
    .slug = "padded_shards",
    .title = N_("Padded shards"),
    .story =
        N_("The weights are split into shards, and one all-gather fetches all of them. On two and "
           "three ranks it works. On four ranks MPI ends the program, because a message is "
           "truncated."),
    .ranks = 4,
    .runs = {2, 3, 4, 5},
    .symptom = VL_SYMPTOM_ERROR,
    .who = VL_CLINIC_RANK(2) | VL_CLINIC_RANK(3),
    .places = {"MPI_Allgather(shard, count"},
    .cause = VL_CAUSE_WRONG_COUNT,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("How are the 30006 weights split on two, three and four ranks? What is special "
            "about four?"),
         N_("Read where `take_padding_out` expects the shard of each rank. Does the all-gather "
            "put it there?")},
    .explained =
        N_("In an all-gather every rank must name the same count. On four ranks, ranks 0 and 1 "
           "have 7502 weights, and ranks 2 and 3 have 7501. Each rank names the length of its own "
           "shard, so the messages are too long for ranks 2 and 3. On two and three ranks all "
           "shards have the same length. With the padding, all shards are equally long, and "
           "`padded` is the count for all ranks. `MPI_Allgatherv` takes a count for each rank, "
           "and needs no padding."),
    .repairs = {{"MPI_Allgather(shard, count, MPI_DOUBLE, weights, count,",
                 "MPI_Allgather(shard, padded, MPI_DOUBLE, weights, padded,"}},
};
