/*
 * What of other ranks' inputs arrives, on a made-up function and wrong versions of it. Rank r has row r of
 * x, and every rank gets the sum of all rows:
 *
 *   y@r[j] = sum of x[i, j] over all ranks i
 */
#include "grade/experiment/influence/influence.h"

#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 3, COLUMNS = 5 };

static void part_of_sum(const struct vl_part *p)
{
    vl_part_share(p, "x");
}

static const struct vl_case sum_case = {.id = "sum.plain",
                                        .function = "vl_sum",
                                        .ranks = RANKS,
                                        .part = part_of_sum,
                                        .bound = 1e-5,
                                        .floor = 1e-6};

/* Does element j of what rank 'from' has arrive on rank 'to'? */
typedef bool arrives(int from, int to, size_t j);

static struct vl_bag *answer(const struct vl_bag *in, arrives *does)
{
    struct vl_bag *bag = vl_bag_create();
    for (int to = 0; to < RANKS; to++) {
        double *y = vl_bag_add_f64(bag, VL_RANKED("y", to), 1, COLUMNS);
        for (int from = 0; from < RANKS; from++)
            for (size_t j = 0; j < COLUMNS; j++)
                if (does(from, to, j))
                    y[j] += (double)vl_bag_f32(in, "x")[(size_t)from * COLUMNS + j];
    }
    return bag;
}

static bool all(int from, int to, size_t j)
{
    (void)from, (void)to, (void)j;
    return true;
}

static bool own_alone(int from, int to, size_t j)
{
    (void)j;
    return from == to;
}

static bool not_of_the_last(int from, int to, size_t j)
{
    (void)j;
    return from == to || from < RANKS - 1;
}

static bool first_columns(int from, int to, size_t j)
{
    return from == to || j < 3;
}

/* What is lost of a rank's own is another matter. */
static bool nothing(int from, int to, size_t j)
{
    (void)from, (void)to, (void)j;
    return false;
}

static void find(struct vl_sign *finding, arrives *does)
{
    static struct vl_probe probes[VL_PROBES_MOST];
    static struct vl_probed probed[VL_PROBES_MOST];
    struct vl_bag *in = vl_bag_create();
    struct vl_maker maker = vl_maker_start(in, &sum_case, 1);
    vl_maker_normal(&maker, "x", RANKS, COLUMNS, 1);
    struct vl_bag *truth = answer(in, all), *first = answer(in, does);
    struct vl_influence influence = {
        .c = &sum_case, .inputs = in, .truth = truth, .answer = first, .probed = probed};
    influence.count = vl_probes_choose(probes, in, RANKS);
    for (size_t p = 0; p < influence.count; p++) {
        struct vl_bag *changed = vl_probe_inputs(&probes[p], in);
        probed[p] = (struct vl_probed){
            .probe = probes[p], .truth = answer(changed, all), .answer = answer(changed, does)};
        vl_bag_free(changed);
    }
    assert_int_equal(vl_influence_find(finding, &influence, VL_INFLUENCE_ALL), VL_OK);
    for (size_t p = 0; p < influence.count; p++) {
        vl_bag_free(probed[p].truth);
        vl_bag_free(probed[p].answer);
    }
    vl_bag_free(in);
    vl_bag_free(truth);
    vl_bag_free(first);
}

/* Words of the sentence; NULL: another one. */
static void expect(arrives *does, const char *words)
{
    struct vl_sign finding;
    find(&finding, does);
    const bool told = finding.code != NULL && strcmp(finding.code, "nothing_arrives") == 0;
    if (told != (words != NULL) || (told && strstr(finding.message, words) == NULL))
        fail_msg("'%s' expected, but: %s %s", words, finding.code, finding.message);
    free(finding.message);
}

static void what_does_not_arrive_is_told(void **unused)
{
    (void)unused;
    expect(own_alone, "nothing of what other ranks have in x arrives in y (rank 0)");
    expect(not_of_the_last, "what these ranks have in x arrives in y (rank 0): 1. What these "
                            "have does not: 2.");
    expect(first_columns, "only a part of what rank 1 has in x arrives in y (rank 0): element ");
}

static void what_all_arrives_is_not(void **unused)
{
    (void)unused;
    expect(all, NULL);
    expect(nothing, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_arrive_is_told),
        cmocka_unit_test(what_all_arrives_is_not),
    };
    return cmocka_run_group_tests_name("arrivals", tests, NULL, NULL);
}
