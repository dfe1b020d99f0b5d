/* What a study says follows from its numbers, and no sentence claims what chance may have done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/place.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/study/study.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS 8 /* the last quarter: two of them */
#define SEEDS 3

enum { NONE, SMALL, LARGE, BIAS, WAYS };

/* Loss over the whole text, by way and seed; MaxVio is 8, 7, 6 ..., times 1 or 0.25. */
static struct vl_study *study_of(double evaluated[WAYS][SEEDS], size_t seeds)
{
    const double alphas[] = {0.01, 10};
    struct vl_study *study;
    assert_int_equal(vl_study_create(&study, alphas, 2, STEPS, seeds), VL_OK);
    for (size_t w = 0; w < WAYS; w++)
        for (size_t s = 0; s < seeds; s++) {
            struct vl_study_run *run = &study->ways[w].runs[s];
            run->evaluated = evaluated[w][s];
            for (size_t i = 0; i < STEPS; i++) {
                run->curves[VL_STUDY_LOSS][i] = 3;
                run->curves[VL_STUDY_VIOLATION][i] = (8.0 - (double)i) * (w == BIAS ? 0.25 : 1);
                run->curves[VL_STUDY_SIZE][i] = run->curves[VL_STUDY_COSINE][i] =
                    w == SMALL || w == LARGE;
            }
        }
    return study;
}

static struct vl_study_findings find(double evaluated[WAYS][SEEDS], size_t seeds)
{
    struct vl_study_findings findings;
    struct vl_study *study = study_of(evaluated, seeds);
    vl_study_find(&findings, study);
    vl_study_free(study);
    return findings;
}

static void last_quarter_is_what_counts(void **state)
{
    (void)state;
    double even[WAYS][SEEDS] = {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}};
    struct vl_study *study = study_of(even, SEEDS);
    assert_int_equal(vl_study_late_begin(study), 6);
    assert_true(vl_study_late(study, &study->ways[NONE].runs[0], VL_STUDY_VIOLATION) == 1.5);
    study->ways[NONE].runs[1].curves[VL_STUDY_VIOLATION][7] = NAN; /* ignored */
    struct vl_study_spread spread = vl_study_late_spread(study, NONE, VL_STUDY_VIOLATION);
    assert_true(spread.least == 1.5 && spread.most == 2);
    vl_study_free(study);
    struct vl_study_findings f = find(even, SEEDS);
    assert_true(f.ratio[0] == 0.25 && f.ratios.mean == 0.25 && f.ratios.most == 0.25);
    assert_true(f.bias_is_zero);
}

static void difference_smaller_than_between_seeds_is_called_chance(void **state)
{
    (void)state;
    double near[WAYS][SEEDS] = {{2, 2, 2}, {2, 2.1, 2.2}, {2, 2.1, 2.2}, {2.05, 2.15, 2.25}};
    struct vl_study_findings f = find(near, SEEDS);
    assert_int_equal(f.verdict, VL_STUDY_ALIKE);
    assert_true(fabs(f.difference + 0.05) < 1e-12 && fabs(f.chance - 0.2) < 1e-12);
    assert_false(f.large_hurts);
    assert_int_equal(find(near, 1).verdict, VL_STUDY_UNKNOWN);
}

static void difference_larger_than_between_seeds_names_the_better(void **state)
{
    (void)state;
    double bias[WAYS][SEEDS] = {{2, 2, 2}, {2, 2.1, 2.2}, {3, 3.1, 3.2}, {1, 1.1, 1.2}};
    double loss[WAYS][SEEDS] = {{2, 2, 2}, {2, 2.1, 2.2}, {3, 3.1, 3.2}, {4, 4.1, 4.2}};
    assert_int_equal(find(bias, SEEDS).verdict, VL_STUDY_BIAS_BETTER);
    assert_int_equal(find(loss, SEEDS).verdict, VL_STUDY_AUX_BETTER);
}

static void large_alpha_hurts_only_if_every_run_is_worse(void **state)
{
    (void)state;
    double apart[WAYS][SEEDS] = {{2, 2, 2}, {2, 2.1, 2.2}, {2.3, 2.4, 2.5}, {2, 2, 2}};
    double close[WAYS][SEEDS] = {{2, 2, 2}, {2, 2.1, 2.2}, {2.1, 2.4, 2.5}, {2, 2, 2}};
    double best[WAYS][SEEDS] = {{2, 2, 2}, {2.3, 2.4, 2.5}, {2, 2.1, 2.2}, {2, 2, 2}};
    struct vl_study_findings f = find(apart, SEEDS);
    assert_true(f.large_hurts && fabs(f.hurt - 0.3) < 1e-12);
    assert_int_equal(f.largest, LARGE);
    assert_false(find(close, SEEDS).large_hurts);
    assert_false(find(best, SEEDS).large_hurts);
    assert_false(find(apart, 1).large_hurts); /* nothing is known of chance */
}

