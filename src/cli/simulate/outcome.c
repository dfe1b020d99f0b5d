#include "cli/simulate/outcome.h"

#include "base/text.h"
#include "cli/shared/say.h"

#define MOST_TOLD 4 /* ranks that wait */

static void keep(json_t **place, json_t *value)
{
    if (*place == NULL)
        *place = json_incref(value);
}

static void note(void *context, const json_t *event)
{
    struct vl_outcome *outcome = context;
    if (json_object_get(event, "failed") != NULL)
        keep(&outcome->failed, json_object_get(event, "failed"));
    else if (json_object_get(event, "hung") != NULL)
        keep(&outcome->hung, json_object_get(event, "hung"));
    else if (json_object_get(event, "stuck") != NULL)
        json_array_append(outcome->stuck, json_object_get(event, "stuck"));
    else if (json_object_get(event, "seconds") != NULL && outcome->step == NULL)
        outcome->step = json_deep_copy(event);
}

static int integer(const json_t *object, const char *name)
{
    return (int)json_integer_value(json_object_get(object, name));
}

/* ---- in words ---- */

static enum vl_exit say_failed(const struct vl_outcome *outcome, int own_code)
{
    const char *code = json_string_value(outcome->failed);
    code = code != NULL ? code : vl_status_code(VL_EFORMAT);
    if (own_code)
        return vl_say(VL_EXIT_BELOW,
                      _("The simulated step failed with your labs in it (%s). In a simulation all "
                        "arrays hold zeros: does your code refuse them? Without `--with labs` the "
                        "course's code runs."),
                      code);
    return vl_say(
        VL_EXIT_FAULT,
        _("The simulator could not do this step (%s). Try another layout, and report this "
          "one: the planner took it."),
        code);
}

static void say_wait(const json_t *rank)
{
    if (json_object_get(rank, "peer") == NULL)
        vl_say(VL_EXIT_OK, _("Rank %d waits for other ranks."), integer(rank, "rank"));
    else if (json_is_true(json_object_get(rank, "receives")))
        vl_say(VL_EXIT_OK, _("Rank %1$d waits for a message from rank %2$d (tag %3$d)."),
               integer(rank, "rank"), integer(rank, "peer"), integer(rank, "tag"));
    else
        vl_say(VL_EXIT_OK, _("Rank %1$d waits until rank %2$d receives its message (tag %3$d)."),
               integer(rank, "rank"), integer(rank, "peer"), integer(rank, "tag"));
}

/* Those that wait for a message say the most. */
static void say_waits(const json_t *stuck)
{
    size_t i, told = 0;
    json_t *rank;
    json_array_foreach(stuck, i, rank)
    {
        if (json_object_get(rank, "peer") == NULL || told == MOST_TOLD)
            continue;
        say_wait(rank);
        told++;
    }
    if (told == 0)
        say_wait(json_array_get(stuck, 0));
}

static enum vl_exit say_stuck(const struct vl_outcome *outcome, int own_code)
{
    size_t ranks = json_array_size(outcome->stuck);
    vl_say(VL_EXIT_OK,
           VL_NGETTEXT("The simulation has come to a halt: %zu rank waits for something that never "
                       "comes.",
                       "The simulation has come to a halt: %zu ranks wait for something that never "
                       "comes.",
                       (unsigned long)ranks),
           ranks);
    say_waits(outcome->stuck);
    if (own_code)
        return vl_say(VL_EXIT_BELOW,
                      _("A send and a receive in your labs may not match, or may come in an order "
                        "in which both ends wait. Without `--with labs` the course's code runs."));
    return vl_say(VL_EXIT_FAULT, _("Try another layout, and report this one."));
}

static enum vl_exit say_hung(const struct vl_outcome *outcome, int own_code)
{
    vl_say(VL_EXIT_OK,
           _("The simulation was ended: no message arrived for 20 seconds, and rank %d was still "
             "running."),
           integer(outcome->hung, "rank"));
    if (own_code)
        return vl_say(VL_EXIT_BELOW,
                      _("A loop in your labs may never end, or may ask for a message that never "
                        "comes. Without `--with labs` the course's code runs."));
    return vl_say(VL_EXIT_FAULT, _("Try another layout, and report this one."));
}

/* ---- the whole ---- */

enum vl_exit vl_outcome_run(struct vl_outcome *outcome, const struct vl_simulator *simulator)
{
    struct vl_simulator watched = *simulator;
    const int own_code = simulator->assembly != NULL;
    *outcome = (struct vl_outcome){.stuck = json_array()};
    if (outcome->stuck == NULL)
        return vl_say_status(VL_ENOMEM);
    watched.event = note;
    watched.context = outcome;
    enum vl_exit ended = vl_simulator_run(&watched);
    if (outcome->hung != NULL)
        return say_hung(outcome, own_code);
    if (outcome->failed != NULL)
        return say_failed(outcome, own_code);
    if (ended == VL_EXIT_OK && json_array_size(outcome->stuck) > 0)
        return say_stuck(outcome, own_code);
    if (ended == VL_EXIT_FAULT && own_code)
        return vl_say(VL_EXIT_BELOW, _("The simulation crashed with your labs in it. Without "
                                       "`--with labs` the course's code runs."));
    return ended == VL_EXIT_OK && outcome->step == NULL ? say_failed(outcome, own_code) : ended;
}

void vl_outcome_free(struct vl_outcome *outcome)
{
    json_decref(outcome->step);
    json_decref(outcome->failed);
    json_decref(outcome->hung);
    json_decref(outcome->stuck);
}
