#include "train/log/shown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define R "\xef\xbf\xbd"

static void assert_shown(const char *bytes, const char *expected)
{
    char out[256];
    vl_shown_text(out, sizeof out, bytes);
    assert_string_equal(out, expected);
}

static void whole_characters_pass_unchanged(void **state)
{
    (void)state;
    assert_shown("plain\ttext\n", "plain\ttext\n");
    assert_shown("\xc3\xa9\xc4\xbe\xe2\x82\xac\xf0\x9f\x98\x80",
                 "\xc3\xa9\xc4\xbe\xe2\x82\xac\xf0\x9f\x98\x80");
    assert_shown("\xc2\xa0\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
                 "\xc2\xa0\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf");
}

static void bytes_that_are_no_character_become_the_replacement(void **state)
{
    (void)state;
    assert_shown("a\xff z", "a" R " z");
    assert_shown("\x80", R);
    assert_shown("\xc3", R);
    assert_shown("\xc3(", R "(");
    assert_shown("\xe2\x82", R);
    assert_shown("\xe2\x82\xc3\xa9", R "\xc3\xa9");
    assert_shown("\xc0\xaf", R R);             /* overlong */
    assert_shown("\xe0\x80\xaf", R R R);       /* overlong */
    assert_shown("\xed\xa0\x80", R R R);       /* a surrogate */
    assert_shown("\xf4\x90\x80\x80", R R R R); /* past the last character */
}

static void characters_that_steer_a_terminal_are_not_shown(void **state)
{
    (void)state;
    assert_shown("a\033[2J\r\x7f", "a" R "[2J" R R);
    assert_shown("\xc2\x9b"
                 "x",
                 R "x");
}

static void character_comes_out_with_its_last_byte(void **state)
{
    (void)state;
    struct vl_shown shown = {.count = 0};
    char out[VL_SHOWN_LONGEST];
    assert_int_equal(vl_shown_byte(out, &shown, 0xe2), 0);
    assert_int_equal(vl_shown_byte(out, &shown, 0x82), 0);
    assert_int_equal(vl_shown_byte(out, &shown, 0xac), 3);
    assert_string_equal(out, "\xe2\x82\xac");
    assert_int_equal(vl_shown_end(out, &shown), 0);
}

static void text_too_long_is_cut_at_a_character(void **state)
{
    (void)state;
    char out[24];
    vl_shown_text(out, sizeof out,
                  "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
    size_t length = strlen(out);
    assert_true(length > 0 && length < sizeof out);
    for (size_t i = 0; i + 1 < length; i += 2)
        assert_true(memcmp(out + i, "\xc3\xa9", 2) == 0 || memcmp(out + i, R, 2) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_characters_pass_unchanged),
        cmocka_unit_test(bytes_that_are_no_character_become_the_replacement),
        cmocka_unit_test(characters_that_steer_a_terminal_are_not_shown),
        cmocka_unit_test(character_comes_out_with_its_last_byte),
        cmocka_unit_test(text_too_long_is_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
