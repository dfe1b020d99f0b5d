/* A trace made by hand tells exactly what was computed, sent and hidden; a hostile one is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "report/timeline/timeline.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X(pid, tid, name, ts, dur, args)                                                           \
    "{\"ph\":\"X\",\"pid\":" #pid ",\"tid\":" #tid ",\"name\":\"" name "\",\"ts\":" #ts            \
    ",\"dur\":" #dur ",\"args\":{" args "}}"
#define MARK(pid, ts)                                                                              \
    "{\"ph\":\"i\",\"pid\":" #pid ",\"tid\":4,\"name\":\"backward ends\",\"ts\":" #ts "}"
#define TRACE(...) "{\"traceEvents\":[" __VA_ARGS__ "]}"

/*
 * Microseconds, after 1000:          0    200   400   600   800   1000
 *   rank 0 computes                  [f 1 ][   b 1   ]..........[u]
 *          sends 300 bytes                 [======]
 *          sends 100 bytes                               [====]
 *          sends 1000 bytes, weights                              [=]
 *          waits                                       [------]
 *   rank 1 computes                  [  f 1     ][b 1 ]
 *          sends 400 bytes, activations of the forward, before any backward
 */
/* clang-format off */
static const char two_ranks[] = TRACE( /* in no order, on purpose */
    "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"rank 0\"}},"
    "{\"ph\":\"C\",\"pid\":0,\"name\":\"a counter\",\"ts\":1},"
    X(0, 0, "update", 1800, 100, "") ","
    X(0, 0, "forward", 1000, 200, "\"unit\":1") ","
    X(0, 0, "backward", 1200, 400, "\"unit\":1") ","
    MARK(0, 1600) ","
    X(0, 1, "MPI_Isend", 1200, 200, "\"peer\":1,\"bytes\":300,\"tag\":7") ","
    X(0, 1, "MPI_Isend", 1650, 150, "\"peer\":1,\"bytes\":100,\"tag\":8") ","
    X(0, 1, "MPI_Isend", 1900, 100, "\"peer\":1,\"bytes\":1000,\"tag\":9") ","
    X(0, 2, "MPI_Irecv", 1300, 200, "\"peer\":1,\"bytes\":400,\"tag\":7") ","
    X(0, 3, "MPI_Wait", 1600, 200, "") ","
    X(1, 0, "forward", 1000, 400, "\"unit\":1") ","
    X(1, 0, "backward", 1400, 200, "\"unit\":1") ","
    X(1, 1, "MPI_Isend", 1100, 100, "\"peer\":0,\"bytes\":400,\"tag\":7"));
/* clang-format on */

static struct vl_timeline *read_text(const char *text, const char **reason)
{
    struct vl_timeline *timeline = NULL;
    json_t *trace = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(trace);
    enum vl_status status = vl_timeline_read(&timeline, trace, reason);
    json_decref(trace);
    assert_int_equal(status == VL_OK, timeline != NULL);
    assert_int_equal(status == VL_OK, *reason == NULL);
    return timeline;
}

static struct vl_timeline *read_good(const char *text)
{
    const char *reason;
    struct vl_timeline *timeline = read_text(text, &reason);
    assert_non_null(timeline);
    return timeline;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.17g, not %.17g", value, expected);
}

