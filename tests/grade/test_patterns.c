/*
 * What the cases of a function show when they are read together.
 */
#include "grade/patterns/patterns.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/told.h"

#define MOST 12

/* A case; a negative number of ranks is one that failed. */
static struct vl_facts on(int ranks)
{
    return (struct vl_facts){.ranks = abs(ranks), .passed = ranks > 0, .smallest_wrong = INFINITY};
}

static void add_number(struct vl_facts *facts, const char *name, int64_t value)
{
    struct vl_fact_number *number = &facts->numbers[facts->number_count++];
    snprintf(number->name, sizeof number->name, "%s", name);
    number->value = value;
}

static void add_array(struct vl_facts *facts, const char *name, uint32_t right, uint32_t wrong)
{
    struct vl_fact_array *array = &facts->arrays[facts->array_count++];
    snprintf(array->name, sizeof array->name, "%s", name);
    array->right = right;
    array->wrong = wrong;
}

/* Code NULL: no pattern; said: a part of the sentence, or NULL. */
static void expect(const struct vl_facts *cases, size_t count, const char *code, const char *said)
{
    struct vl_pattern pattern;
    assert_int_equal(vl_pattern_find(&pattern, cases, count), VL_OK);
    expect_told(pattern.code, pattern.message, code, said);
    free(pattern.message);
}

static void the_number_of_ranks_decides(void **state)
{
    (void)state;
    static const struct {
        int ranks[MOST]; /* up to a zero */
        const char *code, *said;
    } table[] = {
        {{1, -2, -3, -5}, "only_one_rank", "wrong on 2, 3 and 5:"},
        {{1, 2, -3, -4}, "only_two_ranks", "wrong on 3 and 4."},
        {{2, -3, -8}, "only_two_ranks", NULL},
        {{1, 2, -3, 4, -5, 8}, "only_powers_of_two", "on 1, 2, 4 and 8 ranks, wrong on 3 and 5"},
        {{4, -3, -5}, "only_powers_of_two", "Right on 4 ranks, wrong on 3 and 5:"},
        {{4, -3}, NULL, NULL}, /* too little is known */
        {{1, 2, 4, -3}, NULL, NULL},
        {{1, 2, 3, -4, -8}, "only_few_ranks", "Right on 1, 2 and 3 ranks, wrong on 4 and 8:"},
        {{-1, 2, 3}, "only_several_ranks", "Right on 2 and 3 ranks"},
        {{1, 2, 3, -4}, NULL, NULL},     /* only one case speaks for it */
        {{1, -2, 2, -3}, NULL, NULL},    /* two ranks are on both sides */
        {{-1, -2, -4}, NULL, NULL},      /* nothing is right */
        {{1, 2, 4}, NULL, NULL},         /* nothing is wrong */
        {{1, 2, -3, -4, 8}, NULL, NULL}, /* four are wrong, and eight right */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct vl_facts cases[MOST];
        size_t count = 0;
        for (; table[i].ranks[count] != 0; count++)
            cases[count] = on(table[i].ranks[count]);
        expect(cases, count, table[i].code, table[i].said);
    }
}

/* Cases on so many ranks with one number each. */
struct with_number {
    int ranks;
    int64_t value;
};

static void expect_numbers(const char *name, const struct with_number *table, const char *code,
                           const char *said)
{
    struct vl_facts cases[MOST];
    size_t count = 0;
    for (; table[count].ranks != 0; count++) {
        cases[count] = on(table[count].ranks);
        add_number(&cases[count], "other", 7);
        if (name != NULL)
            add_number(&cases[count], name, table[count].value);
    }
    expect(cases, count, code, said);
}

#define NUMBERS(...) ((const struct with_number[]){__VA_ARGS__, {0, 0}})

static void a_choice_decides(void **state)
{
    (void)state;
    expect_numbers("stage", NUMBERS({3, 1}, {-3, 2}, {-2, 3}, {2, 1}), "by_stage",
                   "Right where `stage` is 1, wrong where it is 2 and 3.");
    expect_numbers("stage", NUMBERS({3, 1}, {-3, 2}, {3, 2}, {-3, 3}), NULL, NULL);
    expect_numbers("overlap", NUMBERS({3, 0}, {-3, 1}, {-2, 1}, {2, 0}), "overlap",
                   "Right without overlap");
    expect_numbers("overlap", NUMBERS({3, 1}, {-3, 0}, {-2, 0}, {2, 1}), "overlap",
                   "wrong without it");
    expect_numbers("step", NUMBERS({1, 1}, {-1, 2}, {-1, 1000}), "only_step_one",
                   "Right at step 1");
    expect_numbers("steps", NUMBERS({3, 1}, {-3, 2}, {5, 1}, {2, 1}), "only_first_step", NULL);
    expect_numbers("steps", NUMBERS({3, 1}, {-3, 2}, {5, 1}), NULL, NULL); /* too little is known */
    expect_numbers("reversed", NUMBERS({3, 0}, {-8, 1}, {2, 0}), NULL,
                   NULL); /* or 8 are too many */
    expect_numbers("reversed", NUMBERS({3, 0}, {-3, 1}, {2, 0}), "world_ranks", "MPI_COMM_WORLD");
    expect_numbers("reversed", NUMBERS({3, 1}, {-3, 0}, {2, 1}), NULL,
                   NULL); /* no sentence for it */
}

