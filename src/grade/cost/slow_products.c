/* Products of matrices, or of vectors where one of matrices does the same. */
#include "grade/cost/slow_parts.h"

#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define SAME_WORK   1.05 /* so many times the operations are still the reference's */
#define MORE_WORK   1.25
#define MANY_CALLS  8 /* times the reference's products */
#define SMALL_SHARE 8 /* the share of the reference's operations per product, inverted */

static double ratio(int64_t one, int64_t other)
{
    return other > 0 ? (double)one / (double)other : 0;
}

/* The shape that most products have; NULL if no shape has more than half of them. */
static const struct vl_counted_product *usual_shape(const struct vl_counts *counts)
{
    for (int64_t i = 0; i < counts->shapes; i++)
        if (2 * counts->shape[i].calls > counts->products)
            return &counts->shape[i];
    return NULL;
}

static void say_many(struct vl_cause *cause, const struct vl_counts *s, const struct vl_counts *r)
{
    char own[VL_NUMBER_TEXT], enough[VL_NUMBER_TEXT];
    const struct vl_counted_product *usual = usual_shape(s);
    vl_number_text(own, (double)s->products, 0);
    vl_number_text(enough, (double)r->products, 0);
    if (usual != NULL)
        vl_slow_say(cause, "many_small_products",
                    _("It makes %1$s small matrix products, most of them %2$lld x %3$lld x %4$lld. "
                      "Fewer and larger ones are faster: the reference makes %5$s."),
                    own, (long long)usual->m, (long long)usual->n, (long long)usual->k, enough);
    else
        vl_slow_say(cause, "many_small_products",
                    _("It makes %1$s small matrix products. Fewer and larger ones are faster: the "
                      "reference makes %2$s."),
                    own, enough);
}

/* ---- the masked half ---- */

static int64_t longest(const struct vl_counts *counts)
{
    int64_t most = 0;
    for (int64_t i = 0; i < counts->shapes; i++) {
        const struct vl_counted_product *p = &counts->shape[i];
        most = p->m > most ? p->m : most;
        most = p->n > most ? p->n : most;
        most = p->k > most ? p->k : most;
    }
    return most;
}

/* Scores, probabilities and their gradients have queries and keys: is that square multiplied whole? */
static bool has_square(const struct vl_counted_product *p, int64_t side)
{
    return (p->m == side) + (p->n == side) + (p->k == side) >= 2;
}

static bool multiplies_squares(const struct vl_counts *counts, int64_t side)
{
    bool all = counts->shapes > 0;
    for (int64_t i = 0; i < counts->shapes; i++)
        all = all && has_square(&counts->shape[i], side);
    return all;
}

static bool avoids_squares(const struct vl_counts *counts, int64_t side)
{
    for (int64_t i = 0; i < counts->shapes; i++)
        if (has_square(&counts->shape[i], side))
            return false;
    return counts->shapes > 0;
}

static bool multiplies_masked_half(const struct vl_slow *slow)
{
    int64_t side = longest(&slow->reference);
    return strstr(slow->function, "attention") != NULL &&
           multiplies_squares(&slow->submission, side) && avoids_squares(&slow->reference, side);
}

/* ---- all of them ---- */

static void say_more_work(struct vl_cause *cause, const struct vl_slow *slow, double work)
{
    char times[VL_NUMBER_TEXT];
    vl_number_text(times, work, 1);
    if (multiplies_masked_half(slow))
        vl_slow_say(cause, "multiplies_masked_half",
                    _("It multiplies the masked half, too: its matrix products have %s times the "
                      "operations that are needed. Take a block of rows at a time, and only the "
                      "columns up to the block's end."),
                    times);
    else
        vl_slow_say(cause, "too_many_operations",
                    _("Its matrix products have %s times as many operations as the "
                      "reference's: it multiplies something that is not needed, or something "
                      "more than once."),
                    times);
}

void vl_slow_products(struct vl_cause *cause, const struct vl_slow *slow)
{
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    double work = ratio(s->operations, r->operations);
    double size = ratio(s->operations, s->products);
    if (r->products == 0 || r->operations == 0)
        return;
    if (s->double_products > 0 && r->double_products == 0 && s->double_products == s->products)
        vl_slow_say(
            cause, "double_products", "%s",
            _("Its matrix products are in double precision (cblas_dgemm), which takes about "
              "twice as long as cblas_sgemm."));
    else if (s->products >= MANY_CALLS * r->products &&
             SMALL_SHARE * size <= ratio(r->operations, r->products))
        say_many(cause, s, r);
    else if (work >= MORE_WORK)
        say_more_work(cause, slow, work);
}

void vl_slow_vectors(struct vl_cause *cause, const struct vl_slow *slow)
{
    char calls[VL_NUMBER_TEXT], enough[VL_NUMBER_TEXT];
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    if (r->products == 0 || s->vectors < MANY_CALLS * r->products)
        return;
    vl_slow_say(cause, "many_vectors",
                _("It calls BLAS %1$s times for single vectors (as with cblas_sdot or "
                  "cblas_sgemv). Matrix products (cblas_sgemm) are faster: the reference makes "
                  "%2$s."),
                vl_number_text(calls, (double)s->vectors, 0),
                vl_number_text(enough, (double)r->products, 0));
}

/* The code between the calls. Slow loops look like any other code: only what the reference has and the
 * submission lacks shows what they do. */
void vl_slow_code(struct vl_cause *cause, const struct vl_slow *slow)
{
    char share[VL_NUMBER_TEXT];
    const struct vl_counts *s = &slow->submission, *r = &slow->reference;
    double work = ratio(s->operations, r->operations);
    if (r->products == 0 || !slow->sees_all)
        return;
    if (s->products == 0 && s->vectors == 0)
        vl_slow_say(cause, "loop_for_product", "%s",
                    _("Loops do here what a matrix product (cblas_sgemm) does much faster."));
    else if (work * SAME_WORK >= 1 && work <= SAME_WORK)
        vl_slow_say(cause, "slow_between_products",
                    _("Its matrix products take as many operations as the reference's, but %s "
                      "of its time goes into its own loops around them."),
                    vl_number_percent(share, 1 - ratio(s->product_ns, s->turn_ns), 0));
    else if (work < 0.7 && s->vectors == 0)
        vl_slow_say(cause, "loop_for_some_products",
                    _("Only %s of the reference's matrix products (cblas_sgemm) are products here; "
                      "loops do the rest, which is much slower."),
                    vl_number_percent(share, work, 0));
}