static void sentences_carry_the_numbers(void **state)
{
    (void)state;
    double apart[WAYS][SEEDS] = {{2, 2, 2}, {2, 2.1, 2.2}, {2.3, 2.4, 2.5}, {2, 2.1, 2.2}};
    static const char *const wanted[] = {"0.25", "0.0000", "0.3000", "exactly 0"};
    struct vl_study *study = study_of(apart, SEEDS);
    struct vl_study_findings f;
    vl_study_find(&f, study);
    for (size_t i = 0; i < 4; i++) {
        char *sentence = vl_study_sentence(study, &f, i);
        assert_non_null(sentence);
        assert_non_null(strstr(sentence, wanted[i]));
        free(sentence);
    }
    assert_null(vl_study_sentence(study, &f, 4));
    vl_study_free(study);
}

static void numbers_that_are_missing_are_null(void **state)
{
    (void)state;
    double even[WAYS][SEEDS] = {{NAN, 2, 2}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}};
    struct vl_study *study = study_of(even, SEEDS);
    json_t *all = vl_study_json(study);
    assert_non_null(all);
    json_t *none = json_array_get(json_object_get(all, "ways"), 0),
           *run = json_array_get(json_object_get(none, "runs"), 0);
    assert_true(json_is_null(json_object_get(run, "evaluated_loss")));
    assert_true(json_is_null(json_object_get(all, "pipeline")));
    assert_int_equal(json_array_size(json_object_get(run, "loss")), STEPS);
    json_decref(all);
    vl_study_free(study);
}

/* The headings and a row per way, up to the blank line. */
static void look_at_table(const struct vl_study *study)
{
    char *text = NULL, *rest = NULL;
    size_t bytes, lines = 0;
    struct vl_terminal terminal = {.columns = 80, .stream = open_memstream(&text, &bytes)};
    assert_non_null(terminal.stream);
    vl_study_table(study, &terminal);
    assert_int_equal(fclose(terminal.stream), 0);
    char *end = strstr(text, "\n\n");
    assert_non_null(end);
    *end = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (vl_utf8_width(line) > terminal.columns)
            fail_msg("%s: wider than %d columns: %s", vl_text_language(), terminal.columns, line);
        assert_true(line[strlen(line) - 1] != ' ');
        lines++;
    }
    assert_true(lines > study->way_count);
    free(text);
}

static void table_fits_a_terminal_in_every_language(void **state)
{
    (void)state;
    static const char *const languages[] = {"en", "fr", "pt_BR", "es", "sk"};
    double even[WAYS][SEEDS] = {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}};
    struct vl_study *study = study_of(even, SEEDS);
    assert_int_equal(vl_place_start(), VL_OK);
    char *share = vl_place_path("share", NULL), *catalogues = vl_place_path("share", "locale");
    assert_non_null(share);
    assert_non_null(catalogues);
    int has_texts = access(catalogues, R_OK) == 0; /* a build without them speaks English only */
    study->ways[SMALL].alpha = 0.000123;           /* as wide as an alpha can be */
    for (size_t i = 0; i < (has_texts ? sizeof languages / sizeof *languages : 1); i++) {
        assert_int_equal(vl_text_start(languages[i], share), VL_OK);
        assert_true((strcmp(_("cosine"), "cosine") == 0) == (i == 0));
        look_at_table(study);
    }
    assert_int_equal(vl_text_start("en", share), VL_OK);
    free(catalogues);
    free(share);
    vl_place_end();
    vl_study_free(study);
}

static void what_cannot_be_studied_is_refused(void **state)
{
    (void)state;
    const double alphas[VL_STUDY_ALPHAS + 1] = {1};
    struct vl_study *study;
    assert_int_equal(vl_study_create(&study, alphas, 0, STEPS, 1), VL_EINVAL);
    assert_int_equal(vl_study_create(&study, alphas, VL_STUDY_ALPHAS + 1, STEPS, 1), VL_EINVAL);
    assert_int_equal(vl_study_create(&study, alphas, 1, 0, 1), VL_EINVAL);
    assert_int_equal(vl_study_create(&study, alphas, 1, STEPS, 0), VL_EINVAL);
    assert_int_equal(vl_study_create(&study, alphas, 1, STEPS, VL_STUDY_SEEDS + 1), VL_EINVAL);
    assert_null(study);
    vl_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_quarter_is_what_counts),
        cmocka_unit_test(difference_smaller_than_between_seeds_is_called_chance),
        cmocka_unit_test(difference_larger_than_between_seeds_names_the_better),
        cmocka_unit_test(large_alpha_hurts_only_if_every_run_is_worse),
        cmocka_unit_test(sentences_carry_the_numbers),
        cmocka_unit_test(numbers_that_are_missing_are_null),
        cmocka_unit_test(table_fits_a_terminal_in_every_language),
        cmocka_unit_test(what_cannot_be_studied_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