static void two_ranks_measure_exactly(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(two_ranks);
    struct vl_timeline_facts facts;
    assert_int_equal(timeline->rank_count, 2);
    assert_int_equal(timeline->ranks[0].count, 9);
    near(timeline->seconds, 1000e-6);
    near(timeline->ranks[0].spans[0].begin, 0);
    assert_int_equal(vl_timeline_measure(&facts, timeline), VL_OK);
    const struct vl_timeline_measured *zero = &facts.ranks[0], *one = &facts.ranks[1];
    near(zero->compute_seconds, 700e-6);
    near(zero->wait_seconds, 200e-6);
    near(zero->road_seconds, 300e-6 + 150e-6 + 100e-6); /* the first two overlap */
    near(zero->hidden_seconds, 300e-6);
    near(zero->idle_share, 0.3);
    assert_int_equal(zero->sent_bytes, 1400);
    assert_int_equal(zero->gradient_bytes, 400); /* the weights after the update are none */
    assert_int_equal(zero->handed_bytes, 300);
    near(zero->handed_share, 0.75);
    near(zero->hidden_share, 300.0 / 550);
    assert_int_equal(one->sent_bytes, 400);
    assert_int_equal(one->gradient_bytes, 0); /* sent before its first backward */
    assert_true(isnan(one->handed_share));
    near(one->hidden_share, 1);
    near(facts.all.handed_share, 0.75);
    near(facts.all.hidden_share, 400.0 / 650);
    near(facts.all.idle_share, 0.35);
    json_t *json = vl_timeline_json(timeline, &facts);
    assert_true(json_is_null(
        json_object_get(json_array_get(json_object_get(json, "ranks"), 1), "handed_share")));
    json_decref(json);
    vl_timeline_free(timeline);
}

static void without_marks_backward_ends_with_its_last_span(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(TRACE(X(5, 0, "backward", 0, 100, "") "," X(
        5, 1, "s", 90, 50, "\"bytes\":30") "," X(5, 1, "s", 110, 50, "\"bytes\":10")));
    struct vl_timeline_facts facts;
    assert_int_equal(vl_timeline_measure(&facts, timeline), VL_OK);
    assert_int_equal(timeline->ranks[0].number, 5);
    near(facts.all.handed_share, 0.75);
    vl_timeline_free(timeline);
}

/* The last unit's gradients leave after its span, but before backward returns. */
static void a_mark_says_better_when_backward_ends(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(
        TRACE(X(0, 0, "backward", 0, 100, "") "," X(0, 1, "s", 105, 50, "\"bytes\":30") "," MARK(
            0, 110) "," X(0, 1, "s", 115, 50, "\"bytes\":10")));
    struct vl_timeline_facts facts;
    assert_int_equal(vl_timeline_measure(&facts, timeline), VL_OK);
    near(facts.all.handed_share, 0.75);
    vl_timeline_free(timeline);
}

/* An update of an earlier step or micro-batch is not the end of what comes after it. */
static void updates_before_the_last_backward_do_not_count(void **state)
{
    (void)state;
    struct vl_timeline *timeline =
        read_good(TRACE(X(0, 0, "backward", 0, 10, "") "," X(0, 0, "update", 10, 10, "") "," X(
            0, 0, "backward", 20, 10, "") "," X(0, 1, "s", 25, 5, "\"bytes\":8")));
    struct vl_timeline_facts facts;
    assert_int_equal(vl_timeline_measure(&facts, timeline), VL_OK);
    assert_int_equal(facts.all.handed_bytes, 8);
    vl_timeline_free(timeline);
}

static void what_is_no_trace_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "7",
        "{}",
        "[]",
        "{\"traceEvents\":7}",
        TRACE(""),
        TRACE("7"),
        TRACE("{}"),
        TRACE("{\"ph\":\"X\"}"),
        TRACE("{\"ph\":\"M\",\"pid\":0}"),
        TRACE(X(-1, 0, "f", 0, 1, "")),
        TRACE(X(1.5, 0, "f", 0, 1, "")),
        TRACE(X(99999999999, 0, "f", 0, 1, "")),
        TRACE(X(0, 0, "f", 0, -1, "")),
        TRACE(X(0, 0, "f", "1", 1, "")),
        TRACE(X(0, 0, "f", 1e300, 1, "")),
        TRACE(X(0, 0, "f", 0, 1e300, "")),
        TRACE(X(0, 0, "f", null, 1, "")),
        TRACE(X(0, 0, "f", 0, 1, "\"unit\":-4")),
        TRACE(X(0, 0, "f", 0, 1, "\"unit\":1.5")),
        TRACE(X(0, 1, "f", 0, 1, "\"bytes\":-1")),
        TRACE(X(0, 1, "f", 0, 1, "\"bytes\":9000000000000000000")),
        TRACE(X(0, 9, "of another tool", 0, 1, "")),
        TRACE("{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"name\":7,\"ts\":0,\"dur\":1}"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *reason;
        if (read_text(bad[i], &reason) != NULL)
            fail_msg("taken: %s", bad[i]);
        assert_true(strlen(reason) > 10);
    }
}

