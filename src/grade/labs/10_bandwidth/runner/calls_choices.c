/* Calls of lab 10 that choose among layouts. Names of the inputs are described in ../choice_bag.h. */
#include "grade/labs/10_bandwidth/runner/choices.h"

#include "grade/labs/10_bandwidth/choice_bag.h"
#include "runner/arrays.h"
#include "vialata/divisions.h"

/* ---- the order ---- */

static enum vl_status order_badly(struct vl_bag *outputs, const struct vl_choice *c)
{
    size_t order[VL_CHOICE_LAYOUTS];
    return vl_first_unrefused(
        outputs,
        {"order = NULL", vl_divisions_order(NULL, &c->setting, c->layouts, VL_CHOICE_LAYOUTS)},
        {"setting = NULL", vl_divisions_order(order, NULL, c->layouts, VL_CHOICE_LAYOUTS)},
        {"divisions = NULL", vl_divisions_order(order, &c->setting, NULL, VL_CHOICE_LAYOUTS)});
}

/* The place of a layout in an order; VL_CHOICE_LAYOUTS if it is not there. */
static size_t place_of(const size_t *order, int64_t layout)
{
    size_t place = 0;
    while (place < VL_CHOICE_LAYOUTS && order[place] != (size_t)layout)
        place++;
    return place;
}

/* Of a pair that is not whole in the order, nothing is written. */
static void compare_pairs(int64_t *faster, const size_t *orders, const struct vl_bag *inputs)
{
    const struct vl_tensor_entry *asked = vl_bag_find(inputs, "asked");
    const int64_t(*pairs)[VL_CHOICE_PAIR] = asked->data;
    for (size_t i = 0; i < asked->shape[0]; i++) {
        const size_t *order = orders + (size_t)pairs[i][0] * VL_CHOICE_LAYOUTS;
        size_t a = place_of(order, pairs[i][1]), b = place_of(order, pairs[i][2]);
        if (a < VL_CHOICE_LAYOUTS && b < VL_CHOICE_LAYOUTS)
            faster[i] = a < b ? pairs[i][1] : pairs[i][2];
    }
}

/* The status that all calls of a case end with. */
static enum vl_status right_status(const struct vl_bag *inputs)
{
    return vl_choice_fails(vl_choices(inputs)) ? VL_ESHAPE : VL_OK;
}

static enum vl_status order_choices(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    const struct vl_choice *choices = vl_choices(inputs);
    size_t count = vl_choice_count(inputs), pairs = vl_bag_find(inputs, "asked")->shape[0];
    enum vl_status right = right_status(inputs), status = right;
    size_t *orders = vl_unwritten_sizes(outputs, "orders", count, VL_CHOICE_LAYOUTS);
    int64_t *faster = vl_unwritten_numbers(outputs, "faster", 1, pairs);
    if (orders == NULL || faster == NULL)
        return VL_EINTERNAL;
    for (size_t i = 0; i < count && status == right; i++)
        status = vl_divisions_order(orders + i * VL_CHOICE_LAYOUTS, &choices[i].setting,
                                    choices[i].layouts, VL_CHOICE_LAYOUTS);
    if (status == VL_OK && right == VL_OK)
        compare_pairs(faster, orders, inputs);
    return status;
}

static enum vl_status order_many(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    size_t count = vl_input_size(inputs, "count");
    size_t *order = vl_unwritten_sizes(outputs, "order", 1, count > 0 ? count : 1);
    if (order == NULL)
        return VL_EINTERNAL;
    if (count == 0)
        *order = (size_t)VL_CHOICE_UNTOUCHED;
    enum vl_status status = vl_divisions_order(order, vl_bag_find(inputs, "setting")->data,
                                               vl_bag_find(inputs, "divisions")->data, count);
    return vl_answered(outputs, status, 0);
}

VL_CALL(divisions_order)
{
    if (vl_bag_int(inputs, "bad"))
        return order_badly(outputs, vl_choices(inputs));
    return vl_bag_find(inputs, "divisions") != NULL ? order_many(outputs, inputs)
                                                    : order_choices(outputs, inputs);
}

/* ---- the crossover ---- */

static enum vl_status cross_badly(struct vl_bag *outputs, const struct vl_choice *c)
{
    double bandwidth;
    return vl_first_unrefused(
        outputs,
        {"bandwidth = NULL",
         vl_divisions_crossover(NULL, c->low, c->high, &c->setting, &c->simple, &c->staged)},
        {"setting = NULL",
         vl_divisions_crossover(&bandwidth, c->low, c->high, NULL, &c->simple, &c->staged)},
        {"simple = NULL",
         vl_divisions_crossover(&bandwidth, c->low, c->high, &c->setting, NULL, &c->staged)},
        {"other = NULL",
         vl_divisions_crossover(&bandwidth, c->low, c->high, &c->setting, &c->simple, NULL)},
        {"low = 0",
         vl_divisions_crossover(&bandwidth, 0, c->high, &c->setting, &c->simple, &c->staged)},
        {"low > high",
         vl_divisions_crossover(&bandwidth, c->high, c->low, &c->setting, &c->simple, &c->staged)});
}

VL_CALL(divisions_crossover)
{
    const struct vl_choice *choices = vl_choices(inputs);
    if (vl_bag_int(inputs, "bad"))
        return cross_badly(outputs, choices);
    enum vl_status right = right_status(inputs), status = right;
    for (size_t i = 0; i < vl_choice_count(inputs) && status == right; i++) {
        char name[VL_CHOICE_NAME];
        const struct vl_choice *c = &choices[i];
        double *bandwidth = vl_unwritten_real(outputs, vl_choice_bandwidth(name, i));
        if (bandwidth == NULL)
            return VL_EINTERNAL;
        status =
            vl_divisions_crossover(bandwidth, c->low, c->high, &c->setting, &c->simple, &c->staged);
    }
    return status;
}
