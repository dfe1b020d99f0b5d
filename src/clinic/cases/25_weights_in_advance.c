#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_25 = {
    .number = 25,
    .slug = "weights_in_advance",
    .title = N_("Weights in advance"),
    .story = N_(
        "In ZeRO, stage 3, the owner of a layer sends its weights to all ranks while the layer before it is "
        "computed. The outputs are right, but layers begin late. In layers 0 and 1, every rank should say "
        "`with 1 of 1 transfers under way`. On four ranks, two of them say `with 0 of 1` once."),
    .ranks = 4,
    .runs = {2, 3, 4},
    .symptom = VL_SYMPTOM_NUMBERS,
    .who = VL_CLINIC_RANK(1) | VL_CLINIC_RANK(2),
    .places = {"if (layer == 0 || owns(&model, layer))",
               "if (layer + 1 < LAYERS && !owns(&model, layer + 1))"},
    .cause = VL_CAUSE_NO_OVERLAP,
    .close = VL_CAUSE_NONE,
    .hints =
        {N_("Which ranks say `with 0 of 1`, and in which layer? What do they have that the others lack?"),
         N_("A broadcast has one sender. When does it begin to send, and when do the others need what it sends?")},
    .explained = N_(
        "The owner of a layer has its weights, so it seems to need no transfer in advance. But the others get "
        "them from this rank, and it calls `MPI_Ibcast` only when it comes to the layer itself. Until then "
        "nothing can travel. The others called it in time, and wait all the same. Layer 0 begins at once, and "
        "rank 3 owns no layer, so only ranks 1 and 2 are late. Every rank has to start the next transfer "
        "before it computes."),
    .repairs = {{"if (layer == 0 || owns(&model, layer))", "if (layer == 0)"},
                {"if (layer + 1 < LAYERS && !owns(&model, layer + 1))", "if (layer + 1 < LAYERS)"}},
};
