#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_26 = {
    .number = 26,
    .slug = "shards",
    .title = N_("A shard for each rank"),
    .story = N_(
        "1003 weights are cut into shards. Each rank fills its own, and then all shards are gathered. On two ranks "
        "the sum is right. On four it is not, although the shards have 1003 elements together."),
    .ranks = 4,
    .runs = {1, 3, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(3),
    .places = {"return rank * shard_count(rank, ranks);"},
    .cause = VL_CAUSE_WRONG_SHARE,
    .close = VL_CAUSE_WRONG_COUNT,
    .hints =
        {N_("Write down where each of the four shards begins, and where it ends. Does each begin where the "
            "one before it ends?"),
         N_("A rank without an extra element comes after ranks that have one. Does its first element count "
            "their extra elements?")},
    .explained = N_(
        "The first element of a shard is the number of elements before it, and shards before it may be longer "
        "than it is. On four ranks the first three have 251 elements and the last one 250, so the last one "
        "begins at 753 and not at 750. Each earlier rank whose number is below n mod P adds one element."),
    .repairs = {{"rank * shard_count(rank, ranks);",
                 "rank * (WEIGHTS / ranks) + (rank < WEIGHTS % ranks ? rank : WEIGHTS % ranks);"}},
};