static struct vl_timeline *read_many(size_t ranks, size_t spans, const char **reason)
{
    struct vl_timeline *timeline;
    json_t *events = json_array();
    for (size_t i = 0; i < spans; i++)
        json_array_append_new(
            events, json_pack("{s:s, s:i, s:i, s:s, s:f, s:f}", "ph", "X", "pid", (int)(i % ranks),
                              "tid", (int)(i / ranks % 4), "name", "forward", "ts",
                              (double)(i * 7919 % 100003), "dur", (double)(i % 1000)));
    vl_timeline_read(&timeline, events, reason); /* a bare list is a trace as well */
    json_decref(events);
    return timeline;
}

static void sizes_have_bounds(void **state)
{
    (void)state;
    const char *reason;
    struct vl_timeline *most = read_many(VL_TIMELINE_RANKS, 1000, &reason);
    assert_non_null(most);
    vl_timeline_free(most);
    assert_null(read_many(VL_TIMELINE_RANKS + 1, 1000, &reason));
    assert_non_null(reason);
    assert_null(read_many(1, VL_TIMELINE_SPANS + 1, &reason));
    assert_non_null(reason);
}

/* Sorting the spans of a file in any order loses none of them. */
static void a_large_trace_keeps_every_span_and_makes_a_small_picture(void **state)
{
    (void)state;
    const char *reason;
    struct vl_timeline *timeline = read_many(3, 60000, &reason);
    const struct vl_timeline_part part = {timeline, NULL};
    char *svg;
    assert_non_null(timeline);
    for (size_t rank = 0; rank < 3; rank++) {
        assert_int_equal(timeline->ranks[rank].count, 20000);
        for (size_t i = 1; i < timeline->ranks[rank].count; i++)
            assert_true(timeline->ranks[rank].spans[i].begin >=
                        timeline->ranks[rank].spans[i - 1].begin);
    }
    assert_int_equal(vl_timeline_svg(&svg, &part, 1), VL_OK);
    if (strlen(svg) > 4000000) /* 60,000 blocks would take three times that */
        fail_msg("a picture of %zu bytes", strlen(svg));
    free(svg);
    vl_timeline_free(timeline);
}

static char *drawn(const struct vl_timeline *timeline, int unicode, int colour, double seconds)
{
    char *text = NULL;
    size_t bytes;
    struct vl_terminal terminal = {.unicode = unicode,
                                   .colour = colour,
                                   .columns = 65,
                                   .stream = open_memstream(&text, &bytes)};
    assert_int_equal(vl_timeline_draw(timeline, seconds, &terminal), VL_OK);
    fclose(terminal.stream);
    return text;
}

/* 15 columns of names and 50 of 20 microseconds each. */
static void plain_drawing_is_this_one(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(two_ranks);
    char *text = drawn(timeline, 0, 0, 0);
    assert_string_equal(text, "rank 0 compute FFFF1FFFFFBBBBBBBBB1BBBBBBBBBB          uuuuu\n"
                              "          road           ===============     wwwwwwwwww     =====\n"
                              "rank 1 compute FFFFFFFFF1FFFFFFFFFFBBBB1BBBBB\n"
                              "          road      =====\n"
                              "               +---------+---------+---------+---------+---------\n"
                              "            ms 0.0       0.2       0.4       0.6       0.8\n");
    free(text);
    vl_timeline_free(timeline);
}

