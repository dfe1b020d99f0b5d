/*
 * A lab's cases as a whole, without a runner: truths pass, and no answer earns nothing. Include it
 * after vialata's own headers and cmocka's.
 */
#ifndef VIALATA_TESTS_GRADE_WHOLE_LAB_H
#define VIALATA_TESTS_GRADE_WHOLE_LAB_H

#include "grade/catalogue/case.h"
#include "grade/judge/compare.h"
#include "grade/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t seeds[] = {20260101, 1, 2, 3, 77};
#define SEEDS seeds_tried()

#ifdef __SANITIZE_ADDRESS__ /* where everything takes longer, and memory is looked at, not numbers */
#define FEW_SEEDS 1
#else
#define FEW_SEEDS 2
#endif

/* All of them in the long suite, else the first ones. */
static inline size_t seeds_tried(void)
{
    const char *is_long = getenv("VIALATA_LONG");
    return is_long != NULL && is_long[0] != '\0' ? sizeof seeds / sizeof *seeds : FEW_SEEDS;
}

static inline struct vl_bag *inputs_of(const struct vl_case *c, uint64_t seed)
{
    struct vl_bag *inputs = vl_bag_create();
    assert_int_equal(c->make(inputs, c, seed), VL_OK);
    return inputs;
}

static inline struct vl_bag *truth_of(const struct vl_case *c, const struct vl_bag *inputs)
{
    struct vl_bag *expected = vl_bag_create();
    assert_int_equal(c->truth(expected, inputs), VL_OK);
    return expected;
}

static inline void forget(struct vl_case_result *result)
{
    free(result->code);
    free(result->message);
}

#define FIGURES_ALL_REAL NULL /* every result is float64 */
#define POINTS           8    /* of the function: not 1, so that forgetting them shows */

/* Outputs as a submission gives them: tensors in float32, except 'figures', which is float64. */
static inline void give(struct vl_bag *outputs, const struct vl_bag *answer, const char *figures)
{
    for (size_t a = 0; a < vl_bag_count(answer); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(answer, a);
        int is_status =
            strcmp(entry->name, "status") == 0 || strncmp(entry->name, "status@", 7) == 0;
        if (is_status || vl_bag_find(outputs, entry->name))
            continue;
        char bare[VL_RANKED_NAME];
        vl_split_name(bare, entry->name);
        int narrow = figures != NULL && entry->dtype == VL_F64 && entry->count > 1 &&
                     strcmp(bare, figures) != 0;
        void *out = vl_bag_add(outputs, entry->name, narrow ? VL_F32 : entry->dtype, entry->dims,
                               entry->shape);
        assert_non_null(out);
        for (size_t i = 0; narrow && i < entry->count; i++)
            ((float *)out)[i] = (float)((const double *)entry->data)[i];
        if (!narrow && entry->count > 0)
            memcpy(out, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
    }
}

/* Elements that do not count are NaN in the truth; a submission has some number there. */
static inline void give_numbers(struct vl_bag *outputs, const struct vl_bag *expected)
{
    for (size_t a = 0; a < vl_bag_count(outputs); a++) {
        const struct vl_tensor_entry *out = vl_bag_entry(outputs, a),
                                     *truth = vl_bag_find(expected, out->name);
        for (size_t i = 0; truth != NULL && i < truth->count && i < out->count; i++)
            if (!vl_entry_counts(truth, i) && out->dtype == VL_F32)
                ((float *)out->data)[i] = 0.0f;
            else if (!vl_entry_counts(truth, i) && out->dtype == VL_F64)
                ((double *)out->data)[i] = 0.0;
    }
}

/* Judge the answer; what it leaves out is taken from the truth. */
static inline struct vl_case_result judged(const struct vl_case *c, const struct vl_bag *inputs,
                                           const struct vl_bag *answer,
                                           const struct vl_bag *expected, const char *figures)
{
    char name[VL_RANKED_NAME];
    struct vl_case_result result = {0};
    struct vl_bag *outputs = vl_bag_create();
    for (int rank = 0; rank < c->ranks; rank++) {
        const char *own = c->per_rank ? vl_ranked(name, "status", rank) : "status";
        int alone = vl_bag_find(expected, own) != NULL; /* this rank has a status of its own */
        assert_true(vl_bag_set_int(outputs, own, vl_bag_int(expected, alone ? own : "status")));
    }
    give(outputs, answer, figures);
    give(outputs, expected, figures);
    give_numbers(outputs, expected);
    assert_int_equal(judge_and_explain(&result, c, POINTS, inputs, outputs, NULL), VL_OK);
    vl_bag_free(outputs);
    return result;
}

/* The truth earns the share of its case, and no answer earns nothing. */
static inline void assert_truths_pass(const struct vl_lab_cases *all, const char *figures)
{
    for (size_t i = 0; i < all->case_count * SEEDS; i++) {
        const struct vl_case *c = &all->cases[i / SEEDS];
        struct vl_bag *inputs = inputs_of(c, seeds[i % SEEDS]), *expected = truth_of(c, inputs);
        struct vl_case_result result = judged(c, inputs, expected, expected, figures),
                              nothing = {0};
        if (result.status != VL_CASE_PASSED || result.code != NULL ||
            !(fabs(result.points - POINTS * c->share) < 1e-12))
            fail_msg("%s, seed %zu: %s %s", c->id, (size_t)seeds[i % SEEDS], result.code,
                     result.message);
        assert_int_equal(judge_and_explain(&nothing, c, POINTS, inputs, NULL, NULL), VL_OK);
        assert_true(nothing.status != VL_CASE_PASSED && nothing.points == 0);
        forget(&result);
        forget(&nothing);
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

#endif