/* What passes at another stage tells nothing about the ranks. */
static void ranks_are_compared_at_equal_choices(void **state)
{
    (void)state;
    expect_numbers("stage", NUMBERS({1, 3}, {2, 2}, {-3, 3}, {-4, 3}), NULL, NULL);
    expect_numbers("stage", NUMBERS({1, 3}, {2, 3}, {-3, 3}, {-4, 3}), "only_two_ranks", NULL);
    expect_numbers("step", NUMBERS({1, 3}, {2, 2}, {-3, 4}, {-4, 5}), "only_two_ranks", NULL);
}

static void two_choices_that_fit_say_nothing(void **state)
{
    (void)state;
    struct vl_facts cases[4] = {on(3), on(-3), on(-2), on(2)};
    for (int i = 0; i < 4; i++) {
        add_number(&cases[i], "stage", cases[i].passed ? 1 : 2);
        add_number(&cases[i], "overlap", !cases[i].passed);
    }
    expect(cases, 4, NULL, NULL);
    for (int i = 0; i < 4; i++)
        cases[i].numbers[1].value = 0;
    expect(cases, 4, "by_stage", NULL);
}

static void a_size_decides(void **state)
{
    (void)state;
    expect_numbers("n", NUMBERS({3, 9}, {-3, 10}, {2, 4}, {-4, 7}, {4, 8}), "only_multiples",
                   "Right where `n` is a multiple of the ranks");
    expect_numbers("n", NUMBERS({3, 9}, {-3, 10}, {4, 8}), NULL, NULL); /* one case fails */
    expect_numbers("n", NUMBERS({1, 5}, {3, 0}, {-2, 5}, {-3, 7}, {-4, 9}), NULL,
                   NULL); /* 0 is a multiple of anything */
    expect_numbers("n", NUMBERS({3, 10}, {-3, 2}, {4, 7}, {2, 5}), "fewer_than_ranks", NULL);
    expect_numbers("n", NUMBERS({1, 4}, {-1, 7}, {1, 6}, {-1, 5}, {1, 8}), "only_even", NULL);
    expect_numbers("n", NUMBERS({1, 4}, {-1, 7}, {1, 6}, {-1, 5}), NULL, NULL); /* by chance */
    expect_numbers("n", NUMBERS({1, 4}, {-1, 7}, {1, 6}, {-1, 7}, {1, 8}), NULL,
                   NULL); /* one odd size */
    expect_numbers("n", NUMBERS({1, 4}, {-1, 12}, {1, 8}, {-1, 7}, {1, 16}), "only_power_sizes",
                   NULL);
    expect_numbers("n", NUMBERS({1, 5}, {-1, 70}, {1, 7}, {-1, 33}, {1, 16}), "only_small",
                   "at most 16, wrong where it is larger");
    expect_numbers("n", NUMBERS({1, 5}, {-1, 70}, {1, 7}, {-1, 31}, {1, 16}), NULL, NULL);
}

/* One question of a table each, with a size that need not be whole. */
static void expect_sizes(const struct with_number *table, const char *code, const char *said)
{
    struct vl_facts cases[MOST];
    size_t count = 0;
    for (; table[count].ranks != 0; count++) {
        struct vl_facts *facts = &cases[count];
        *facts = on(table[count].ranks);
        snprintf(facts->sizes[0].name, sizeof facts->sizes[0].name, "pipeline");
        facts->sizes[0].value = (double)table[count].value;
        facts->size_count = 1;
    }
    expect(cases, count, code, said);
}

