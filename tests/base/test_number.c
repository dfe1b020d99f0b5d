/* Numbers for people, in each of the five languages. */
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NB  "\u00a0"
#define NNB "\u202f"

struct forms {
    const char *language;
    const char *text;    /* 1234567.891, two decimals */
    const char *four;    /* 1234, none */
    const char *little;  /* 1.25e-5, three digits */
    const char *percent; /* 0.5, none */
    const char *bytes;   /* one and a half mebibytes */
};

static const struct forms expected[] = {
    {"en", "1,234,567.89", "1234", "1.25e-05", "50%", "1.5" NB "MiB"},
    {"fr", "1" NNB "234" NNB "567,89", "1" NNB "234", "1,25e-05", "50" NB "%", "1,5" NB "Mio"},
    {"pt_BR", "1.234.567,89", "1.234", "1,25e-05", "50%", "1,5" NB "MiB"},
    {"es", "1" NNB "234" NNB "567,89", "1234", "1,25e-05", "50" NB "%", "1,5" NB "MiB"},
    {"sk", "1" NB "234" NB "567,89", "1234", "1,25e-05", "50" NB "%", "1,5" NB "MiB"},
};

static void every_language_has_its_own_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct forms *form = &expected[i];
        char buffer[VL_NUMBER_TEXT];

        assert_int_equal(vl_text_start(form->language, NULL), VL_OK);
        assert_string_equal(vl_number_text(buffer, 1234567.891, 2), form->text);
        assert_string_equal(vl_number_text(buffer, 1234, 0), form->four);
        assert_string_equal(vl_number_short(buffer, 1.25e-5, 3), form->little);
        assert_string_equal(vl_number_percent(buffer, 0.5, 0), form->percent);
        assert_string_equal(vl_number_bytes(buffer, 3 << 19), form->bytes);
    }
}

static void sign_and_zero_are_written_once(void **state)
{
    char buffer[VL_NUMBER_TEXT];

    (void)state;
    vl_text_start("en", NULL);
    assert_string_equal(vl_number_text(buffer, -1234.5, 1), "-1234.5");
    assert_string_equal(vl_number_text(buffer, -0.001, 2), "0.00");
    assert_string_equal(vl_number_text(buffer, -123, 0), "-123");
    assert_string_equal(vl_number_text(buffer, 999.996, 2), "1000.00");
    assert_string_equal(vl_number_percent(buffer, -0.0412, 1), "-4.1%");
}

static void bytes_move_to_the_next_unit_when_they_would_round_to_1024(void **state)
{
    char buffer[VL_NUMBER_TEXT];

    (void)state;
    vl_text_start("en", NULL);
    assert_string_equal(vl_number_bytes(buffer, 0), "0" NB "B");
    assert_string_equal(vl_number_bytes(buffer, 1023), "1023" NB "B");
    assert_string_equal(vl_number_bytes(buffer, 1024), "1.0" NB "KiB");
    assert_string_equal(vl_number_bytes(buffer, (1u << 20) - 1), "1.0" NB "MiB");
    assert_string_equal(vl_number_bytes(buffer, UINT64_MAX), "16.0" NB "EiB");
    vl_text_start("fr", NULL);
    assert_string_equal(vl_number_bytes(buffer, 5), "5" NB "o");
    assert_string_equal(vl_number_bytes(buffer, (uint64_t)3 << 30), "3,0" NB "Gio");
}

static void what_is_no_number_fits_and_says_so(void **state)
{
    char buffer[VL_NUMBER_TEXT];

    (void)state;
    vl_text_start("fr", NULL);
    assert_string_equal(vl_number_text(buffer, (double)NAN, 2), "NaN");
    assert_string_equal(vl_number_text(buffer, (double)-INFINITY, 2), "-\u221e");
    assert_string_equal(vl_number_text(buffer, -1.5e300, 12), "-1,5e+300");
    assert_string_equal(vl_number_text(buffer, -999999999999999.0, 99),
                        "-999" NNB "999" NNB "999" NNB "999" NNB "999,000000000000");
    vl_number_short(buffer, -1.25e-300, 99);
    assert_string_equal(buffer, "-1,25e-300");
}

static void a_number_keeps_its_unit(void **state)
{
    (void)state;
    static const char *const joined[] = {"8 MB",     "2,5 Go/s",   "12 ms.", "3 bytes of",
                                         "4 bajtov", "100 Gbit/s", "5 %"};
    static const char *const apart[] = {"8 more", "x MB", "8 MBx", "8 secret", "8 bajtík", "8 W1"};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        assert_true(vl_number_parts(joined[i], strcspn(joined[i], " ")));
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        assert_false(vl_number_parts(apart[i], strcspn(apart[i], " ")));
    assert_false(vl_number_parts(" s", 0));
    assert_false(vl_number_parts("8 MB", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_keeps_its_unit),
        cmocka_unit_test(every_language_has_its_own_forms),
        cmocka_unit_test(sign_and_zero_are_written_once),
        cmocka_unit_test(bytes_move_to_the_next_unit_when_they_would_round_to_1024),
        cmocka_unit_test(what_is_no_number_fits_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
