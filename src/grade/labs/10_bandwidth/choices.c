/*
 * Choices of lab 10: sets drawn from the table of simulated machines, and what must be answered
 * about them. The truth is the simulator's, not the oracle's: a planner is asked here whether it is
 * any good.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/choice_bag.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"

#include <math.h>
#include <string.h>

#define FOUND_WITHIN (VL_SIMULATED_FACTOR / 1.01) /* searches end within 0.1 % */

enum { ORDERED = 40, CROSSED = 20 }; /* so many sets are drawn, if the table has as many */
enum { IMPOSSIBLE = 3 };             /* and so many where a layout is impossible */

/* ---- which sets are asked about ---- */

static double planned(struct vl_setting setting, const struct vl_division *layout, double bandwidth)
{
    struct vl_oracle_forecast forecast;
    setting.cluster.outer.bandwidth = bandwidth;
    vl_oracle_plan_forecast(&forecast, &setting, layout);
    return forecast.step[3]; /* seconds */
}

struct vl_choice vl_choice_of(const struct vl_simulated_set *set)
{
    struct vl_choice choice = {.setting = set->setting,
                               .simple = set->layouts[VL_SIMULATED_SIMPLE],
                               .staged = set->layouts[VL_SIMULATED_STAGED],
                               .low = VL_SIMULATED_LOW,
                               .high = VL_SIMULATED_HIGH};
    memcpy(choice.layouts, set->layouts, sizeof set->layouts);
    choice.layouts[VL_SIMULATED_LAYOUTS] = set->layouts[0];
    return choice;
}

bool vl_choice_holds(const struct vl_choice *choice, double bandwidth)
{
    return planned(choice->setting, &choice->simple, bandwidth) <=
           planned(choice->setting, &choice->staged, bandwidth);
}

/* A planner without a mistake misses some crossovers too, or only just finds them, so that it depends
 * on where its search stops; nobody is asked for those. */
bool vl_choice_can_cross(size_t number)
{
    const struct vl_simulated_set set = vl_simulated_set(number);
    const struct vl_choice choice = vl_choice_of(&set);
    return !vl_choice_holds(&choice, set.crossover / FOUND_WITHIN) &&
           vl_choice_holds(&choice, set.crossover * FOUND_WITHIN) &&
           vl_choice_holds(&choice, VL_SIMULATED_HIGH);
}

static bool any_set(size_t number)
{
    return number < vl_simulated_count();
}

size_t vl_choices_that_fit(size_t count, bool (*fits)(size_t number))
{
    size_t all = 0;
    for (size_t i = 0; i < vl_simulated_count(); i++)
        all += fits(i) ? 1 : 0;
    return count < all ? count : all;
}

static struct vl_simulated_set set_of(const struct vl_bag *inputs, size_t choice)
{
    const int64_t *sets = vl_bag_find(inputs, "sets")->data;
    return vl_simulated_set((size_t)sets[choice]);
}

/* ---- inputs ---- */

static size_t common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* So many sets that fit, none twice: a step that has no divisor in common with the number of sets
 * passes through all of them before it comes back. */
struct vl_choice *vl_choices_draw(struct vl_maker *m, size_t count, bool (*fits)(size_t number))
{
    size_t all = vl_simulated_count(), at = vl_maker_between(m, 0, all - 1);
    size_t step = vl_maker_between(m, 1, all);
    while (common_divisor(all, step) != 1)
        step = vl_maker_between(m, 1, all);
    int64_t *sets = vl_maker_long(m, "sets", 1, count);
    struct vl_choice *choices =
        vl_bag_add(m->bag, "choices", VL_U8, 2, (size_t[]){count, sizeof *choices});
    m->failed |= choices == NULL;
    for (size_t i = 0; !m->failed && i < count; at = (at + step) % all) {
        const struct vl_simulated_set set = vl_simulated_set(at);
        if (!fits(at))
            continue;
        sets[i] = (int64_t)at;
        choices[i++] = vl_choice_of(&set);
    }
    return choices;
}

/* Every pair of layouts that is not a tie, and the pair of equal ones; returns how many. */
static size_t list_pairs(int64_t (*pairs)[VL_CHOICE_PAIR], const int64_t *sets, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct vl_simulated_set set = vl_simulated_set((size_t)sets[i]);
        for (size_t a = 0; a < VL_SIMULATED_LAYOUTS; a++)
            for (size_t b = a + 1; b < VL_CHOICE_LAYOUTS; b++) {
                int equal = a == 0 && b == VL_SIMULATED_LAYOUTS;
                if (!equal && (b == VL_SIMULATED_LAYOUTS || !vl_simulated_apart(&set, a, b)))
                    continue;
                if (pairs != NULL)
                    memcpy(pairs[found], (int64_t[]){(int64_t)i, (int64_t)a, (int64_t)b},
                           sizeof *pairs);
                found++;
            }
    }
    return found;
}

/* In one choice the first layout, in one the last, and in one another; one of each pair. */
static void make_impossible(struct vl_maker *m, struct vl_choice *choices)
{
    choices[0].layouts[0].data = choices[0].simple.data = 0;
    choices[1].layouts[VL_CHOICE_LAYOUTS - 1].data = choices[1].staged.data = 0;
    choices[2].layouts[vl_maker_between(m, 1, VL_SIMULATED_LAYOUTS - 1)].data =
        choices[2].simple.data = 0;
}

