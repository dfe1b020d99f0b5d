/*
 * Where traffic is graded, the truth says how many bytes the ranks need for it, and how many messages.
 * Otherwise the audit would have to believe the meters, which a submission can forge.
 */
#include "grade/catalogue/case.h"
#include "grade/catalogue/maker.h"
#include "grade/judge/judge.h"
#include "grade/run/traffic.h"
#include "ranks/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_traffic(const struct vl_case *c)
{
    const char *end = strstr(c->function, "_traffic");
    return c->per_rank && c->ranks > 1 && end != NULL && strcmp(end, "_traffic") == 0;
}

static struct vl_judged judged(const struct vl_case *c)
{
    const struct vl_origin origin = {.seed = 20260101};
    struct vl_bag *inputs = vl_case_inputs(c, &origin), *nothing = vl_bag_create();
    struct vl_case_result result = {0};
    struct vl_judged judged;
    assert_non_null(inputs);
    assert_int_equal(vl_judge(&result, &judged, c, 1, inputs, nothing), VL_OK);
    free(result.code);
    free(result.message);
    vl_bag_free(inputs);
    vl_bag_free(nothing);
    return judged;
}

static void the_truth_bounds_all_traffic(void **state)
{
    int found = 0;
    (void)state;
    for (size_t lab = 0; lab < vl_lab_count; lab++)
        for (size_t i = 0; i < vl_all_cases[lab]->case_count; i++) {
            const struct vl_case *c = &vl_all_cases[lab]->cases[i];
            if (!is_traffic(c))
                continue;
            struct vl_judged right = judged(c);
            found++;
            if (right.sent_bytes < 0 || right.sent_messages < 0)
                fail_msg("%s: %lld bytes, %lld messages", c->id, (long long)right.sent_bytes,
                         (long long)right.sent_messages);
        }
    assert_true(found > 0);
}

static struct vl_case_result judge_traffic(const struct vl_audit *audit,
                                           const struct vl_judged *right)
{
    struct vl_case_result result = {.status = VL_CASE_PASSED, .points = 1};
    bool tainted = false;
    vl_judge_traffic(&result, audit, right, &tainted);
    return result;
}

static struct vl_case_result told(uint64_t claimed, uint64_t payload)
{
    const struct vl_audit audit = {.ranks = 2,
                                   .counted = true,
                                   .own = 640,
                                   .count.bytes = payload,
                                   .least = claimed,
                                   .most = claimed};
    const struct vl_judged right = {.sent_bytes = 8000,
                                    .sent_messages = 8,
                                    .rank_bytes = {4000, 4000},
                                    .rank_messages = {4, 4}};
    return judge_traffic(&audit, &right);
}

/* Who sends too much by MPI, and does not hide it, is not told that data went past MPI. */
static void too_much_is_told_from_hidden(void **state)
{
    (void)state;
    struct vl_case_result right = told(8000, 8500), open = told(16000, 16500),
                          hidden = told(8000, 16500);
    assert_null(right.code);
    assert_string_equal(open.code, "too_many_bytes");
    assert_string_equal(hidden.code, "bytes_unmetered");
    assert_true(right.points == 1 && open.points == 0 && hidden.points == 0);
    free(open.code);
    free(open.message);
    free(hidden.code);
    free(hidden.message);
}

/* The sum is right, and one rank sends almost all of it. */
static void one_rank_may_not_send_for_all(void **state)
{
    const struct vl_judged right = {.sent_bytes = 8000,
                                    .sent_messages = 8,
                                    .rank_bytes = {4000, 4000},
                                    .rank_messages = {4, 4}};
    struct vl_audit audit = {.ranks = 2,
                             .counted = true,
                             .own = 768,
                             .count = {.bytes = 8400, .each = true},
                             .least = 8000,
                             .most = 8000};
    (void)state;
    audit.count.rank[0].bytes = audit.count.rank[1].bytes = 4200;
    struct vl_case_result fair = judge_traffic(&audit, &right);
    audit.count.rank[0].bytes = 7400;
    audit.count.rank[1].bytes = 1000;
    struct vl_case_result first = judge_traffic(&audit, &right);
    audit.count.each = false;
    struct vl_case_result unknown = judge_traffic(&audit, &right);
    assert_true(fair.points == 1 && unknown.points == 1);
    assert_string_equal(first.code, "bytes_unmetered");
    assert_true(first.points == 0);
    free(first.code);
    free(first.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truth_bounds_all_traffic),
        cmocka_unit_test(too_much_is_told_from_hidden),
        cmocka_unit_test(one_rank_may_not_send_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
