#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_29 = {
    .number = 29,
    .slug = "norm_of_a_mesh",
    .title = N_("The norm of a model on a mesh"),
    .story = N_(
        "The squares of all gradients are added up on a mesh, where two ranks share each stage of a pipeline. "
        "The same model without tensor parallelism gives a smaller sum, so on the mesh the gradients are "
        "clipped too much."),
    .ranks = 6,
    .runs = {2, 4, 6},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(1) | VL_CLINIC_RANK(3) | VL_CLINIC_RANK(5),
    .places = {"sum += squares(tensor + DOWN_BIAS, 0, WIDTH);", "if (place == 0)"},
    .cause = VL_CAUSE_WRONG_REDUCTION,
    .close = VL_CAUSE_WRONG_SHARE,
    .hints =
        {N_("Go through the five tensors of a stage. Which ranks add the squares of each element?"),
         N_("Where both ranks of a stage have a tensor, the first rank alone should add its squares. Is that so for every such tensor?")},
    .explained = N_(
        "The bias of `down` is the same on both ranks of a stage, and both add its squares. So the sum over "
        "all ranks counts them twice, and the norm is too large. The split tensors may be added by both, "
        "because each rank has a different half. What both ranks have must be added by one of them. The gain "
        "shows how: only the first rank of a stage adds it, and ranks 1, 3 and 5 should leave out the bias as "
        "well."),
    .repairs =
        {{"    sum += squares(tensor + DOWN_BIAS, 0, WIDTH);\n"
          "    if (place == 0)\n"
          "        sum += squares(tensor + GAIN, 0, WIDTH);\n",
          "    if (place == 0)\n"
          "        sum += squares(tensor + DOWN_BIAS, 0, WIDTH) + squares(tensor + GAIN, 0, WIDTH);\n"}},
};
