/* Lab 10's choices in words: the first pair in the wrong order, the first crossover that is far off. */
#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/choice_bag.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"

#include <stdio.h>

enum { LAYOUT_TEXT = 96 };

/* As `vialata simulate --layout` takes it. */
static const char *layout_text(char text[LAYOUT_TEXT], const struct vl_division *d)
{
    snprintf(text, LAYOUT_TEXT, "dp=%zu,tp=%zu,pp=%zu,m=%zu,zero=%zu", d->data, d->tensor,
             d->pipeline, d->micro_batches, d->zero);
    return text;
}

static struct vl_simulated_set set_of(const struct vl_bag *inputs, int64_t choice)
{
    const int64_t *sets = vl_bag_find(inputs, "sets")->data;
    return vl_simulated_set((size_t)sets[choice]);
}

static enum vl_status tell_equal(struct vl_sign *sign)
{
    return vl_sign_say(sign, "wrong_order",
                       _("Of two divisions that are equally fast, the one with the larger "
                         "number comes first; the contract asks for the smaller one."));
}

static enum vl_status tell_pair(struct vl_sign *sign, const struct vl_simulated_set *set,
                                int64_t fast, int64_t slow)
{
    char one[LAYOUT_TEXT], other[LAYOUT_TEXT], least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    if (slow == VL_SIMULATED_LAYOUTS)
        return tell_equal(sign);
    layout_text(one, &set->layouts[fast]);
    layout_text(other, &set->layouts[slow]);
    vl_number_short(least, set->seconds[fast], 3);
    vl_number_short(most, set->seconds[slow], 3);
    return vl_sign_say(sign, "wrong_order",
                       _("In the simulation, %1$s takes %2$s s and %3$s takes %4$s s, but the "
                         "slower one comes first."),
                       one, least, other, most);
}

static enum vl_status tell_first_pair(struct vl_sign *sign, const struct vl_bag *inputs,
                                      const struct vl_tensor_entry *right,
                                      const struct vl_tensor_entry *given)
{
    const int64_t(*pairs)[VL_CHOICE_PAIR] = vl_bag_find(inputs, "asked")->data;
    for (size_t i = 0; i < right->count; i++) {
        int64_t fast = (int64_t)vl_entry_value(right, i), a = pairs[i][1], b = pairs[i][2];
        int64_t slow = fast == a ? b : a;
        if ((int64_t)vl_entry_value(given, i) != slow)
            continue;
        const struct vl_simulated_set set = set_of(inputs, pairs[i][0]);
        return tell_pair(sign, &set, fast, slow);
    }
    return VL_OK; /* an order without some layout: the general signs say that nothing was written */
}

/* Of many divisions: is the first place that is wrong that of the equal ones? */
static enum vl_status tell_first_place(struct vl_sign *sign, const struct vl_tensor_entry *right,
                                       const struct vl_tensor_entry *given)
{
    size_t place = 0;
    while (place < right->count && vl_entry_value(given, place) == vl_entry_value(right, place))
        place++;
    return place < right->count && vl_entry_value(right, place) == 0 &&
                   vl_entry_value(given, place) == VL_CHOICE_COPY
               ? tell_equal(sign)
               : VL_OK;
}

VL_INSPECTION(vl_tell_divisions_order)
{
    const struct vl_tensor_entry *pairs = vl_bag_find(expected, "faster");
    const struct vl_tensor_entry *places = vl_bag_find(expected, "order");
    if (pairs != NULL)
        return tell_first_pair(sign, inputs, pairs, vl_bag_find(outputs, "faster"));
    return places != NULL ? tell_first_place(sign, places, vl_bag_find(outputs, "order")) : VL_OK;
}

static enum vl_status tell_far_off(struct vl_sign *sign, const struct vl_simulated_set *set,
                                   double got)
{
    char one[LAYOUT_TEXT], other[LAYOUT_TEXT], found[VL_NUMBER_TEXT], simulated[VL_NUMBER_TEXT];
    return vl_sign_say(sign, "crossover_far_off",
                       _("In the simulation, %1$s catches up with %2$s at %3$s GB/s; got %4$s "
                         "GB/s, which is more than a factor of %5$.1f away."),
                       layout_text(one, &set->layouts[VL_SIMULATED_SIMPLE]),
                       layout_text(other, &set->layouts[VL_SIMULATED_STAGED]),
                       vl_number_short(simulated, set->crossover * 1e-9, 3),
                       vl_number_short(found, got * 1e-9, 3), VL_SIMULATED_FACTOR);
}

VL_INSPECTION(vl_tell_divisions_crossover)
{
    char name[VL_CHOICE_NAME];
    for (size_t i = 0; i < vl_choice_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_find(expected, vl_choice_bandwidth(name, i));
        const struct vl_simulated_set set = set_of(inputs, (int64_t)i);
        double right = set.crossover;
        if (entry == NULL ||
            vl_entry_value(entry, 0) != VL_FACTOR_MIDDLE(right, VL_SIMULATED_FACTOR))
            return VL_OK; /* what is asked here was not simulated */
        double got = vl_entry_value(vl_bag_find(outputs, name), 0);
        if (!(got >= right / VL_SIMULATED_FACTOR && got <= right * VL_SIMULATED_FACTOR))
            return tell_far_off(sign, &set, got);
    }
    return VL_OK;
}
