#include "simulate/result.h"

#include "simulate/scale.h"

#include <math.h>

static int is_list(const json_t *told, const char *name, size_t chips)
{
    const json_t *list = json_object_get(told, name);
    size_t i;
    json_t *value;
    if (json_array_size(list) != chips)
        return 0;
    json_array_foreach(list, i, value) if (!json_is_number(value)) return 0;
    return 1;
}

static double at(const json_t *told, const char *name, size_t chip)
{
    return json_number_value(json_array_get(json_object_get(told, name), chip));
}

static double most_of(const json_t *told, const char *name, size_t chips)
{
    double most = 0;
    for (size_t i = 0; i < chips; i++)
        most = fmax(most, at(told, name, i));
    return most;
}

static double sum_of(const json_t *told, const char *name, size_t chips)
{
    double sum = 0;
    for (size_t i = 0; i < chips; i++)
        sum += at(told, name, i);
    return sum;
}

static void find_idle(struct vl_simulate_result *r, const json_t *told, size_t chips)
{
    size_t each = chips / r->stages; /* the numbers of a stage's ranks follow one another */
    r->least_idle = 1;
    for (size_t i = 0; i < chips; i++) {
        double idle = 1 - at(told, "busy", i) / r->seconds;
        r->idle += idle / (double)chips;
        r->stage_idle[i / each] += idle / (double)each;
        r->least_idle = fmin(r->least_idle, idle);
        r->most_idle = fmax(r->most_idle, idle);
    }
}

enum vl_status vl_simulate_result_read(struct vl_simulate_result *result, const json_t *told,
                                       const struct vl_division *division,
                                       const struct vl_recipe *recipe, size_t scale)
{
    static const char *const names[] = {"seconds", "busy", "inner_bytes", "outer_bytes",
                                        "messages"};
    size_t chips = division->data * division->expert * division->tensor * division->pipeline;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!is_list(told, names[i], chips))
            return VL_EFORMAT;
    struct vl_simulate_result r = {.seconds = most_of(told, "seconds", chips),
                                   .stages = division->pipeline,
                                   .messages = sum_of(told, "messages", chips)};
    if (!(r.seconds > 0) || r.stages < 1 || r.stages > VL_SIMULATE_STAGES)
        return VL_EFORMAT;
    find_idle(&r, told, chips);
    struct vl_link_load *loads[] = {&r.inner, &r.outer};
    for (size_t i = 0; i < 2; i++) {
        double mean = sum_of(told, names[2 + i], chips) / (double)chips;
        loads[i]->mean = vl_scale_bytes(mean, recipe, scale);
        loads[i]->most = vl_scale_bytes(most_of(told, names[2 + i], chips), recipe, scale);
    }
    *result = r;
    return VL_OK;
}