static void nothing_or_one_decides(void **state)
{
    (void)state;
    expect_sizes(NUMBERS({1, 1}, {-1, 2}, {1, 1}, {-1, 5}), "only_one",
                 "Right where `pipeline` is 1, wrong wherever");
    expect_sizes(NUMBERS({-1, 1}, {1, 2}, {-1, 1}, {1, 5}), "not_one",
                 "Wrong where `pipeline` is 1");
    expect_sizes(NUMBERS({1, 0}, {-1, 1}, {1, 0}, {-1, 5}), "only_none",
                 "Right where `pipeline` is 0");
    expect_sizes(NUMBERS({-1, 0}, {1, 1}, {-1, 0}, {1, 5}), "not_none",
                 "Wrong where `pipeline` is 0");
    expect_sizes(NUMBERS({1, 1}, {-1, 2}, {1, 1}), NULL, NULL);
    expect_sizes(NUMBERS({1, 1}, {-1, 2}, {1, 3}, {-1, 5}), NULL, NULL);
    expect_sizes(NUMBERS({1, 1}, {-1, 2}, {1, 1}, {-1, 1}), NULL, NULL);
}

/* Above one, some cases are right and some are wrong. At one, none is wrong, and there are too many for that to be
 * chance. */
static void only_above_one_is_not_by_chance(void **state)
{
    (void)state;
    struct vl_facts cases[48];
    for (int i = 0; i < 48; i++) {
        bool above = i % 2 == 0, wrong = above && i % 6 != 0;
        cases[i] = on(wrong ? -1 : 1);
        add_number(&cases[i], "chunks", above ? 2 : 1);
        add_number(&cases[i], "pipeline", i % 8 == 7 ? 1 : 4);
    }
    expect(cases, 48, "only_above", "wrong only where `chunks` is larger than 1");
    expect(cases, 8, NULL, NULL); /* too few */
    cases[5] = on(-1);
    add_number(&cases[5], "chunks", 1);
    add_number(&cases[5], "pipeline", 4);
    expect(cases, 48, NULL, NULL);
}

/* The same element of the same array, and no other, in every failed case. */
static void one_element_alone_is_named(void **state)
{
    (void)state;
    struct vl_facts cases[2] = {on(-1), on(-1)};
    for (int i = 0; i < 2; i++) {
        add_array(&cases[i], "bytes", 0, 1);
        struct vl_fact_array *array = &cases[i].arrays[0];
        array->elements = 6;
        array->parts = array->wrong_elements = 1;
        array->columns = 3;
        array->first_wrong = 4;
    }
    expect(cases, 2, "only_one_element", "bytes[1, 1] alone");
    cases[1].arrays[0].first_wrong = 5;
    expect(cases, 2, NULL, NULL);
    cases[1].arrays[0].first_wrong = 4;
    cases[1].arrays[0].wrong_elements = 2;
    expect(cases, 2, NULL, NULL);
}

static void two_sizes_that_fit_say_nothing(void **state)
{
    (void)state;
    struct vl_facts cases[5] = {on(1), on(-1), on(1), on(-1), on(1)};
    for (int i = 0; i < 5; i++) {
        add_number(&cases[i], "n", i);
        add_number(&cases[i], "d", 10 + i);
    }
    expect(cases, 5, NULL, NULL);
    cases[0].numbers[1].value = 11;
    expect(cases, 5, "only_even", "`n`");
}

static void two_sizes_that_are_equal_where_it_is_wrong(void **state)
{
    (void)state;
    static const int64_t stages[] = {4, 5, 4, 3, 8}, micro_batches[] = {8, 5, 4, 7, 16};
    struct vl_facts cases[5] = {on(1), on(-1), on(-1), on(1), on(1)};
    for (int i = 0; i < 5; i++) {
        add_number(&cases[i], "stages", stages[i]);
        add_number(&cases[i], "micro_batches", micro_batches[i]);
    }
    expect(cases, 5, "wrong_where_equal",
           "Wrong where `stages` and `micro_batches` are equal, right elsewhere.");
    cases[4].numbers[1].value = 8; /* equal, and right */
    expect(cases, 5, NULL, NULL);
    for (int i = 0; i < 5; i++)
        cases[i].passed = i == 1 || i == 2 || i == 4;
    expect(cases, 5, "right_where_equal",
           "Right where `stages` and `micro_batches` are equal, wrong elsewhere.");
    cases[1].numbers[0].value = cases[1].numbers[1].value = 1;
    cases[2].numbers[0].value = cases[2].numbers[1].value = 0;
    expect(cases, 5, NULL, NULL); /* one pair is left */
}

