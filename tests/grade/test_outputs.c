/*
 * What a runner sends back, read by the grader: it sees by itself whether inputs were changed and
 * guards written to.
 */
#include "grade/judge/outputs.h"

#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "sandbox/scratch/scratch.h"
#include "wire/guards.h"
#include "wire/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBER = 3 };

static const struct vl_origin origin = {.seed = 20260101};
static char *folder;
static struct vl_sandbox sandbox;

/* A call on one rank, and how it went. */
struct call {
    const struct vl_case *c;
    struct vl_bag *inputs, *now, *outputs; /* as made; as the rank has them; of the rank */
    int rank;
};

static struct call begin(const char *lab, const char *id, int rank)
{
    const struct vl_lab_cases *all = vl_lab_cases(vl_lab_find(lab));
    struct call call = {.rank = rank, .outputs = vl_bag_create()};
    for (size_t i = 0; i < all->case_count; i++)
        if (strcmp(all->cases[i].id, id) == 0)
            call.c = &all->cases[i];
    assert_non_null(call.c);
    call.inputs = vl_case_inputs(call.c, &origin);
    call.now = vl_part_of(call.c, call.inputs, rank);
    vl_bag_guard(call.now, vl_guard_of(rank));
    vl_bag_guard(call.outputs, vl_guard_of(rank));
    vl_bag_add_f32(call.outputs, "y", 2, 3);
    vl_bag_add_f32(call.outputs, "z", 1, 5);
    return call;
}

/* Into the rank's results, as the runner does. */
static void send(struct call *call)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" VL_RESULTS_NAME, folder, call->rank);
    fclose(fopen(path, "w"));
    assert_true(vl_guards_add(call->outputs) && vl_guards_add(call->now));
    vl_bag_set_int(call->outputs, "status", 0);
    assert_int_equal(vl_results_add(path, VL_RESULTS_INPUTS + NUMBER, call->now), VL_OK);
    assert_int_equal(vl_results_add(path, NUMBER, call->outputs), VL_OK);
}

static struct vl_bag *take(struct call *call, int rank)
{
    return vl_outputs_of(call->c, call->inputs, &sandbox, NUMBER, rank);
}

static void end(struct call *call)
{
    vl_bag_free(call->inputs);
    vl_bag_free(call->now);
    vl_bag_free(call->outputs);
}

static void set_bytes(const struct vl_bag *bag, const char *name, ptrdiff_t byte,
                      unsigned char value)
{
    unsigned char *volatile data = (unsigned char *)vl_bag_find(bag, name)->data;
    data[byte] = value;
}

/* The places that the grader finds: of a damaged output, and of a changed input. */
static void expect(struct call *call, const char *damaged, const char *changed)
{
    send(call);
    struct vl_bag *got = take(call, 0);
    int64_t output = vl_bag_int(got, "damaged"), input = vl_bag_int(got, "inputs_changed");
    assert_int_equal(output > 0, damaged != NULL);
    assert_int_equal(input > 0, changed != NULL);
    if (damaged != NULL)
        assert_string_equal(vl_bag_entry(got, (size_t)output - 1)->name, damaged);
    if (changed != NULL)
        assert_string_equal(vl_bag_entry(call->inputs, (size_t)input - 1)->name, changed);
    vl_bag_free(got);
    end(call);
}

static struct call alone(void)
{
    return begin("01", "rmsnorm_forward.odd", 0);
}

static void an_honest_call_has_changed_nothing(void **state)
{
    (void)state;
    struct call call = alone();
    vl_bag_f32(call.outputs, "y")[2] = 1;
    expect(&call, NULL, NULL);
}

static void one_bit_of_an_input_is_seen(void **state)
{
    (void)state;
    struct call call = alone();
    const unsigned char *x = vl_bag_find(call.now, "x")->data;
    set_bytes(call.now, "x", 3, x[3] ^ 1);
    expect(&call, NULL, "x");
}

