/*
 * Lab 10, station 4: a step, put together.
 *
 * The contract is in include/vialata/plan_roads.h. vl_bubble_of_ideal (lab 07) and vl_mfu (lab 01)
 * are there for you.
 */
#include "vialata/budget.h"
#include "vialata/plan_roads.h"
#include "vialata/schedule.h"

/* include/vialata/plan_roads.h: what hides behind what, and who waits. */
enum vl_status vl_planned_step(struct vl_step_plan *step, const struct vl_loads *loads,
                               const struct vl_work *work, const struct vl_setting *setting,
                               const struct vl_division *division)
{
    (void)step;
    (void)loads;
    (void)work;
    (void)setting;
    (void)division;
    /* TODO(10): what is hidden: of each of the three kinds in flowing as much as its own share of
     * the arithmetic allows, and of all together no more than the arithmetic. The rest is
     * exposed. */
    /* TODO(10): the bubble, as a share of all that a stage is busy with. */
    /* TODO(10): left: the part of closing that the last micro-batch's backward cannot hide. */
    /* TODO(10): the step, tokens of the whole batch per second, MFU and HFU of all chips' peak. */
    return VL_TODO;
}
