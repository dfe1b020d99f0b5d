/* Lab 10's choices in words: the first pair in the wrong order, the first crossover that is far off. */
#include "base/number.h"
#include "base/text.h"
#include "grade/judge/compare.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/choice_bag.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"

#include <math.h>
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

static enum vl_status tell_pair(struct vl_sign *sign, const struct vl_simulated_set *set,
                                int64_t fast, int64_t slow)
{
    char one[LAYOUT_TEXT], other[LAYOUT_TEXT], least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    if (slow == VL_SIMULATED_LAYOUTS)
        return vl_sign_say(sign, "wrong_order",
                           _("Two equal divisions are given, and the one with the larger number "
                             "comes first."));
    layout_text(one, &set->layouts[fast]);
    layout_text(other, &set->layouts[slow]);
    vl_number_short(least, set->seconds[fast], 3);
    vl_number_short(most, set->seconds[slow], 3);
    return vl_sign_say(sign, "wrong_order",
                       _("Simulated, %1$s takes %2$s s and %3$s takes %4$s s, and the slower one "
                         "comes first."),
                       one, least, other, most);
}

VL_INSPECTION(vl_tell_divisions_order)
{
    const int64_t(*pairs)[VL_CHOICE_PAIR] = vl_bag_find(inputs, "asked")->data;
    const struct vl_tensor_entry *right = vl_bag_find(expected, "faster");
    if (right == NULL)
        return VL_OK;
    const struct vl_tensor_entry *given = vl_bag_find(outputs, "faster");
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

VL_INSPECTION(vl_tell_divisions_crossover)
{
    if (vl_bag_int(inputs, "latency") != 0) /* those were not simulated */
        return VL_OK;
    char name[VL_CHOICE_NAME], one[LAYOUT_TEXT], other[LAYOUT_TEXT], found[VL_NUMBER_TEXT],
        simulated[VL_NUMBER_TEXT];
    for (size_t i = 0; i < vl_choice_count(inputs); i++) {
        if (vl_bag_find(expected, vl_choice_bandwidth(name, i)) == NULL)
            return VL_OK;
        const struct vl_simulated_set set = set_of(inputs, (int64_t)i);
        double got = vl_entry_value(vl_bag_find(outputs, name), 0),
               right = fmax(set.crossover, vl_choices(inputs)[i].low);
        if (got >= right / VL_SIMULATED_FACTOR && got <= right * VL_SIMULATED_FACTOR)
            continue;
        return vl_sign_say(sign, "crossover_far_off",
                           _("Simulated, %1$s catches up with %2$s at %3$s GB/s; got %4$s "
                             "GB/s, which is more than a factor of %5$.1f away."),
                           layout_text(one, &set.layouts[VL_SIMULATED_SIMPLE]),
                           layout_text(other, &set.layouts[VL_SIMULATED_STAGED]),
                           vl_number_short(simulated, right * 1e-9, 3),
                           vl_number_short(found, got * 1e-9, 3), VL_SIMULATED_FACTOR);
    }
    return VL_OK;
}