static void one_factor_everywhere_is_named(void **state)
{
    (void)state;
    static const struct {
        double factors[3]; /* of cases with 3, 5 and 4 ranks, and 7, 11 and 13 in n */
        const char *code;
    } table[] = {
        {{3, 5, 4}, "times_ranks"},
        {{1.0 / 3, 0.2, 0.25}, "divided_by_ranks"},
        {{7, 11, 13}, "times_size"},
        {{1 / 7., 1 / 11., 1 / 13.}, "divided_by_size"},
        {{2, 2, 2}, "twice"},
        {{8, 8, 8}, "bits"},
        {{1.0737418, 1.0737418, 1.0737418}, "gib_for_gb"},
        {{2, 3, 2}, NULL},
        {{3, 5, 0}, NULL},
        {{1.7, 1.7, 1.7}, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct vl_facts cases[3] = {on(-3), on(-5), on(-4)};
        for (size_t k = 0; k < 3; k++) {
            add_number(&cases[k], "n", (const int64_t[]){7, 11, 13}[k]);
            cases[k].factor = table[i].factors[k];
        }
        expect(cases, 3, table[i].code, NULL);
    }
}

static void a_factor_of_the_ranks_is_one_where_a_case_passes(void **state)
{
    (void)state;
    struct vl_facts cases[3] = {on(-3), on(-5), on(1)};
    cases[0].factor = 3;
    cases[1].factor = 5;
    expect(cases, 3, "times_ranks", NULL);
    cases[2].ranks = 2;
    expect(cases, 3, "only_two_ranks", NULL);
}

/* A failed case with one figure wrong, of three sizes. */
static struct vl_facts with_figure(double right, double got, int64_t width, int64_t tokens,
                                   int64_t ranks)
{
    struct vl_facts facts = on(-1);
    facts.ranks = (int)ranks;
    snprintf(facts.wrong_figure, sizeof facts.wrong_figure, "bytes");
    facts.right_figure = right;
    facts.figure = got;
    add_number(&facts, "width", width);
    add_number(&facts, "tokens", tokens);
    return facts;
}

static void a_term_too_much_or_too_little_is_named(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{8, 17, 2}, {12, 7, 3}, {5, 31, 5}};
    static const struct {
        double factor;
        int width, tokens, ranks_less_one;
        const char *code, *said;
    } table[] = {
        {2, 1, 1, 0, "extra_term", "too large by 2 × width × tokens:"},
        {-1, 2, 0, 0, "lost_term", "too small by width × width:"},
        {0.5, 0, 1, 1, "extra_term", "too large by 1/2 × tokens × (ranks - 1):"},
        {-1, 0, 0, 0, "lost_term", "too small by 1:"},
        {0.7, 1, 1, 0, NULL, NULL},    /* no formula has such a factor */
        {32.625, 1, 0, 0, NULL, NULL}, /* nor such a fraction, 261/8 */
        {7.25, 1, 1, 0, NULL, NULL},   /* nor this one, 29/4 */
        {1.875, 1, 0, 0, "extra_term", "too large by 15/8 × width:"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct vl_facts cases[3];
        for (size_t k = 0; k < 3; k++) {
            const int64_t *s = sizes[k];
            double term = table[i].factor * pow((double)s[0], table[i].width) *
                          pow((double)s[1], table[i].tokens) *
                          pow((double)s[2] - 1, table[i].ranks_less_one);
            double right = 1000 + 37.5 * (double)(k * k);
            cases[k] = with_figure(right, right + term, s[0], s[1], s[2]);
        }
        expect(cases, 3, table[i].code, table[i].said);
        cases[1].figure += 0.25; /* one case that does not fit */
        expect(cases, 3, NULL, NULL);
    }
}

/* As much as there should be, elsewhere: rows read as columns, one bin for another. */
static void the_right_sum_in_wrong_places_is_named(void **state)
{
    (void)state;
    struct vl_facts cases[3] = {on(1), on(-2), on(-3)};
    for (size_t k = 0; k < 3; k++) {
        add_array(&cases[k], "arriving", 7, 0);
        add_array(&cases[k], "rows_of", k == 0 ? 1 : 0, k == 0 ? 0 : 3);
        struct vl_fact_array *rows_of = &cases[k].arrays[1];
        rows_of->is_figure = true;
        rows_of->elements = 6;
        rows_of->parts = 2;
        rows_of->sum = rows_of->right_sum = 20 + (double)k;
        rows_of->squares = 90;
        rows_of->right_squares = 100;
    }
    expect(cases, 3, "right_sum", "the numbers of rows_of have the right sum");
    cases[1].arrays[1].squares = cases[2].arrays[1].squares = 100;
    expect(cases, 3, "other_places", "rows_of has the right numbers, but in other places");
    for (size_t k = 0; k < 3; k++)
        snprintf(cases[k].arrays[1].name, sizeof cases[k].arrays[1].name, "actions");
    expect(cases, 3, "only_one_rank", NULL); /* a field of one is none of another */
    for (size_t k = 0; k < 3; k++)
        snprintf(cases[k].arrays[1].name, sizeof cases[k].arrays[1].name, "rows_of");
    cases[2].arrays[1].sum = 21;
    expect(cases, 3, "only_one_rank", NULL);
    cases[2].arrays[1].sum = 22;
    cases[1].arrays[1].elements = 2; /* one number a rank has no places */
    expect(cases, 3, "only_one_rank", NULL);
}

static void what_two_products_explain_is_not_named(void **state)
{
    (void)state;
    struct vl_facts cases[2] = {with_figure(100, 124, 8, 12, 1), with_figure(300, 330, 10, 15, 1)};
    expect(cases, 2, NULL, NULL); /* 3 × width, or 2 × tokens */
    cases[1] = with_figure(300, 330, 10, 14, 1);
    expect(cases, 2, "extra_term", "3 × width");
}

/* 1 / (1 - 1) is infinite, and nothing is near to that. */
static void an_infinite_relation_fits_nothing(void **state)
{
    (void)state;
    struct vl_facts cases[1] = {with_figure(1, 2, 8, 17, 1)};
    expect(cases, 1, NULL, NULL);
}

/* Of two cases a quotient of sizes is believed if the numbers are large. */
static void a_quotient_of_two_cases_needs_large_numbers(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{811, 35}, {1229, 52}};
    for (int large = 0; large <= 1; large++) {
        struct vl_facts cases[2];
        for (int k = 0; k < 2; k++) {
            double width = (double)sizes[k][0], tokens = (double)sizes[k][1];
            double term = (large ? 6 * width : 6) * width * (tokens - 1) / tokens;
            cases[k] = with_figure(1e8, 1e8 - term, sizes[k][0], sizes[k][1], 1);
        }
        expect(cases, 2, large ? "lost_term" : NULL,
               large ? "6 × width × width × (tokens - 1) / tokens" : NULL);
    }
}

