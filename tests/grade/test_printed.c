/*
 * What a case printed, in the stream of all ranks: here with marks as <3>, and <-> for the mark of no case.
 */
#include "grade/job/printed.h"
#include "wire/printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char stream[256];

static const char *stream_of(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        if (*text == '-')
            n += (size_t)snprintf(stream + n, sizeof stream - n, "%u", VL_PRINTED_NO_CASE);
        else
            stream[n++] = *text == '<' ? VL_PRINTED_BEGIN : *text == '>' ? VL_PRINTED_END : *text;
    stream[n] = '\0';
    return stream;
}

static void assert_printed(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    free(text);
}

static void a_case_has_what_all_ranks_printed_up_to_its_last_mark(void **state)
{
    size_t end;
    (void)state;
    assert_printed(vl_printed_of(&end, stream_of("a\n<3>b\n<3>next\n"), 3), "a\nb\n");
    assert_string_equal(stream + end, "next\n");
    assert_int_equal(vl_printed_marks(stream, end), 2);
    assert_null(vl_printed_of(&end, stream, 4));
    assert_int_equal(end, 0);
}

static void what_comes_too_late_for_its_case_is_left_out(void **state)
{
    size_t end;
    (void)state;
    assert_printed(vl_printed_of(&end, stream_of("late\n<2>now\n<3>"), 3), "now\n");
}

static void a_rank_that_is_heard_in_mid_case_loses_nothing(void **state)
{
    size_t end;
    (void)state;
    assert_printed(vl_printed_last(stream_of("old\n<2>a\n<->b\n<3>c\n<->"), 3), "a\nb\nc\n");
    assert_printed(vl_printed_of(&end, stream_of("a\n<->b\n<3>"), 3), "a\nb\n");
    assert_int_equal(vl_printed_marks(stream, strlen(stream)), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_has_what_all_ranks_printed_up_to_its_last_mark),
        cmocka_unit_test(what_comes_too_late_for_its_case_is_left_out),
        cmocka_unit_test(a_rank_that_is_heard_in_mid_case_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
