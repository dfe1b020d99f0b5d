#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_27 = {
    .number = 27,
    .slug = "tensors_end_to_end",
    .title = N_("Tensors laid end to end"),
    .story = N_(
        "Four tensors are laid end to end. Each rank loads its shard of their weights and updates it, and then "
        "all ranks get all weights. On one rank and on two the sum is right. On four ranks it is wrong, "
        "although two of the four shards are right."),
    .ranks = 4,
    .runs = {1, 2, 4, 5},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(1) | VL_CLINIC_RANK(3),
    .places = {"clinic_value(tensor, at - from)"},
    .cause = VL_CAUSE_WRONG_SHARE,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("Which shards begin where a tensor begins, and which begin within a tensor?"),
         N_("Take a shard that begins within a tensor. Which element of that tensor should be its first one, and "
            "which one does it get?")},
    .explained = N_(
        "The number of an element within its tensor is counted from where the tensor begins. Here it is "
        "counted from where the shard's part of the tensor begins. The two are the same unless a shard begins "
        "within a tensor. On four ranks that is so on ranks 1 and 3, and they take the first elements of the "
        "tensor a second time. On two ranks each shard begins with a tensor, so all is right. `at - begin` is "
        "the number within the tensor."),
    .repairs = {{"at - from)", "at - begin)"}},
};