/* Of an array that the ranks share, what is not a rank's own, times four sizes. */
static void a_share_of_the_ranks_is_named(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{8, 17, 2},  {12, 7, 3},  {20, 31, 5},
                                       {28, 11, 7}, {44, 13, 2}, {52, 19, 3}};
    struct vl_facts cases[6];
    for (int k = 0; k < 6; k++) {
        const double width = (double)sizes[k][0], tokens = (double)sizes[k][1];
        const double ranks = (double)sizes[k][2];
        cases[k] = with_figure(1e9, 1e9 - 2 * width * width * tokens * tokens * (1 - 1 / ranks),
                               sizes[k][0], sizes[k][1], (int)ranks);
    }
    expect(cases, 6, "lost_term",
           "`bytes` is too small by 2 × width × width × tokens × tokens × (1 - 1/ranks):");
}

/* A count that lacks each rank's own is such a share, whatever the reason. */
static void a_share_of_the_ranks_is_no_factor(void **state)
{
    (void)state;
    struct vl_facts cases[3] = {with_figure(2, 1, 8, 17, 2), with_figure(3, 2, 12, 7, 3),
                                with_figure(5, 4, 20, 31, 5)};
    expect(cases, 3, "lost_term", "too small by 1");
    for (size_t k = 0; k < 3; k++) {
        cases[k].figure *= 100 + 7 * (double)k * (double)k;
        cases[k].right_figure *= 100 + 7 * (double)k * (double)k;
    }
    expect(cases, 3, NULL, NULL);
}

/* Whatever the right figures are: one bound, or one operand, is all that came out. */
static void a_figure_that_is_just_a_product_is_named(void **state)
{
    (void)state;
    struct vl_facts cases[3] = {with_figure(313.5, 8, 8, 17, 2), with_figure(97.1, 12, 12, 7, 3),
                                with_figure(41.9, 5, 5, 31, 5)};
    expect(cases, 3, "only_a_product", "In every case that fails, `bytes` is just width:");
    for (size_t i = 0; i < 3; i++)
        cases[i].metered = true; /* there is no formula */
    expect(cases, 3, NULL, NULL);
    for (size_t i = 0; i < 3; i++)
        cases[i].metered = false;
    cases[2].figure = 5.5;
    expect(cases, 3, NULL, NULL);
}

