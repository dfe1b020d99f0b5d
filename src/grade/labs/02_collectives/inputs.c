/*
 * Lab 02's inputs: the rows of all ranks in one bag.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/02_collectives/collectives.h"

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
    case VL_SIZE_KIB:
        return 1024 / sizeof(float);
    case VL_SIZE_MIB:
        return 1024 * 1024 / sizeof(float);
    default:
        return ranks * vl_maker_wide(m) + rest;
    }
}

/* The inputs that every case on several ranks has; returns n. */
static size_t begin(struct vl_maker *m, const struct vl_case *self)
{
    vl_maker_size(m, "ranks", (size_t)self->ranks);
    vl_maker_size(m, "apart", self->ranks > 3 ? 2 : 1); /* partners: then both are even, or odd */
    vl_maker_flag(m, "reversed", self->variant, VL_RANKS_REVERSED);
    vl_maker_flag(m, "bits", self->variant, VL_IN_ORDER);
    vl_maker_flag(m, "null", self->variant, VL_NULL);
    vl_maker_flag(m, "alone", self->variant, VL_POLL_EARLY);
    vl_maker_flag(m, "turns", self->variant, VL_TURNS);
    vl_maker_size(m, "ranks_per_node", (size_t)VL_RANKS_OF(self->variant));
    vl_maker_size(m, "tag", vl_maker_between(m, 1, 16000));
    return vl_maker_size(m, "n", elements(m, self));
}

static size_t element_bytes(struct vl_maker *m, const struct vl_case *self)
{
    size_t bytes = self->variant & VL_ONE_BYTE ? 1 : self->variant & VL_EIGHT_BYTES ? 8 : 4;
    return vl_maker_size(m, "element_bytes", bytes);
}

static void fill_bytes(struct vl_maker *m, const char *name, size_t rows, size_t cols)
{
    unsigned char *bytes = vl_bag_add(m->bag, name, VL_U8, 2, (size_t[]){rows, cols});
    m->failed |= bytes == NULL;
    for (size_t i = 0; bytes != NULL && i < rows * cols; i++)
        bytes[i] = (unsigned char)vl_random_below(VL_BYTE_VALUES, m->numbers, m->stream, i);
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
VL_SCOPED_MAKE(reduction)
{
    size_t ranks = (size_t)self->ranks, n = begin(m, self);
    float *data = vl_maker_normal(m, "data", ranks, n, 1);
    for (size_t i = 0; data != NULL && i < ranks * n; i++)
        data[i] /= 3;
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
    size_t bytes = element_bytes(m, self), longest = 0;
    int64_t *counts = vl_maker_long(m, "counts", ranks, ranks);
    for (size_t from = 0; !m->failed && from < ranks; from++) {
        size_t sum = 0;
        for (size_t to = 0; to < ranks; to++) {
            size_t count = most > 0 ? vl_maker_between(m, 1, most) : 0;
            /* One rank sends nothing, one gets nothing, and single pieces are empty too. */
            int hole = from == 1 || to == 2 || vl_maker_between(m, 0, 3) == 0;
            if ((self->variant & VL_EMPTY_PIECES) && hole && !(from == 0 && to == 1))
                count = 0;
            counts[from * ranks + to] = (int64_t)count;
            sum += count;
        }
        longest = sum > longest ? sum : longest;
    }
    vl_maker_size(m, "longest", longest);
    fill_bytes(m, "data", ranks, longest * bytes);
}

VL_SCOPED_MAKE(levels)
{
    begin(m, self);
}

/* Neither latency nor bandwidth hides the other; several numbers of ranks at once. */
VL_SCOPED_MAKE(road)
{
    static const int64_t ranks[] = {1, 2, 3, 4, 5, 8};
    int bad = (self->variant & VL_BAD_ARGUMENT) != 0;
    vl_maker_ends_sizes(m);
    vl_maker_real(m, "alpha", (bad ? -1e-6 : 1e-6) * (double)vl_maker_between(m, 2, 40));
    vl_maker_real(m, "beta", 1e-11 * (double)vl_maker_between(m, 5, 90));
    vl_maker_real(m, "across_alpha", 1e-6 * (double)vl_maker_between(m, 50, 90));
    vl_maker_real(m, "across_beta", 1e-10 * (double)vl_maker_between(m, 20, 90));
    int64_t *counts = vl_maker_long(m, "ranks", 1, VL_QUESTIONS);
    int64_t *nodes = vl_maker_long(m, "nodes", 1, VL_QUESTIONS);
    double *bytes = vl_maker_doubles(m, "bytes", 1, VL_QUESTIONS);
    for (size_t i = 0; !m->failed && i < VL_QUESTIONS; i++) {
        counts[i] = i < 6 ? ranks[i] : (int64_t)vl_maker_between(m, 9, 31) * (i == 6 ? 1 : 2);
        nodes[i] = (int64_t)(i == 3 ? 1 : vl_maker_between(m, 2, 9));
        bytes[i] = 1e3 * (double)vl_maker_between(m, 50, 900);
    }
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
