/* Calls of libm, memory and MPI that take most of the excess. */
#include "grade/cost/slow_parts.h"

#include "base/number.h"
#include "base/text.h"

#define MANY       1000
#define MANY_TIMES 8          /* the reference's */
#define FEW_BYTES  (16 << 10) /* per message: larger ones are slow for other reasons */

static const char *const math_names[VL_MATH_FUNCTIONS] = {"expf", "exp",  "exp2f", "powf",
                                                          "pow",  "logf", "log",   "tanhf"};

/* The function whose calls take most of what libm takes; -1 if none takes more than half. */
static int main_function(const struct vl_counts *counts)
{
    int64_t sum = 0;
    for (int i = 0; i < VL_MATH_FUNCTIONS; i++)
        sum += counts->math_ns[i];
    for (int i = 0; i < VL_MATH_FUNCTIONS; i++)
        if (2 * counts->math_ns[i] > sum)
            return i;
    return -1;
}

void vl_slow_math(struct vl_cause *cause, const struct vl_slow *slow)
{
    char calls[VL_NUMBER_TEXT], reference[VL_NUMBER_TEXT];
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    int which = main_function(s);
    if (which < 0 || s->math[which] < MANY || s->math[which] < MANY_TIMES * r->math[which])
        return;
    const char *name = math_names[which];
    vl_number_text(calls, (double)s->math[which], 0);
    vl_number_text(reference, (double)r->math[which], 0);
    if (which == VL_MATH_EXPF || which == VL_MATH_EXP || which == VL_MATH_EXP2F)
        vl_slow_say(
            cause, "exp_one_by_one",
            _("Most of the difference is exponentials: `%1$s` is called %2$s times, each time "
              "for one number. A polynomial in a loop without calls handles several numbers at "
              "once, because the compiler turns it into vector instructions."),
            name, calls);
    else
        vl_slow_say(
            cause, "function_in_loop",
            _("Most of the difference is `%1$s`: it is called %2$s times, and %3$s times in "
              "the reference. Move what does not change out of the loop, or compute it "
              "without this call."),
            name, calls, reference);
}

void vl_slow_allocations(struct vl_cause *cause, const struct vl_slow *slow)
{
    char calls[VL_NUMBER_TEXT];
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    if (s->allocations < 2 || s->allocations < 2 * r->allocations)
        return;
    vl_slow_say(cause, "many_allocations",
                _("Most of the difference is memory that is allocated and freed: %s times in this "
                  "call. Allocate once, outside the loops, or use the memory that the function is "
                  "given."),
                vl_number_text(calls, (double)s->allocations, 0));
}

void vl_slow_copies(struct vl_cause *cause, const struct vl_slow *slow)
{
    char own[VL_NUMBER_TEXT], reference[VL_NUMBER_TEXT];
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    if (s->copied_bytes < 2 * r->copied_bytes)
        return;
    vl_slow_say(
        cause, "many_copies",
        _("Most of the difference is copying: `memcpy` moves %1$s in this call, and %2$s in "
          "the reference."),
        vl_number_bytes(own, (uint64_t)s->copied_bytes),
        vl_number_bytes(reference, (uint64_t)r->copied_bytes));
}

void vl_slow_sleeps(struct vl_cause *cause, const struct vl_slow *slow)
{
    char calls[VL_NUMBER_TEXT];
    if (slow->submission.sleeps > slow->reference.sleeps)
        vl_slow_say(cause, "sleeps",
                    _("It sleeps %s times in this call. MPI's own waits come back as soon as there "
                      "is something to do."),
                    vl_number_text(calls, (double)slow->submission.sleeps, 0));
}

/* ---- between ranks ---- */

static double bytes_of_transfer(const struct vl_counts *counts)
{
    /* Half of the transfers are the receives of the others. */
    return counts->transfers > 0 ? 2 * (double)counts->transfer_bytes / (double)counts->transfers
                                 : 0;
}

static void say_more_bytes(struct vl_cause *cause, const struct vl_counts *s,
                           const struct vl_counts *r)
{
    char own[VL_NUMBER_TEXT], reference[VL_NUMBER_TEXT];
    vl_slow_say(cause, "sends_more",
                _("Its ranks send each other %1$s in this call; the reference's ranks send "
                  "%2$s."),
                vl_number_bytes(own, (uint64_t)s->transfer_bytes),
                vl_number_bytes(reference, (uint64_t)r->transfer_bytes));
}

static void say_small_messages(struct vl_cause *cause, const struct vl_counts *s,
                               const struct vl_counts *r)
{
    char own[VL_NUMBER_TEXT], reference[VL_NUMBER_TEXT], bytes[VL_NUMBER_TEXT];
    vl_slow_say(cause, "many_small_messages",
                _("It sends %1$s messages of about %2$s. Each has a cost of its own, so fewer and "
                  "larger ones are faster: the reference sends %3$s."),
                vl_number_text(own, (double)s->transfers / 2, 0),
                vl_number_bytes(bytes, (uint64_t)bytes_of_transfer(s)),
                vl_number_text(reference, (double)r->transfers / 2, 0));
}

void vl_slow_messages(struct vl_cause *cause, const struct vl_slow *slow)
{
    char calls[VL_NUMBER_TEXT];
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    if (s->others > 0 || r->others > 0 || r->transfers == 0)
        return;
    if (4 * s->transfer_bytes >= 5 * r->transfer_bytes)
        say_more_bytes(cause, s, r);
    else if (s->transfers >= MANY_TIMES * r->transfers && bytes_of_transfer(s) < FEW_BYTES)
        say_small_messages(cause, s, r);
    else if (s->barriers >= MANY_TIMES * (r->barriers + 1))
        vl_slow_say(
            cause, "many_barriers",
            _("It calls MPI_Barrier %s times on all ranks together. A message is itself the "
              "sign that its sender is ready: no barrier is needed."),
            vl_number_text(calls, (double)s->barriers, 0));
    else if (s->most_open == 1 && r->most_open > 1 && s->transfers > slow->ranks)
        vl_slow_say(cause, "waits_for_each", "%s",
                    _("Every transfer is waited for before the next one is started, so data never "
                      "goes both ways at once. Start the send and the receive of a step, and then "
                      "wait for both."));
}