static void a_term_of_one_stage_is_named_there(void **state)
{
    (void)state;
    struct vl_facts cases[6];
    for (int i = 0; i < 6; i++) {
        bool sharded = i % 2;
        double width = 5 + i * i, tokens = 11 + i;
        cases[i] = with_figure(1e4, 1e4 - (sharded ? 2 * width * tokens : 7 + i * tokens),
                               (int64_t)width, (int64_t)tokens, 1);
        add_number(&cases[i], "stage", sharded ? 3 : 1);
    }
    expect(cases, 6, "lost_term",
           "In every case that fails with `stage` = 3, `bytes` is too small by 2 × w");
}

static void one_factor_of_a_figure_is_named(void **state)
{
    (void)state;
    struct vl_facts cases[4] = {with_figure(100, 50, 8, 17, 2), with_figure(90, 30, 12, 7, 3),
                                with_figure(80, 16, 5, 31, 5), on(1)};
    expect(cases, 4, "wrong_factor", "`bytes` is 1 / ranks times what it should be.");
    for (int i = 0; i < 3; i++)
        cases[i].figure = 3 * cases[i].right_figure;
    expect(cases, 4, "wrong_factor", "`bytes` is 3 times what it should be.");
}

static void a_relation_to_the_right_figure_is_named(void **state)
{
    (void)state;
    static const struct {
        double right, got;
        const char *code;
    } table[] = {
        {7.5, 0, "always_zero"},
        {1, 0, NULL}, /* no instead of yes */
        {0.4, -0.4, "sign_flipped"},
        {0.4, 2.5, "inverse"},
        {0.4, 0.6, "complement"},
        {0.25, 0.2, "share_of_the_sum"},
        {0.2, 0.25, "share_of_the_rest"},
        {0.3, 0.09, "squared"},
        {0.09, 0.3, "root"},
        {0.07, 7, "in_percent"},
        {7, 0.07, "percent_of_percent"},
        {370.7, 370, "rounded_down"},
        {3.7, 3, NULL}, /* so small a whole number may have any reason */
        {0.7, 0, NULL}, /* one 0 may have any reason */
        {370.7, 371, "rounded_up"},
        {4, 4.5, NULL},
        {0.5, 0.5000001, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct vl_facts one = with_figure(table[i].right, table[i].got, 8, 17, 2);
        expect(&one, 1, table[i].code, NULL);
        one.metered = true;
        expect(&one, 1, NULL, NULL);
    }
    struct vl_facts two[2] = {with_figure(0.4, 2.5, 8, 17, 2), with_figure(0.4, 2.4, 8, 17, 2)};
    expect(two, 2, NULL, NULL);
    struct vl_facts zeros[2] = {with_figure(0.7, 0, 8, 17, 2), with_figure(1.8, 1, 9, 7, 2)};
    expect(zeros, 2, "rounded_down", NULL);
}

static void only_large_numbers_are_wrong(void **state)
{
    (void)state;
    struct vl_facts cases[2] = {on(-1), on(1)};
    add_array(&cases[0], "bytes", 0, 1);
    add_array(&cases[1], "bytes", 1, 0);
    cases[0].smallest_wrong = 3e9;
    cases[0].largest_right = 5e8;
    cases[1].largest_right = 2e9;
    expect(cases, 2, "beyond_32_bits", "2^31");
    cases[1].largest_right = 2.5e9;
    expect(cases, 2, NULL, NULL);
    cases[0].smallest_wrong = 5e9;
    expect(cases, 2, "beyond_32_bits", "2^32");
    cases[0].smallest_wrong = 1e22; /* too large for 64 bits, too */
    expect(cases, 2, NULL, NULL);
    cases[0].smallest_wrong = 5e9;
    cases[1].array_count = 0; /* nothing is known about a case */
    expect(cases, 2, NULL, NULL);
}

static void one_rank_or_one_array_is_wrong(void **state)
{
    (void)state;
    struct vl_facts cases[3] = {on(-3), on(-4), on(3)};
    static const struct {
        uint32_t y[2], z[2]; /* the ranks on which they are wrong, in both cases that fail */
        const char *code, *said;
    } table[] = {
        {{1, 1}, {1, 1}, "only_first_rank_wrong", NULL},
        {{4, 8}, {4, 8}, "only_last_rank_wrong", NULL},
        {{6, 14}, {2, 2}, "only_first_rank_right", NULL},
        {{3, 7}, {1, 1}, "only_last_rank_right", NULL},
        {{2, 15}, {0, 0}, "only_one_array", "except y."},
        {{2, 15}, {2, 0}, NULL, NULL},
        {{2, 0}, {0, 2}, NULL, NULL},
        {{1, 2}, {1, 2}, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t k = 0; k < 2; k++) {
            uint32_t all = k == 0 ? 7 : 15;
            cases[k].array_count = 0;
            add_array(&cases[k], "y", all & ~table[i].y[k], table[i].y[k]);
            add_array(&cases[k], "z", all & ~table[i].z[k], table[i].z[k]);
        }
        expect(cases, 3, table[i].code, table[i].said);
    }
    cases[0].array_count = cases[1].array_count = 0;
    for (size_t k = 0; k < 2; k++)
        add_array(&cases[k], "y", 0, 1); /* the only array, on the only rank: "only" says nothing */
    expect(cases, 3, NULL, NULL);
}

static void some_of_many_arrays_are_wrong(void **state)
{
    (void)state;
    struct vl_facts cases[3] = {on(-3), on(-4), on(3)};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    static const struct {
        uint32_t wrong[2]; /* which of the six, in both cases that fail */
        size_t arrays;
        const char *code, *said;
    } table[] = {
        {{3, 1}, 6, "only_some_arrays", "except a and b."},
        {{12, 12}, 4, "only_some_arrays", "except c and d."},
        {{14, 2}, 6, "only_some_arrays", "wrong is b."},
        {{7, 56}, 6, NULL, NULL}, /* none is always right */
        {{3, 1}, 3, NULL, NULL},  /* only one is */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t k = 0; k < 2; k++) {
            cases[k].array_count = 0;
            for (size_t a = 0; a < table[i].arrays; a++) {
                bool wrong = (table[i].wrong[k] >> a & 1) != 0;
                add_array(&cases[k], names[a], !wrong, wrong);
            }
        }
        expect(cases, 3, table[i].code, table[i].said);
    }
    cases[0].has_more = true;
    expect(cases, 3, NULL, NULL);
}

