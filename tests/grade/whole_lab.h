/*
 * A lab's cases as a whole, without a runner: truths pass, and every known wrong answer that does
 * harm earns its code somewhere. Include it after vialata's own headers and cmocka's.
 */
#ifndef VIALATA_TESTS_GRADE_WHOLE_LAB_H
#define VIALATA_TESTS_GRADE_WHOLE_LAB_H

#include "grade/catalogue/case.h"
#include "grade/judge/compare.h"
#include "grade/judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t seeds[] = {20260101, 1, 2, 3, 77};
#define SEEDS (sizeof seeds / sizeof *seeds)

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
#define POINTS           8    /* of the function: not 1, so that leaving them out is seen */

/* As a submission would give it: tensors in float32, but for 'figures', which is float64. */
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

/* Where no element counts, a submission has numbers too. */
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

/* Judge the answer; what it leaves out is right. */
static inline struct vl_case_result judged(const struct vl_case *c, const struct vl_bag *inputs,
                                           const struct vl_bag *answer,
                                           const struct vl_bag *expected, const char *figures)
{
    char name[VL_RANKED_NAME];
    struct vl_case_result result = {0};
    struct vl_bag *outputs = vl_bag_create();
    for (int rank = 0; rank < c->ranks; rank++) {
        const char *own = c->per_rank ? vl_ranked(name, "status", rank) : "status";
        int alone = vl_bag_find(expected, own) != NULL; /* what one rank answers and no other */
        assert_true(vl_bag_set_int(outputs, own, vl_bag_int(expected, alone ? own : "status")));
    }
    give(outputs, answer, figures);
    give(outputs, expected, figures);
    give_numbers(outputs, expected);
    assert_int_equal(vl_judge(&result, c, POINTS, inputs, outputs), VL_OK);
    vl_bag_free(outputs);
    return result;
}

/* The truth earns the share of its case, and nothing at all does not. */
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
        assert_int_equal(vl_judge(&nothing, c, POINTS, inputs, NULL), VL_OK);
        assert_true(nothing.status != VL_CASE_PASSED && nothing.points == 0);
        forget(&result);
        forget(&nothing);
        vl_bag_free(inputs);
        vl_bag_free(expected);
    }
}

/* Two mistakes may come to the same in a case: with one token there is no softmax to forget. */
static inline int same_answer(const struct vl_bag *a, const struct vl_bag *b)
{
    for (size_t i = 0; i < vl_bag_count(a); i++) {
        const struct vl_tensor_entry *x = vl_bag_entry(a, i), *y = vl_bag_find(b, x->name);
        if (y == NULL || y->count != x->count || y->dtype != x->dtype)
            return 0;
        for (size_t k = 0; k < x->count; k++)
            if (!(fabs(vl_entry_value(x, k) - vl_entry_value(y, k)) < 1e-6))
                return 0;
    }
    return 1;
}

static inline int is_answer_of(const struct vl_bag *wrong, const char *code,
                               const struct vl_case *c, const struct vl_bag *inputs,
                               const struct vl_bag *expected)
{
    int same = 0;
    for (const struct vl_suspect *s = c->suspects; s->code != NULL; s++) {
        struct vl_bag *other = vl_bag_create();
        assert_int_equal(s->answer(other, inputs, expected), VL_OK);
        same |= strcmp(s->code, code) == 0 && same_answer(wrong, other);
        vl_bag_free(other);
    }
    return same;
}

/* One suspect in one case: 1 if it earns its code, 0 if it does no harm here, -1 if it gets
 * another, -2 if that is of another answer. */
static inline int accuse(const struct vl_case *c, const struct vl_suspect *suspect, uint64_t seed,
                         const char *figures)
{
    struct vl_bag *inputs = inputs_of(c, seed), *expected = truth_of(c, inputs);
    struct vl_bag *wrong = vl_bag_create();
    assert_int_equal(suspect->answer(wrong, inputs, expected), VL_OK);
    int caught = 0;
    if (vl_bag_int(expected, "status") == VL_OK && vl_bag_count(wrong) > 0) {
        struct vl_case_result result = judged(c, inputs, wrong, expected, figures);
        caught = result.status != VL_CASE_PASSED;
        assert_true(!caught || (result.points == 0 && result.message != NULL && *result.message));
        if (caught && strcmp(result.code, suspect->code) != 0)
            caught = is_answer_of(wrong, result.code, c, inputs, expected) ? -1 : -2;
        forget(&result);
    }
    vl_bag_free(inputs);
    vl_bag_free(expected);
    vl_bag_free(wrong);
    return caught;
}

/* In one case two mistakes may look alike; in some case each must be told apart. */
static inline void assert_suspects_earn_their_codes(const struct vl_lab_cases *all,
                                                    const char *figures)
{
    for (size_t i = 0; i < all->case_count; i++) {
        const struct vl_suspect *suspects = all->cases[i].suspects;
        for (size_t s = 0; suspects != NULL && suspects[s].code != NULL; s++) {
            int earned = 0;
            for (size_t k = 0; k < all->case_count && earned < 1; k++)
                if (all->cases[k].suspects == suspects)
                    for (size_t seed = 0; seed < SEEDS && earned < 1; seed++)
                        earned = accuse(&all->cases[k], &suspects[s], seeds[seed], figures);
            if (earned < 1)
                fail_msg("%s, suspect %zu: %s", all->cases[i].id, s, suspects[s].code);
        }
    }
}

/* The same with every seed, and none is taken for what it is not; how many suspects there were. */
static inline size_t assert_suspects_are_told_apart(const struct vl_lab_cases *all,
                                                    const char *figures)
{
    size_t count = 0;
    for (size_t i = 0; i < all->case_count; i++) {
        const struct vl_suspect *suspects = all->cases[i].suspects;
        int first = suspects != NULL;
        for (size_t k = 0; k < i; k++)
            first &= all->cases[k].suspects != suspects;
        for (size_t s = 0; first && suspects[s].code != NULL; s++, count++)
            for (size_t seed = 0; seed < SEEDS; seed++) {
                int earned = 0, mistaken = 0;
                for (size_t k = i; k < all->case_count; k++)
                    if (all->cases[k].suspects == suspects) {
                        int caught = accuse(&all->cases[k], &suspects[s], seeds[seed], figures);
                        earned |= caught == 1;
                        mistaken |= caught == -2;
                    }
                if (!earned || mistaken)
                    fail_msg("%s, suspect %s, seed %zu: %s", all->cases[i].id, suspects[s].code,
                             (size_t)seeds[seed],
                             mistaken ? "is taken for another" : "no case tells it");
            }
    }
    return count;
}

#endif