/* A low end at which the simple layout is the faster one already. */
static double early(const struct vl_simulated_set *set)
{
    return sqrt(set->crossover * FOUND_WITHIN * VL_SIMULATED_HIGH);
}

static bool holds_early(size_t number)
{
    const struct vl_simulated_set set = vl_simulated_set(number);
    const struct vl_choice choice = vl_choice_of(&set);
    return vl_choice_can_cross(number) && vl_choice_holds(&choice, early(&set));
}

/* A high end at which it is not the faster one yet; nor is it at the low end, a tenth of that. */
static double late(const struct vl_simulated_set *set)
{
    return set->crossover / FOUND_WITHIN;
}

static bool fails_late(size_t number)
{
    const struct vl_simulated_set set = vl_simulated_set(number);
    const struct vl_choice choice = vl_choice_of(&set);
    return vl_choice_can_cross(number) && !vl_choice_holds(&choice, late(&set)) &&
           !vl_choice_holds(&choice, late(&set) / 10);
}

/* Where the crossover is not between the ends. Of those that hold at low, every second one has no
 * other bandwidth. */
static void move_ends(struct vl_choice *choice, const struct vl_simulated_set *set, int variant,
                      size_t i)
{
    if (variant == VL_BANDWIDTH_AT_LOW)
        choice->low = i % 2 == 0 ? choice->high : early(set);
    if (variant == VL_BANDWIDTH_NEVER) {
        choice->high = late(set);
        choice->low = choice->high / 10;
    }
}

/* As many choices as there are layouts to be impossible, or 'most' where answers are judged; returns
 * how many. */
static size_t make_choices(struct vl_maker *m, const struct vl_case *self, size_t most,
                           bool (*fits)(size_t number))
{
    int bad = self->variant == VL_BANDWIDTH_BAD, fails = self->variant == VL_BANDWIDTH_FAILS;
    size_t count = bad ? 1 : fails ? IMPOSSIBLE : vl_choices_that_fit(most, fits);
    vl_maker_size(m, "bad", (size_t)bad);
    struct vl_choice *choices = vl_choices_draw(m, count, fits);
    for (size_t i = 0; !m->failed && i < count; i++) {
        const struct vl_simulated_set set = set_of(m->bag, i);
        move_ends(&choices[i], &set, self->variant, i);
        if (i % 2 == 1) /* no division fits, which changes nothing */
            choices[i].setting.cluster.memory_bytes = 1;
    }
    if (!m->failed && fails)
        make_impossible(m, choices);
    return count;
}

VL_SCOPED_MAKE(choices_order)
{
    size_t count = make_choices(m, self, ORDERED, any_set);
    if (m->failed)
        return;
    const int64_t *sets = vl_bag_find(m->bag, "sets")->data;
    size_t pairs = list_pairs(NULL, sets, count);
    int64_t *asked = vl_maker_long(m, "asked", pairs, VL_CHOICE_PAIR);
    if (asked != NULL)
        list_pairs((int64_t(*)[VL_CHOICE_PAIR])asked, sets, count);
}

VL_SCOPED_MAKE(choices_crossover)
{
    make_choices(m, self, CROSSED,
                 self->variant == VL_BANDWIDTH_AT_LOW  ? holds_early
                 : self->variant == VL_BANDWIDTH_NEVER ? fails_late
                                                       : vl_choice_can_cross);
}

/* ---- truths ---- */

VL_SCOPED_TRUTH(divisions_order)
{
    const struct vl_tensor_entry *asked = vl_bag_find(s->inputs, "asked");
    const int64_t(*pairs)[VL_CHOICE_PAIR] = asked->data;
    if (vl_scope_bad(s) || vl_scope_refused(s, vl_choice_fails(vl_choices(s->inputs)), VL_ESHAPE))
        return;
    size_t count = asked->shape[0];
    int64_t *faster = vl_scope_whole(s, "faster", 1, count);
    for (size_t i = 0; faster != NULL && i < count; i++) {
        const struct vl_simulated_set set = set_of(s->inputs, (size_t)pairs[i][0]);
        int64_t a = pairs[i][1], b = pairs[i][2];
        int equal = b == VL_SIMULATED_LAYOUTS;
        faster[i] = equal || set.seconds[a] < set.seconds[b] ? a : b;
    }
}

/* A factor either way is a middle and a relative bound, as for the guess. */
VL_SCOPED_TRUTH(divisions_crossover)
{
    char name[VL_CHOICE_NAME];
    if (vl_scope_bad(s) || vl_scope_refused(s, vl_choice_fails(vl_choices(s->inputs)), VL_ESHAPE))
        return;
    for (size_t i = 0; i < vl_choice_count(s->inputs); i++) {
        double right = set_of(s->inputs, i).crossover;
        vl_scope_give_real(s, vl_choice_bandwidth(name, i),
                           VL_FACTOR_MIDDLE(right, VL_SIMULATED_FACTOR));
    }
}

/* Where it holds at low already, low itself; and where it does not hold at high, no bandwidth. */
VL_SCOPED_TRUTH(divisions_ends)
{
    char name[VL_CHOICE_NAME];
    for (size_t i = 0; i < vl_choice_count(s->inputs); i++) {
        const struct vl_choice *choice = &vl_choices(s->inputs)[i];
        vl_scope_give_real(s, vl_choice_bandwidth(name, i),
                           vl_choice_holds(choice, choice->high) ? choice->low : INFINITY);
    }
}
