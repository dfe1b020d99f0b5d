/*
 * Lab 02's inputs: the rows of all ranks in one bag.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/02_collectives/collectives.h"

#include <string.h>

/* Elements that no message may have; 0 where the case has fewer. On several ranks their bytes are 0
 * in an int, so that who does not look at them sends nothing. On one there are fewer elements than
 * INT_MAX, but more bytes. */
static size_t too_long_elements(const struct vl_case *self)
{
    if ((self->variant & VL_SIZES) != VL_SIZE_TOO_LONG)
        return 0;
    return (size_t)1 << (self->ranks > 1 ? 34 : 29);
}

/* The number of elements of a case. */
static size_t elements(struct vl_maker *m, const struct vl_case *self)
{
    static const size_t primes[] = {211, 307, 401, 503, 601};
    size_t ranks = (size_t)self->ranks;
    size_t rest = ranks > 1 ? vl_maker_between(m, 1, ranks - 1) : 0;
    switch (self->variant & VL_SIZES) {
    case VL_SIZE_EVEN:
        return ranks * vl_maker_wide(m);
    case VL_SIZE_PRIME:
        return primes[vl_maker_between(m, 0, 4)];
    case VL_SIZE_FEW:
        return rest;
    case VL_SIZE_NONE:
        return 0;
    case VL_SIZE_LARGE:
        return ranks * vl_maker_between(m, 20000, 30000) + rest;
    case VL_SIZE_LARGE_EVEN:
        return ranks * vl_maker_between(m, 20000, 30000);
    case VL_SIZE_LONG:
        return ranks * vl_maker_between(m, 265000, 290000) + rest;
    case VL_SIZE_TOO_LONG:
        return too_long_elements(self);
    case VL_SIZE_KIB:
        return 1024 / sizeof(float);
    case VL_SIZE_MIB:
        return 1024 * 1024 / sizeof(float);
    default:
        return ranks * vl_maker_wide(m) + rest;
    }
}

/* The inputs that every case on several ranks has; returns for how many elements there is memory. */
static size_t begin(struct vl_maker *m, const struct vl_case *self)
{
    vl_maker_size(m, "ranks", (size_t)self->ranks);
    vl_maker_size(m, "apart", self->ranks > 3 ? 2 : 1); /* partners: then both are even, or odd */
    vl_maker_flag(m, "reversed", self->variant, VL_RANKS_REVERSED);
    vl_maker_flag(m, "bits", self->variant, VL_IN_ORDER);
    vl_maker_flag(m, "null", self->variant, VL_NULL);
    vl_maker_flag(m, "alone", self->variant, VL_POLL_EARLY);
    vl_maker_flag(m, "turns", self->variant, VL_TURNS);
    vl_maker_flag(m, "crowded", self->variant, VL_CROWDED);
    vl_maker_flag(m, "late", self->variant, VL_LATE);
    vl_maker_size(m, "ranks_per_node", (size_t)VL_RANKS_OF(self->variant));
    vl_maker_size(m, "tag", vl_maker_between(m, 1, 16000));
    size_t n = vl_maker_size(m, "n", elements(m, self));
    return too_long_elements(self) > 0 ? 1 : n;
}

static size_t element_bytes(struct vl_maker *m, const struct vl_case *self)
{
    size_t bytes = self->variant & VL_ONE_BYTE       ? 1
                   : self->variant & VL_EIGHT_BYTES  ? 8
                   : self->variant & VL_TWELVE_BYTES ? 12
                                                     : 4;
    return vl_maker_size(m, "element_bytes", bytes);
}

static void fill_bytes(struct vl_maker *m, const char *name, size_t rows, size_t cols)
{
    unsigned char *bytes = vl_bag_add(m->bag, name, VL_U8, 2, (size_t[]){rows, cols});
    m->failed |= bytes == NULL;
    if (bytes != NULL)
        vl_random_fill_below(bytes, rows * cols, VL_BYTE_VALUES, m->numbers, m->stream);
    m->stream++;
}

VL_SCOPED_MAKE(chunk)
{
    size_t ranks = vl_maker_size(m, "ranks", vl_maker_prime(m, 3));
    vl_maker_size(m, "n", ranks * vl_maker_wide(m) + vl_maker_between(m, 2, ranks - 1));
    vl_maker_flag(m, "bad", self->variant, VL_BAD_ARGUMENT);
}

VL_SCOPED_MAKE(exchange)
{
    size_t n = begin(m, self);
    vl_maker_normal(m, "sent", (size_t)self->ranks, n, 1);
}

/* Numbers whose sums are rounded: those that vl_maker_normal draws have few digits, and their sums
 * would be the same in any order. */
static void fill_addends(struct vl_maker *m, const char *name, size_t rows, size_t cols)
{
    float *data = vl_maker_normal(m, name, rows, cols, 1);
    for (size_t i = 0; data != NULL && i < rows * cols; i++)
        data[i] /= 3;
}

/* What a second transfer adds. Where chunks are long, one of its two chunks is a float longer than
 * 1 MiB, and the other is not. */
static size_t elements_of_other(const struct vl_case *self, size_t n)
{
    return (self->variant & VL_SIZES) == VL_SIZE_LONG ? 2 * ((1 << 20) / sizeof(float)) + 1 : n;
}

VL_SCOPED_MAKE(reduction)
{
    size_t ranks = (size_t)self->ranks, n = begin(m, self);
    fill_addends(m, "data", ranks, n);
    if (self->variant & VL_CROWDED)
        fill_addends(m, "other", ranks, elements_of_other(self, n));
}