/* ---- facts ---- */

static void facts_come_from_inputs_and_results(void **state)
{
    (void)state;
    static const struct vl_case c = {.ranks = 2, .per_rank = 1, .bound = 1e-5, .floor = 1e-6};
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create(),
                  *outputs = vl_bag_create();
    struct vl_facts facts;
    int64_t value;
    vl_bag_set_int(inputs, "n", 9);
    vl_bag_set_int(inputs, "tag", 5);
    vl_bag_set_int(inputs, "ranks", 7);
    vl_bag_add_f32(inputs, "x", 1, 1);
    vl_facts_of_inputs(&facts, &c, inputs);
    assert_int_equal(facts.ranks, 7);
    assert_int_equal(facts.number_count, 1);
    assert_true(vl_facts_number(&facts, "n", &value) && value == 9);
    assert_false(vl_facts_number(&facts, "tag", &value));

    for (int rank = 0; rank < 2; rank++) {
        double *y = vl_bag_add_f64(expected, VL_RANKED("y", rank), 1, 2);
        float *y_got = vl_bag_add_f32(outputs, VL_RANKED("y", rank), 1, 2);
        y[0] = y_got[0] = 1;
        y[1] = y_got[1] = 2;
        vl_bag_set_int(expected, VL_RANKED("bytes", rank), 100 + rank);
        vl_bag_set_int(outputs, VL_RANKED("bytes", rank), rank == 0 ? 100 : 303);
        vl_bag_set_int(expected, VL_RANKED("status", rank), 0);
    }
    vl_facts_of_outputs(&facts, &c, expected, outputs);
    assert_int_equal(facts.array_count, 2);
    assert_true(facts.arrays[0].right == 3 && facts.arrays[0].wrong == 0);
    assert_true(facts.arrays[1].right == 1 && facts.arrays[1].wrong == 2);
    assert_true(!facts.arrays[0].is_figure && facts.arrays[1].is_figure);
    assert_true(facts.factor == 3);
    assert_true(facts.largest_right == 100 && facts.smallest_wrong == 101);

    vl_bag_f32(outputs, "y@1")[0] = 3; /* the other number is not three times as large */
    vl_facts_of_inputs(&facts, &c, inputs);
    vl_facts_of_outputs(&facts, &c, expected, outputs);
    assert_true(facts.factor == 0);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(outputs);
}

static double smallest_wrong(int64_t right, int64_t got)
{
    const struct vl_case c = {.ranks = 1};
    struct vl_facts facts;
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create(),
                  *outputs = vl_bag_create();
    vl_bag_set_int(expected, "bytes", right);
    vl_bag_set_int(outputs, "bytes", got);
    vl_facts_of_inputs(&facts, &c, inputs);
    vl_facts_of_outputs(&facts, &c, expected, outputs);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(outputs);
    return facts.smallest_wrong;
}

/* A float rounds 2^31 - 1 upwards; an int makes its own negative of 2^31. */
static void what_wraps_is_not_taken_for_rounded(void **state)
{
    (void)state;
    assert_true(isinf(smallest_wrong(2147483647, 2147483648)));
    assert_true(smallest_wrong(2147483648, -2147483648) == VL_PATTERN_LARGE);
}

