/*
 * What the cases of a function show when they are read together.
 */
#include "grade/diagnose/patterns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 12

/* Cases on these ranks; a negative number is a case that failed. Ended by a zero. */
static size_t on_ranks(struct vl_facts cases[MOST], const int *ranks)
{
    size_t count = 0;
    for (; ranks[count] != 0; count++)
        cases[count] = (struct vl_facts){.ranks = abs(ranks[count]), .passed = ranks[count] > 0};
    return count;
}

/* NULL: no pattern; said: a part of the sentence, or NULL. */
static void expect(const struct vl_facts *cases, size_t count, const char *code, const char *said)
{
    struct vl_pattern pattern;
    assert_int_equal(vl_pattern_find(&pattern, cases, count), VL_OK);
    if (code == NULL && pattern.code != NULL)
        fail_msg("%s: %s", pattern.code, pattern.message);
    if (code != NULL) {
        assert_non_null(pattern.code);
        assert_string_equal(pattern.code, code);
        if (said != NULL && strstr(pattern.message, said) == NULL)
            fail_msg("\"%s\" is not in \"%s\"", said, pattern.message);
    }
    free(pattern.message);
}

static void the_number_of_ranks_decides(void **state)
{
    (void)state;
    static const struct {
        int ranks[MOST];
        const char *code, *said;
    } table[] = {
        {{1, -2, -3, -5}, "only_one_rank", "wrong on 2, 3 and 5:"},
        {{1, 2, -3, -4}, "only_two_ranks", "wrong on 3 and 4:"},
        {{2, -3, -8}, "only_two_ranks", NULL},
        {{1, 2, -3, 4, -5, 8},
         "only_powers_of_two",
         "Right on 1, 2, 4 and 8 ranks, wrong on 3 and 5"},
        {{4, -3}, "only_powers_of_two", "Right on 4 ranks, wrong on 3:"},
        {{1, 2, 3, -4}, NULL, NULL},     /* only one case speaks for it */
        {{1, -2, 2, -3}, NULL, NULL},    /* two ranks are on both sides */
        {{-1, -2, -4}, NULL, NULL},      /* nothing is right */
        {{1, 2, 4}, NULL, NULL},         /* nothing is wrong */
        {{1, 2, -3, -4, 8}, NULL, NULL}, /* four are wrong, and eight right */
        {{-1, 2, 3}, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct vl_facts cases[MOST];
        expect(cases, on_ranks(cases, table[i].ranks), table[i].code, table[i].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_ranks_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