static void a_write_outside_an_output_is_seen(void **state)
{
    (void)state;
    struct call call = alone();
    set_bytes(call.outputs, "z", 5 * 4, 0);
    expect(&call, "z", NULL);
}

static void a_write_outside_an_input_is_seen(void **state)
{
    (void)state;
    struct call call = alone();
    set_bytes(call.now, "gain", -1, 0);
    expect(&call, NULL, "gain");
}

/* What the runner says about it, instead. */
static void the_runners_own_word_is_no_result(void **state)
{
    (void)state;
    static const char *const words[] = {"damaged", "inputs_changed"};
    for (size_t i = 0; i < 2; i++) {
        struct call call = alone();
        vl_bag_set_int(call.outputs, words[i], 0);
        send(&call);
        assert_null(take(&call, 0));
        end(&call);
    }
}

static void outputs_without_guards_or_inputs_are_no_result(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s/" VL_RESULTS_NAME, folder, 0);
    enum { NO_INPUTS, OTHER_INPUTS, NO_GUARDS, NO_GUARDS_OF_INPUTS, EXPERIMENTS };
    for (int lacks = 0; lacks < EXPERIMENTS; lacks++) {
        struct call call = alone();
        const struct vl_bag *now = lacks == OTHER_INPUTS ? call.outputs : call.now;
        fclose(fopen(path, "w"));
        assert_true(lacks == NO_GUARDS || vl_guards_add(call.outputs));
        assert_true(lacks == NO_GUARDS_OF_INPUTS || vl_guards_add(call.now));
        assert_int_equal(vl_results_add(path, NUMBER, call.outputs), VL_OK);
        if (lacks != NO_INPUTS)
            assert_int_equal(vl_results_add(path, VL_RESULTS_INPUTS + NUMBER, now), VL_OK);
        assert_null(take(&call, 0));
        end(&call);
    }
}

/* Each rank's inputs have poison where others' are; the arrays of all are in one bag. */
static void each_rank_is_compared_with_what_it_was_given(void **state)
{
    (void)state;
    static const char *const id = "exchange.p2_kib";
    struct call first = begin("02", id, 0), second = begin("02", id, 1);
    assert_true(first.c->per_rank);
    set_bytes(second.outputs, "z", -1, 0);
    set_bytes(first.now, "sent", 0, 0x11);
    send(&first);
    send(&second);
    struct vl_bag *got = take(&first, -1);
    assert_int_equal(vl_bag_int(got, "damaged@0"), 0);
    assert_int_equal(vl_bag_int(got, "inputs_changed@1"), 0);
    int64_t output = vl_bag_int(got, "damaged@1"), input = vl_bag_int(got, "inputs_changed@0");
    assert_in_range(output, 1, vl_bag_count(got));
    assert_string_equal(vl_bag_entry(got, (size_t)output - 1)->name, "z@1");
    assert_in_range(input, 1, vl_bag_count(first.inputs));
    assert_string_equal(vl_bag_entry(first.inputs, (size_t)input - 1)->name, "sent");
    vl_bag_free(got);
    end(&first);
    end(&second);
}

static int make_folder(void **state)
{
    (void)state;
    int failed = vl_scratch_create(&folder) != VL_OK;
    sandbox.folder = folder;
    return failed;
}

static int remove_folder(void **state)
{
    (void)state;
    vl_scratch_remove(folder);
    free(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_honest_call_has_changed_nothing),
        cmocka_unit_test(one_bit_of_an_input_is_seen),
        cmocka_unit_test(a_write_outside_an_output_is_seen),
        cmocka_unit_test(a_write_outside_an_input_is_seen),
        cmocka_unit_test(the_runners_own_word_is_no_result),
        cmocka_unit_test(outputs_without_guards_or_inputs_are_no_result),
        cmocka_unit_test(each_rank_is_compared_with_what_it_was_given),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