VL_SCOPED_MAKE(movement)
{
    size_t ranks = (size_t)self->ranks, n = begin(m, self);
    size_t bytes = element_bytes(m, self);
    vl_maker_size(m, "root",
                  self->variant & VL_BAD_ARGUMENT  ? ranks
                  : self->variant & VL_ROOT_LAST   ? ranks - 1
                  : self->variant & VL_ROOT_MIDDLE ? ranks / 2
                                                   : 0);
    fill_bytes(m, "data", ranks, n * bytes);
    fill_bytes(m, "other", ranks, n * bytes); /* what a second transfer carries */
}

VL_SCOPED_MAKE(all_to_all)
{
    size_t ranks = (size_t)self->ranks, most = begin(m, self);
    size_t bytes = element_bytes(m, self), longest = 0, too_long = too_long_elements(self);
    int64_t *counts = vl_maker_long(m, "counts", ranks, ranks);
    for (size_t from = 0; !m->failed && from < ranks; from++) {
        size_t sum = 0;
        for (size_t to = 0; to < ranks; to++) {
            size_t count = most > 0 ? vl_maker_between(m, 1, most) : 0;
            /* One rank sends nothing, one gets nothing, and single pieces are empty too. */
            int hole = from == 1 || to == 2 || vl_maker_between(m, 0, 3) == 0;
            if ((self->variant & VL_EMPTY_PIECES) && hole && !(from == 0 && to == 1))
                count = 0;
            if (too_long > 0)
                count = from != to ? too_long : 0;
            counts[from * ranks + to] = (int64_t)count;
            sum += count;
        }
        longest = sum > longest ? sum : longest;
    }
    vl_maker_size(m, "longest", longest);
    fill_bytes(m, "data", ranks, (too_long > 0 ? most : longest) * bytes);
}

VL_SCOPED_MAKE(levels)
{
    begin(m, self);
}

/* The lists of a case about seconds: question i is made of number i of each. */
struct questions {
    double *alpha, *beta, *across_alpha, *across_beta, *bytes;
    int64_t *ranks, *nodes;
};

static double *equal_reals(struct vl_maker *m, const char *name, double value)
{
    double *list = vl_maker_doubles(m, name, 1, VL_QUESTIONS);
    for (size_t i = 0; list != NULL && i < VL_QUESTIONS; i++)
        list[i] = value;
    return list;
}

/* One fault in each question. Of two levels, half of them are about the nodes. */
static void spoil(struct questions *q, int two_levels)
{
    q->alpha[0] *= -1;
    q->beta[1] *= -1;
    q->ranks[2] = 0;
    q->ranks[3] = -3;
    double *first_alpha = two_levels ? q->across_alpha : q->alpha;
    double *first_beta = two_levels ? q->across_beta : q->beta;
    int64_t *first_count = two_levels ? q->nodes : q->ranks;
    first_alpha[4] *= -1;
    first_beta[5] *= -1;
    first_count[6] = 0;
    first_count[7] = -1;
}

/* Neither latency nor bandwidth hides the other; several numbers of ranks at once. A road without
 * latency, one without limit, and no bytes are inside the contract. */
VL_SCOPED_MAKE(road)
{
    static const int64_t ranks[] = {1, 2, 3, 4, 5, 8};
    struct questions q;
    vl_maker_ends_sizes(m);
    vl_maker_flag(m, "bad", self->variant, VL_BAD_ARGUMENT);
    q.alpha = equal_reals(m, "alpha", 1e-6 * (double)vl_maker_between(m, 2, 40));
    q.beta = equal_reals(m, "beta", 1e-11 * (double)vl_maker_between(m, 5, 90));
    q.across_alpha = equal_reals(m, "across_alpha", 1e-6 * (double)vl_maker_between(m, 50, 90));
    q.across_beta = equal_reals(m, "across_beta", 1e-10 * (double)vl_maker_between(m, 20, 90));
    q.ranks = vl_maker_long(m, "ranks", 1, VL_QUESTIONS);
    q.nodes = vl_maker_long(m, "nodes", 1, VL_QUESTIONS);
    q.bytes = vl_maker_doubles(m, "bytes", 1, VL_QUESTIONS);
    for (size_t i = 0; !m->failed && i < VL_QUESTIONS; i++) {
        q.ranks[i] = i < 6 ? ranks[i] : (int64_t)vl_maker_between(m, 9, 31) * (i == 6 ? 1 : 2);
        q.nodes[i] = (int64_t)(i == 3 ? 1 : vl_maker_between(m, 2, 9));
        q.bytes[i] = i == 2 ? 0 : 1e3 * (double)vl_maker_between(m, 50, 900);
    }
    if (m->failed)
        return;
    if (self->variant & VL_BAD_ARGUMENT) {
        spoil(&q, strcmp(self->function, "vl_two_level_seconds") == 0);
        return;
    }
    q.alpha[4] = q.across_alpha[4] = 0;
    q.beta[6] = q.across_beta[6] = 0;
}

/* Row r belongs to rank r. Of the counts of an all-to-all (from, to) a rank knows what it sends and
 * what it will receive. */
VL_PART(collectives)
{
    vl_part_share(p, "sent");
    vl_part_share(p, "data");
    vl_part_share(p, "other");
    vl_part_share(p, "counts");
    for (size_t from = 0; from < p->ranks; from++)
        vl_part_give(p, "counts", from * p->ranks + p->rank, 1);
}
