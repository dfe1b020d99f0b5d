/*
 * Secret seeds, and the shapes that a student's predictions ask about.
 */
#include "base/file.h"
#include "base/place.h"
#include "grade/catalogue/derive.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/shapes.h"
#include "grade/diagnose/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STUDENTS 200

static const char *student(size_t i)
{
    static char name[2][32];
    char *text = name[i % 2];
    snprintf(text, sizeof name[0], "student-%03zu", i);
    return text;
}

/* ---- seeds ---- */

static void assert_mac(const char *key, const char *bytes, const char *wanted)
{
    unsigned char mac[VL_HMAC_BYTES];
    char text[2 * VL_HMAC_BYTES + 1];
    vl_hmac(mac, key, strlen(key), bytes, strlen(bytes));
    for (size_t i = 0; i < VL_HMAC_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", mac[i]);
    assert_string_equal(text, wanted);
}

/* RFC 4231, test cases 1, 2 and 6 (a key longer than a block). */
static void hmac_is_that_of_the_rfc(void **state)
{
    (void)state;
    char twenty[21] = "", long_key[132] = "";
    memset(twenty, 0x0b, 20);
    memset(long_key, 0xaa, 131);
    assert_mac(twenty, "Hi There",
               "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assert_mac("Jefe", "what do ya want for nothing?",
               "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    assert_mac(long_key, "Test Using Larger Than Block-Size Key - Hash Key First",
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

/* The first 64 bits of that HMAC, so another program can work them out. */
static void secret_seed_is_the_head_of_an_hmac(void **state)
{
    (void)state;
    static const char secret[] = "0123456789abcdef0123456789abcdef";
    static const char message[] = "vialata-seed\0training_step\0ana";
    unsigned char mac[VL_HMAC_BYTES];
    uint64_t seed = 0;
    vl_hmac(mac, secret, 32, message, sizeof message - 1);
    for (int i = 0; i < 8; i++)
        seed = seed << 8 | mac[i];
    assert_true(vl_secret_seed(secret, 32, "training_step", "ana") == seed);
    assert_true(seed == UINT64_C(0xbfd0ef20c0b4d3af));
    assert_true(vl_secret_seed(secret, 32, "training_step", "bob") != seed);
    assert_true(vl_secret_seed(secret, 32, "zero", "ana") != seed);
    assert_true(vl_secret_seed(secret, 31, "training_step", "ana") != seed);
}

static void only_a_secret_seed_is_derived_for_each_case(void **state)
{
    (void)state;
    const struct vl_origin known = {.seed = 7}, secret = {.seed = 7, .secret = true};
    assert_true(vl_origin_seed(&known, "mfu.plain") == 7);
    assert_true(vl_origin_seed(&secret, "mfu.plain") != 7);
    assert_true(vl_origin_seed(&secret, "mfu.plain") != vl_origin_seed(&secret, "mfu.refused"));
    assert_true(vl_origin_seed(&secret, "mfu.plain") == vl_origin_seed(&secret, "mfu.plain"));
    assert_true(vl_seed_of(7, 0) != 7 && vl_seed_of(7, 0) != vl_seed_of(7, 1));
}

/* ---- shapes ---- */

static void a_name_gives_the_same_choices_every_time(void **state)
{
    (void)state;
    for (size_t l = 0; l < vl_lab_count; l++)
        for (size_t i = 0; i < vl_labs[l]->shape_count; i++) {
            const struct vl_sealed_shape *shape = &vl_labs[l]->shapes[i];
            assert_true(vl_shape_drawn(vl_labs[l], shape, NULL) == shape->usual);
            for (size_t s = 0; s < STUDENTS; s++) {
                uint32_t drawn = vl_shape_drawn(vl_labs[l], shape, student(s));
                int listed = shape->choices[0] == 0 && drawn == shape->usual;
                for (size_t k = 0; k < VL_SHAPE_CHOICES && shape->choices[k] != 0; k++)
                    listed |= drawn == shape->choices[k];
                assert_true(listed);
                assert_true(drawn == vl_shape_drawn(vl_labs[l], shape, student(s)));
            }
        }
}

static struct vl_bag *truth_for(const struct vl_case *c, const char *name)
{
    const struct vl_origin origin = {.seed = 1, .student = name};
    struct vl_bag *inputs = vl_case_inputs(c, &origin), *expected = vl_bag_create();
    assert_non_null(inputs);
    assert_int_equal(c->truth(expected, inputs), VL_OK);
    vl_bag_free(inputs);
    return expected;
}

static int is_same_answer(const struct vl_case *c, const char *one, const char *other)
{
    struct vl_bag *a = truth_for(c, one), *b = truth_for(c, other);
    int same = vl_bag_difference(a, b) == NULL;
    vl_bag_free(a);
    vl_bag_free(b);
    return same;
}

/* Of the predictions of all labs together. The guess of lab 10 is one for everybody. */
static void classmates_have_other_answers(void **state)
{
    (void)state;
    size_t asked = 0, same = 0, usual = 0;
    for (size_t l = 0; l < vl_lab_count; l++) {
        const struct vl_lab_cases *cases = vl_lab_cases(vl_labs[l]);
        for (size_t i = 0; i < cases->case_count; i++)
            for (size_t s = 0; cases->cases[i].sealed && s + 1 < STUDENTS; s += 5, asked++) {
                same += (size_t)is_same_answer(&cases->cases[i], student(s), student(s + 1));
                usual += (size_t)is_same_answer(&cases->cases[i], student(s), NULL);
            }
    }
    print_message("%zu asked, %zu the same for two students, %zu as usual\n", asked, same, usual);
    assert_true(10 * same < 2 * asked);
    assert_true(10 * usual < asked);
}

static char *text_of(const char *place, const struct vl_lab *lab)
{
    char below[128], *text = NULL;
    size_t n;
    snprintf(below, sizeof below, "%s/" VL_PREDICTION, lab->folder);
    char *path = vl_place_path(place, below);
    assert_int_equal(vl_file_read(&text, &n, path, 1 << 20), VL_OK);
    free(path);
    return text;
}

/* All constants that may be drawn are in the file, as the grader has them. */
static void predict_files_have_the_usual_shapes(void **state)
{
    (void)state;
    static const char *const places[] = {"labs", "solutions"};
    for (size_t l = 0; l < vl_lab_count; l++)
        for (size_t p = 0; p < 2; p++) {
            char *text = text_of(places[p], vl_labs[l]);
            assert_true(vl_shapes_agree(text, vl_labs[l], NULL));
            for (size_t s = 0; s < 20; s++) {
                char *mine = vl_shapes_written(text, vl_labs[l], student(s));
                assert_true(vl_shapes_agree(mine, vl_labs[l], student(s)));
                assert_false(vl_shapes_agree(mine, vl_labs[l], NULL));
                assert_false(vl_shapes_agree(mine, vl_labs[l], student(s + 1)));
                char *back = vl_shapes_written(mine, vl_labs[l], NULL);
                assert_string_equal(back, text);
                free(back);
                free(mine);
            }
            free(text);
        }
}

static void a_name_is_matched_as_a_whole_and_a_missing_one_is_usual(void **state)
{
    (void)state;
    const struct vl_lab *lab = vl_lab_find("01");
    assert_true(vl_shapes_agree("", lab, NULL));
    assert_true(vl_shapes_agree("MY_WIDTH = 3; WIDTHS = 5; WIDTH == 7; WIDTH = x;", lab, NULL));
    assert_false(vl_shapes_agree("enum { WIDTH =\t257 };", lab, NULL));
    assert_false(vl_shapes_agree("WIDTH = 99999999999999999999", lab, NULL));
    assert_false(vl_shapes_agree("", lab, student(1)));
}

static void the_reference_takes_the_shapes_of_a_student(void **state)
{
    (void)state;
    struct vl_reference reference;
    const struct vl_lab *lab = vl_lab_find("05");
    assert_int_equal(vl_reference_read(&reference, lab, student(3)), VL_OK);
    int found = 0;
    for (size_t i = 0; i < reference.count; i++)
        if (strcmp(reference.files[i].name, VL_PREDICTION) == 0)
            found += vl_shapes_agree(reference.files[i].text, lab, student(3));
    assert_int_equal(found, 1);
    vl_reference_free(&reference);
}

static int set_up(void **state)
{
    (void)state;
    return vl_place_start() == VL_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    vl_place_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hmac_is_that_of_the_rfc),
        cmocka_unit_test(secret_seed_is_the_head_of_an_hmac),
        cmocka_unit_test(only_a_secret_seed_is_derived_for_each_case),
        cmocka_unit_test(a_name_gives_the_same_choices_every_time),
        cmocka_unit_test(classmates_have_other_answers),
        cmocka_unit_test(predict_files_have_the_usual_shapes),
        cmocka_unit_test(a_name_is_matched_as_a_whole_and_a_missing_one_is_usual),
        cmocka_unit_test(the_reference_takes_the_shapes_of_a_student),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
