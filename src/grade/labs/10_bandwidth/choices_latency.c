/*
 * Crossovers on machines whose links between domains take long to answer. How far that moves a crossover
 * was not simulated: the truth is what the oracle's planner finds, and only sets in which latency moves it
 * are asked about.
 *
 *   without latency   simple |..............x===============|      =: it is the faster one
 *   with              simple |.........................x====|
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/choice_bag.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"

#include <math.h>

#define ASKED  6
#define SLOWER 10.0   /* times the latency of the machine that was simulated */
#define MOVED  1.2    /* a factor: more than any search is off */
#define STEPS  40     /* of a search that halves: far below a thousandth */
#define MIDDLE 1.0005 /* of what may be found: up to a thousandth more */

static double crossover_with(struct vl_choice choice, double latency)
{
    double low = log(choice.low), high = log(choice.high);
    choice.setting.cluster.outer.latency = latency;
    for (int step = 0; step < STEPS; step++) {
        double middle = (low + high) / 2;
        if (vl_choice_holds(&choice, exp(middle)))
            high = middle;
        else
            low = middle;
    }
    return exp(high);
}

static double latency_of(const struct vl_simulated_set *set)
{
    return SLOWER * set->setting.cluster.outer.latency;
}

/* Is there a crossover, and does latency move it by far? */
static bool latency_counts(size_t number)
{
    const struct vl_simulated_set set = vl_simulated_set(number);
    const struct vl_choice choice = vl_choice_of(&set);
    double found = crossover_with(choice, latency_of(&set));
    double without = crossover_with(choice, 0);
    return without > choice.low * MOVED && found < choice.high / MOVED &&
           (found > without * MOVED || found < without / MOVED);
}

VL_SCOPED_MAKE(choices_latency)
{
    (void)self;
    vl_maker_size(m, "bad", 0);
    size_t count = vl_choices_that_fit(ASKED, latency_counts);
    struct vl_choice *choices = vl_choices_draw(m, count, latency_counts);
    for (size_t i = 0; !m->failed && i < count; i++)
        choices[i].setting.cluster.outer.latency *= SLOWER;
}

VL_SCOPED_TRUTH(divisions_latency)
{
    char name[VL_CHOICE_NAME];
    for (size_t i = 0; i < vl_choice_count(s->inputs); i++) {
        const struct vl_choice *choice = &vl_choices(s->inputs)[i];
        double found = crossover_with(*choice, choice->setting.cluster.outer.latency);
        vl_scope_give_real(s, vl_choice_bandwidth(name, i), MIDDLE * found);
    }
}
