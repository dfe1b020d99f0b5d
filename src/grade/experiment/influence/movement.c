#include "grade/experiment/influence/movement.h"

#include "grade/judge/compare.h"

#include <math.h>

#define LEAST_BOUND 1e-6 /* where bits are compared, or nearly */
#define CLEARLY     100.0
#define SAME_ERROR  0.01

static bool is_number(const struct vl_tensor_entry *entry, const struct vl_tensor_entry *expected)
{
    return entry != NULL && entry->count == expected->count &&
           (entry->dtype == VL_F32 || entry->dtype == VL_F64);
}

bool vl_moving_find(struct vl_moving *moving, const struct vl_influence *influence,
                    const struct vl_probed *probed, const struct vl_tensor_entry *expected)
{
    if (probed->truth == NULL || probed->answer == NULL)
        return false;
    *moving = (struct vl_moving){.t = expected,
                                 .t_after = vl_bag_find(probed->truth, expected->name),
                                 .s = vl_bag_find(influence->answer, expected->name),
                                 .s_after = vl_bag_find(probed->answer, expected->name)};
    if (!is_number(moving->t, expected) || !is_number(moving->t_after, expected) ||
        !is_number(moving->s, expected) || !is_number(moving->s_after, expected))
        return false;
    for (size_t i = 0; i < expected->count; i++)
        if (vl_moving_counts(moving, i) &&
            !(isfinite(vl_moving_truth(moving, i)) && isfinite(vl_moving_answer(moving, i))))
            return false;
    return true;
}

bool vl_moving_counts(const struct vl_moving *moving, size_t i)
{
    return vl_entry_counts(moving->t, i) && vl_entry_counts(moving->t_after, i);
}

double vl_moving_truth(const struct vl_moving *moving, size_t i)
{
    return vl_entry_value(moving->t_after, i) - vl_entry_value(moving->t, i);
}

double vl_moving_answer(const struct vl_moving *moving, size_t i)
{
    return vl_entry_value(moving->s_after, i) - vl_entry_value(moving->s, i);
}

struct vl_movement vl_movement_of(const struct vl_moving *moving, const struct vl_case *c)
{
    struct vl_movement m = {0};
    double size = c->floor, product = 0, truth = 0, answer = 0;
    for (size_t i = 0; i < moving->t->count; i++) {
        if (!vl_moving_counts(moving, i))
            continue;
        double t = vl_entry_value(moving->t, i), s = vl_entry_value(moving->s, i);
        double dt = vl_moving_truth(moving, i), ds = vl_moving_answer(moving, i);
        truth = hypot(truth, t);
        answer = hypot(answer, s);
        m.truth = hypot(m.truth, dt);
        m.answer = hypot(m.answer, ds);
        m.apart = hypot(m.apart, ds - dt);
        m.error = hypot(m.error, s - t);
        product += ds * dt;
        m.moved += dt != 0;
    }
    size = fmax(size, fmax(truth, answer));
    m.noise = fmax(c->bound, LEAST_BOUND) * size;
    m.factor = m.truth > 0 ? product / (m.truth * m.truth) : 0;
    for (size_t i = 0; i < moving->t->count; i++)
        if (vl_moving_counts(moving, i))
            m.rest =
                hypot(m.rest, vl_moving_answer(moving, i) - m.factor * vl_moving_truth(moving, i));
    return m;
}

bool vl_truth_moves(const struct vl_movement *movement)
{
    return movement->truth > CLEARLY * movement->noise;
}

bool vl_truth_rests(const struct vl_movement *movement)
{
    return movement->truth == 0;
}

bool vl_answer_moves(const struct vl_movement *movement)
{
    return movement->answer > CLEARLY * movement->noise;
}

bool vl_answer_rests(const struct vl_movement *movement)
{
    return movement->answer == 0; /* what is computed from it differs in the last bits at least */
}

bool vl_movement_is_right(const struct vl_movement *movement)
{
    return movement->apart <= fmax(movement->noise, SAME_ERROR * movement->error) &&
           movement->error > CLEARLY * movement->noise;
}

bool vl_movement_is_wrong(const struct vl_movement *movement)
{
    return movement->apart > 10 * fmax(movement->noise, SAME_ERROR * movement->error);
}
