#include "grade/cost/why_slow.h"

#include "base/text.h"
#include "grade/cost/slow_parts.h"
#include "grade/cost/sum.h"

#include <stdarg.h>

#define LEAST_EXCESS 0.15 /* of the submission's turn: with less, there is nothing to explain */
#define MOST_OF_IT   0.6  /* of the excess, that one thing must account for */

void vl_slow_say(struct vl_cause *cause, const char *code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *cause = (struct vl_cause){.code = code, .message = vl_text_vformat(format, values)};
    va_end(values);
}

/* What takes time, and who can say why it takes more. */
struct part {
    int64_t submission, reference; /* nanoseconds */
    vl_slow_part *say;
};

static int64_t rest_of(const struct vl_counts *counts)
{
    int64_t known = vl_counts_known_ns(counts);
    return counts->turn_ns > known ? counts->turn_ns - known : 0;
}

static struct part largest_of(const struct part *parts, size_t count)
{
    struct part largest = parts[0];
    for (size_t i = 1; i < count; i++)
        if (parts[i].submission - parts[i].reference > largest.submission - largest.reference)
            largest = parts[i];
    return largest;
}

enum vl_status vl_why_slow(struct vl_cause *cause, const struct vl_slow *slow)
{
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    const struct part parts[] = {
        {s->product_ns, r->product_ns, vl_slow_products},
        {s->vector_ns, r->vector_ns, vl_slow_vectors},
        {vl_counts_math_ns(s), vl_counts_math_ns(r), vl_slow_math},
        {s->allocation_ns, r->allocation_ns, vl_slow_allocations},
        {s->copy_ns, r->copy_ns, vl_slow_copies},
        {s->sleep_ns, r->sleep_ns, vl_slow_sleeps},
        {s->mpi_ns, r->mpi_ns, vl_slow_messages},
        {rest_of(s), rest_of(r), vl_slow_code},
    };
    const struct part largest = largest_of(parts, sizeof parts / sizeof *parts);
    double excess = (double)(s->turn_ns - r->turn_ns);
    *cause = (struct vl_cause){0};
    if (excess < LEAST_EXCESS * (double)s->turn_ns ||
        (double)(largest.submission - largest.reference) < MOST_OF_IT * excess)
        return VL_OK;
    largest.say(cause, slow);
    return cause->code != NULL && cause->message == NULL ? VL_ENOMEM : VL_OK;
}
