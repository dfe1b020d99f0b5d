#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "comm/span.h"

static size_t recorded(size_t *lost)
{
    size_t count;
    vl_span_all(&count, lost);
    return count;
}

static void nothing_is_recorded_until_asked(void **state)
{
    (void)state;
    size_t lost;
    vl_span_mark("early");
    vl_span_compute("early", 1, 0);
    assert_false(vl_span_recording());
    assert_int_equal(recorded(&lost), 0);
    assert_int_equal(lost, 0);
}

static void spans_come_back_as_they_were(void **state)
{
    (void)state;
    size_t count, lost;
    assert_int_equal(vl_span_record(4), VL_OK);
    double before = vl_span_clock();
    vl_span_compute("forward", 3, before);
    vl_span_mark("backward ended");
    const struct vl_span *span = vl_span_all(&count, &lost);
    assert_int_equal(count, 2);
    assert_int_equal(span[0].kind, VL_SPAN_COMPUTE);
    assert_int_equal(span[0].number, 3);
    assert_int_equal(span[0].peer, -1);
    assert_string_equal(span[0].name, "forward");
    assert_true(span[0].begin == before && span[0].end >= before);
    assert_int_equal(span[1].kind, VL_SPAN_MARK);
    assert_true(span[1].begin == span[1].end && span[1].begin >= span[0].end);
    assert_int_equal(vl_span_record(0), VL_OK);
}

static void first_spans_are_kept_and_the_rest_counted(void **state)
{
    (void)state;
    size_t lost;
    const char *const names[] = {"a", "b", "c", "d", "e"};
    assert_int_equal(vl_span_record(3), VL_OK);
    for (int i = 0; i < 5; i++)
        vl_span_mark(names[i]);
    assert_int_equal(recorded(&lost), 3);
    assert_int_equal(lost, 2);
    size_t count;
    assert_string_equal(vl_span_all(&count, &lost)[2].name, "c");
    vl_span_clear();
    assert_true(vl_span_recording());
    assert_int_equal(recorded(&lost), 0);
    assert_int_equal(lost, 0);
    assert_int_equal(vl_span_record(0), VL_OK);
    assert_false(vl_span_recording());
}

static void too_many_spans_are_refused(void **state)
{
    (void)state;
    assert_int_equal(vl_span_record(SIZE_MAX / 2), VL_ENOMEM);
    assert_false(vl_span_recording());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_recorded_until_asked),
        cmocka_unit_test(spans_come_back_as_they_were),
        cmocka_unit_test(first_spans_are_kept_and_the_rest_counted),
        cmocka_unit_test(too_many_spans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
