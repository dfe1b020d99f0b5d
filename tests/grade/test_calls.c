/*
 * A case from end to end in one process: inputs, the runner's call of the reference, the judge.
 * The runner is never linked with the grader, so the files of it that are needed are included here.
 */
#include "grade/judged.h"
#include "grade/labs/01_training_step/runner/calls.c"
#include "runner/arrays.c"
#include "runner/learner.c"

#include "grade/catalogue/case.h"
#include "wire/guards.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

MPI_Comm vl_case_comm(void)
{
    return MPI_COMM_NULL; /* one rank: it is not used */
}

static const struct vl_call *call_named(const char *function)
{
    for (const struct vl_call *call = vl_calls_training_step; call->function; call++)
        if (strcmp(call->function, function) == 0)
            return call;
    return NULL;
}

static int position(const struct vl_bag *bag, const char *name)
{
    for (size_t i = 0; name && i < vl_bag_count(bag); i++)
        if (strcmp(vl_bag_entry(bag, i)->name, name) == 0)
            return (int)i + 1;
    return 0;
}

static void the_reference_passes_every_case_whatever_the_seed(void **state)
{
    (void)state;
    const struct vl_lab_cases *all = vl_lab_cases(vl_lab_find("01"));
    const char *is_long = getenv("VIALATA_LONG");
    const uint64_t seeds = is_long != NULL && is_long[0] != '\0' ? 40 : 12;
    int failures = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        for (size_t i = 0; i < all->case_count; i++) {
            const struct vl_case *c = &all->cases[i];
            struct vl_bag *inputs = vl_bag_create(), *outputs = vl_bag_create();
            assert_int_equal(c->make(inputs, c, seed), VL_OK);
            struct vl_bag *before = vl_bag_copy(inputs);
            enum vl_status status = call_named(c->function)->run(outputs, inputs);
            vl_bag_set_int(outputs, "status", status);
            assert_true(vl_guards_add(outputs));
            vl_bag_set_int(outputs, "damaged", vl_guards_damaged(outputs, VL_GUARD_VALUE));
            vl_bag_set_int(outputs, "inputs_changed",
                           position(inputs, vl_bag_difference(before, inputs)));
            struct vl_case_result result = {0};
            assert_int_equal(judge_and_explain(&result, c, 1, before, outputs, NULL), VL_OK);
            if (result.status != VL_CASE_PASSED)
                print_error("seed %d, %s: %s: %s (%g)\n", (int)seed, c->id, result.code,
                            result.message, result.measured);
            failures += result.status != VL_CASE_PASSED;
            /* A bound that is only just kept would fail someone else's right answer. */
            assert_true(!(result.measured > 0.5 * c->bound));
            free(result.code);
            free(result.message);
            vl_bag_free(before);
            vl_bag_free(inputs);
            vl_bag_free(outputs);
        }
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_passes_every_case_whatever_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