static void a_table_is_read_question_by_question(void **state)
{
    (void)state;
    static const struct vl_case c = {.ranks = 1, .bound = 1e-5, .floor = 1e-6};
    enum { QUESTIONS = 6 };
    struct vl_bag *inputs = vl_bag_create(), *expected = vl_bag_create(),
                  *outputs = vl_bag_create();
    struct vl_facts facts[QUESTIONS];
    const size_t shape[] = {1, QUESTIONS};
    int64_t *ranks = vl_bag_add(inputs, "ranks", VL_I64, 2, shape), value;
    int64_t *bytes = vl_bag_add(inputs, "bytes", VL_I64, 2, shape);
    double *right = vl_bag_add_f64(expected, "seconds", 1, QUESTIONS);
    double *got = vl_bag_add_f64(outputs, "seconds", 1, QUESTIONS);
    vl_bag_add_f64(inputs, "latency", 1, QUESTIONS);
    for (int i = 0; i < QUESTIONS; i++) {
        ranks[i] = i + 1;
        bytes[i] = 100 + i;
        right[i] = i + 1;
        got[i] = i == 2 || i == 4 ? 7 : i + 1; /* on 3 and 5 ranks */
    }
    assert_int_equal(vl_facts_of_table(facts, QUESTIONS - 1, &c, inputs, expected, outputs), 0);
    assert_int_equal(vl_facts_of_table(facts, QUESTIONS, &c, inputs, expected, outputs), QUESTIONS);
    assert_true(facts[2].ranks == 3 && !facts[2].passed && facts[3].passed);
    assert_true(facts[4].factor == 7. / 5 && facts[4].smallest_wrong == 5);
    assert_int_equal(facts[4].number_count, 1);
    assert_true(vl_facts_number(&facts[4], "bytes", &value) && value == 104);
    expect(facts, QUESTIONS - 1, "only_powers_of_two", "wrong on 3 and 5");

    struct vl_bag *both[] = {vl_bag_create(), vl_bag_create()};
    for (int i = 0; i < 2; i++) {
        vl_bag_add_f64(both[i], "one", 1, 1); /* it is not asked of each */
        vl_bag_add_f64(both[i], "seconds", 1, QUESTIONS);
    }
    assert_int_equal(vl_facts_of_table(facts, QUESTIONS, &c, inputs, both[0], both[1]), 0);
    vl_bag_free(both[0]);
    vl_bag_free(both[1]);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(outputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_ranks_decides),
        cmocka_unit_test(a_choice_decides),
        cmocka_unit_test(ranks_are_compared_at_equal_choices),
        cmocka_unit_test(two_choices_that_fit_say_nothing),
        cmocka_unit_test(a_size_decides),
        cmocka_unit_test(nothing_or_one_decides),
        cmocka_unit_test(only_above_one_is_not_by_chance),
        cmocka_unit_test(one_element_alone_is_named),
        cmocka_unit_test(two_sizes_that_fit_say_nothing),
        cmocka_unit_test(two_sizes_that_are_equal_where_it_is_wrong),
        cmocka_unit_test(one_factor_everywhere_is_named),
        cmocka_unit_test(a_term_too_much_or_too_little_is_named),
        cmocka_unit_test(the_right_sum_in_wrong_places_is_named),
        cmocka_unit_test(what_two_products_explain_is_not_named),
        cmocka_unit_test(an_infinite_relation_fits_nothing),
        cmocka_unit_test(a_quotient_of_two_cases_needs_large_numbers),
        cmocka_unit_test(a_share_of_the_ranks_is_named),
        cmocka_unit_test(a_share_of_the_ranks_is_no_factor),
        cmocka_unit_test(a_figure_that_is_just_a_product_is_named),
        cmocka_unit_test(a_term_of_one_stage_is_named_there),
        cmocka_unit_test(one_factor_of_a_figure_is_named),
        cmocka_unit_test(a_relation_to_the_right_figure_is_named),
        cmocka_unit_test(a_factor_of_the_ranks_is_one_where_a_case_passes),
        cmocka_unit_test(only_large_numbers_are_wrong),
        cmocka_unit_test(one_rank_or_one_array_is_wrong),
        cmocka_unit_test(some_of_many_arrays_are_wrong),
        cmocka_unit_test(facts_come_from_inputs_and_results),
        cmocka_unit_test(what_wraps_is_not_taken_for_rounded),
        cmocka_unit_test(a_table_is_read_question_by_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
