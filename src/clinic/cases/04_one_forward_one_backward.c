#include "base/text.h"
#include "clinic/case.h"

const struct vl_clinic_case vl_clinic_case_04 = {
    .number = 4,
    .slug = "one_forward_one_backward",
    .title = N_("One forward, one backward"),
    .story = N_(
        "Four micro-batches go through a pipeline. Stages run ahead, alternate, and finish with the "
        "backward passes that are left. On two ranks it worked. On three ranks, nothing is ever printed."),
    .ranks = 3,
    .runs = {1, 2, 3, 5},
    .symptom = VL_SYMPTOM_STANDSTILL,
    .who = VL_CLINIC_RANK(0),
    .places = {"for (int micro = MICRO_BATCHES - 1; micro >= MICRO_BATCHES - ahead; micro--)",
               "backward(micro, stage, stages);"},
    .cause = VL_CAUSE_WRONG_ORDER,
    .close = VL_CAUSE_WRONG_TAG,
    .hints =
        {N_("In which order does stage 1 send its gradients to stage 0, and in which order does stage 0 receive "
            "them?"),
         N_("Follow the drawing on stage 0 up to its sixth pass, and compare what comes next with what the program does.")},
    .explained = N_(
        "At the end stage 0 has two backward passes left, and it begins with the newest micro-batch. Stage 1 "
        "sends the gradient of the older one first. That message is long, so its send waits for a receive, and "
        "stage 0 waits for the message after it. Only a stage that runs ahead by two or more can go wrong here. "
        "The passes that are left have to be done in the order of the micro-batches."),
    .repairs = {{"for (int micro = MICRO_BATCHES - 1; micro >= MICRO_BATCHES - ahead; micro--)",
                 "for (int micro = MICRO_BATCHES - ahead; micro < MICRO_BATCHES; micro++)"}},
};
