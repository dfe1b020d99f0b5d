/*
 * Sequence parallelism and memory: what the engine takes from its arena for a rank, against counts
 * made by hand. Models are made and not run, so one process can have any place in a group.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/model/model.h"
#include "mpi_alone.h"
#include "vialata/tensor_parallel.h"

/* N / t fills whole cache lines up to t = 4, so the arena adds nothing. */
enum { L = 3, D = 16, T = 64, ROWS = 2, N = ROWS * T };
static const struct vl_shape shape = {
    .layers = L, .width = D, .heads = 4, .ff = 24, .vocabulary = 20, .sequence = T};

struct memory {
    size_t arena, kept;
};

static struct memory memory_of(int ranks, int sequence, enum vl_recompute recompute,
                               struct vl_expert_shape experts)
{
    const struct vl_model_plan plan = {.shape = shape,
                                       .rows = ROWS,
                                       .kind = VL_MODEL_LEARNS,
                                       .recompute = recompute,
                                       .experts = experts,
                                       .tensor = {MPI_COMM_SELF, ranks - 1, ranks, sequence}};
    struct vl_model *model = NULL;
    assert_int_equal(vl_model_create_part(&model, &plan), VL_OK);
    const struct memory memory = {vl_model_activation_bytes(model), vl_model_kept_bytes(model)};
    vl_model_free(model);
    return memory;
}

static const struct vl_expert_shape dense = {0}, routed = {.experts = 4, .chosen = 2, .scale = 1};

static void the_layers_keep_what_the_closed_form_says(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        for (int sequence = 0; sequence < 2; sequence++) {
            uint64_t bytes;
            assert_int_equal(vl_tensor_kept_bytes(&bytes, &shape, ROWS, ranks, sequence), VL_OK);
            assert_int_equal(memory_of(ranks, sequence, VL_RECOMPUTE_NONE, dense).kept, bytes);
        }
}

/* Floats of rows that other ranks have, once 'gathered' arrays for all of them are taken off. */
static size_t saved(int ranks, size_t per_token, size_t gathered)
{
    size_t others = N - N / (size_t)ranks;
    return others * per_token - gathered * N * D;
}

/* For a token: L times x, mid and the norms' outputs of D, and two 1/rms; then the last x, the head's
 * input and its 1/rms. */
static void the_peak_falls_by_the_rows_of_the_other_ranks(void **state)
{
    (void)state;
    const size_t per_token = L * (4 * D + 2) + 2 * D + 1;
    for (int ranks = 2; ranks <= 4; ranks *= 2)
        for (enum vl_recompute mode = VL_RECOMPUTE_NONE; mode <= VL_RECOMPUTE_SELECTIVE; mode++) {
            size_t whole = memory_of(ranks, 0, mode, dense).arena,
                   shared = memory_of(ranks, 1, mode, dense).arena;
            assert_int_equal(whole - shared, sizeof(float) * saved(ranks, per_token, 1));
        }
}

/* All layers share one mid, one output of each norm, and two 1/rms. */
static void inputs_of_layers_are_shared_out_when_all_else_is_forgotten(void **state)
{
    (void)state;
    const size_t per_token = L * D + (3 * D + 2) + 2 * D + 1;
    size_t whole = memory_of(4, 0, VL_RECOMPUTE_FULL, dense).arena,
           shared = memory_of(4, 1, VL_RECOMPUTE_FULL, dense).arena;
    assert_int_equal(whole - shared, sizeof(float) * saved(4, per_token, 1));
}

/* Experts add to the sum while their input is still read, so both are gathered. */
static void experts_need_a_second_array(void **state)
{
    (void)state;
    const size_t per_token = L * (4 * D + 2) + 2 * D + 1;
    size_t whole = memory_of(4, 0, VL_RECOMPUTE_NONE, routed).arena,
           shared = memory_of(4, 1, VL_RECOMPUTE_NONE, routed).arena;
    assert_int_equal(whole - shared, sizeof(float) * saved(4, per_token, 2));
}

static void tokens_that_the_ranks_do_not_divide_are_refused(void **state)
{
    (void)state;
    struct vl_model_plan plan = {
        .shape = shape, .rows = 1, .kind = VL_MODEL_LEARNS, .tensor = {MPI_COMM_SELF, 0, 2, 1}};
    struct vl_model *model = NULL;
    plan.shape.sequence = T + 1;
    assert_int_equal(vl_model_create_part(&model, &plan), VL_ESHAPE);
    assert_null(model);
    plan.tensor.sequence = 0;
    assert_int_equal(vl_model_create_part(&model, &plan), VL_OK);
    vl_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_layers_keep_what_the_closed_form_says),
        cmocka_unit_test(the_peak_falls_by_the_rows_of_the_other_ranks),
        cmocka_unit_test(inputs_of_layers_are_shared_out_when_all_else_is_forgotten),
        cmocka_unit_test(experts_need_a_second_array),
        cmocka_unit_test(tokens_that_the_ranks_do_not_divide_are_refused),
    };
    begin_mpi();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    end_mpi();
    return failed;
}