static void a_longer_axis_leaves_room_and_no_glyph_outside_ascii(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(two_ranks);
    char *text = drawn(timeline, 0, 0, 2000e-6);
    assert_non_null(strstr(text, "rank 0 compute FF1FFBBBB1BBBBB     uu"));
    assert_non_null(strstr(text, "ms 0"));
    for (const char *at = text; *at != '\0'; at++)
        assert_true((unsigned char)*at < 0x7f && (*at == '\n' || *at >= ' '));
    free(text);
    text = drawn(timeline, 1, 1, 0);
    assert_non_null(strstr(text, "\033[7;33m1"));
    free(text);
    vl_timeline_free(timeline);
}

static void tables_and_legend_fit_eighty_columns(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(two_ranks);
    struct vl_timeline_facts facts;
    char *text = NULL;
    size_t bytes;
    struct vl_terminal terminal = {.columns = 80, .stream = open_memstream(&text, &bytes)};
    assert_int_equal(vl_timeline_measure(&facts, timeline), VL_OK);
    vl_timeline_draw_legend(&terminal);
    vl_timeline_draw_facts(timeline, &facts, &terminal);
    fclose(terminal.stream);
    assert_non_null(strstr(text, "75% of the bytes were handed to MPI before backward ended."));
    assert_non_null(strstr(text, "62% of the time on the road was hidden behind compute."));
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_true(vl_utf8_width(line) <= 80);
    free(text);
    vl_timeline_free(timeline);
}

static void hostile_names_stay_text_in_the_picture(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(
        TRACE(X(0, 0, "</title><script>'\\\"&\\u0001\\u001b[31m", 0, 1, "") "," MARK(0, 1)));
    const struct vl_timeline_part parts[] = {{timeline, "<b>\"&\x01\xff"}, {timeline, NULL}};
    char *svg;
    assert_int_equal(vl_timeline_svg(&svg, parts, 2), VL_OK);
    assert_null(strstr(svg, "<script"));
    assert_null(strstr(svg, "<b>"));
    assert_non_null(strstr(svg, "&lt;b&gt;&quot;&amp;\xef\xbf\xbd\xef\xbf\xbd"));
    assert_null(strpbrk(svg, "\x01\x1b"));
    assert_non_null(strstr(svg, "role=\"img\""));
    free(svg);
    vl_timeline_free(timeline);
}

static void a_moment_alone_can_be_drawn(void **state)
{
    (void)state;
    struct vl_timeline *timeline = read_good(TRACE(X(0, 0, "forward", 1e15, 0, "\"unit\":1")));
    const struct vl_timeline_part part = {timeline, NULL};
    struct vl_timeline_facts facts;
    char *svg, *text = drawn(timeline, 0, 0, 0);
    assert_int_equal(vl_timeline_svg(&svg, &part, 1), VL_OK);
    assert_null(strstr(svg, "nan"));
    assert_int_equal(vl_timeline_measure(&facts, timeline), VL_OK);
    near(facts.all.idle_share, 1);
    assert_true(isnan(facts.all.hidden_share));
    free(text);
    free(svg);
    vl_timeline_free(timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ranks_measure_exactly),
        cmocka_unit_test(without_marks_backward_ends_with_its_last_span),
        cmocka_unit_test(a_mark_says_better_when_backward_ends),
        cmocka_unit_test(updates_before_the_last_backward_do_not_count),
        cmocka_unit_test(what_is_no_trace_is_refused_with_a_reason),
        cmocka_unit_test(sizes_have_bounds),
        cmocka_unit_test(a_large_trace_keeps_every_span_and_makes_a_small_picture),
        cmocka_unit_test(plain_drawing_is_this_one),
        cmocka_unit_test(a_longer_axis_leaves_room_and_no_glyph_outside_ascii),
        cmocka_unit_test(tables_and_legend_fit_eighty_columns),
        cmocka_unit_test(hostile_names_stay_text_in_the_picture),
        cmocka_unit_test(a_moment_alone_can_be_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
