/* A page is well-formed, complete in itself, and obeys no text that is put into it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/draw/chart.h"
#include "report/draw/markup.h"
#include "report/draw/page.h"
#include "report/draw/roofline_picture.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEEPEST 64
#define HOSTILE "</script><b onload=\"x\">&amp; \x1b[31m\xff"

/* Every tag is closed where it must be, and nothing but known entities begins with '&'. */
static int well_formed(const char *text)
{
    char open[DEEPEST][32];
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        char name[32];
        if (*at == '&' && strncmp(at, "&lt;", 4) != 0 && strncmp(at, "&gt;", 4) != 0 &&
            strncmp(at, "&amp;", 5) != 0 && strncmp(at, "&quot;", 6) != 0)
            return 0;
        if (*at != '<' || at[1] == '!')
            continue;
        const char *end = strchr(at, '>');
        if (end == NULL || sscanf(at + 1 + (at[1] == '/'), "%31[a-z0-9]", name) != 1)
            return 0;
        if (at[1] == '/') {
            if (depth == 0 || strcmp(open[--depth], name) != 0)
                return 0;
        } else if (end[-1] != '/') {
            if (depth == DEEPEST)
                return 0;
            strcpy(open[depth++], name);
        }
    }
    return depth == 0;
}

static size_t occurrences(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
        n++;
    return n;
}

static const double rising[] = {1, 2, NAN, 4, 5};
static const double below[] = {0.5, 1.5, 2, 3.5, 4.5};
static const double above[] = {1.5, 2.5, 4, 4.5, 5.5};

static struct vl_chart two_lines(const struct vl_series *series)
{
    return (struct vl_chart){.title = "Loss",
                             .description = HOSTILE,
                             .x_label = "step",
                             .y_label = "nats",
                             .first = 1,
                             .last = 5,
                             .count = 5,
                             .series = series,
                             .series_count = 2};
}

static const struct vl_series series[] = {{"one", rising, below, above}, {HOSTILE, below, 0, 0}};

static char *whole_page(void)
{
    static const char *const heads[] = {"way", HOSTILE};
    static const char *const cells[] = {HOSTILE, "1"};
    static const double values[] = {0, 0.5, 1, NAN};
    struct vl_chart chart = two_lines(series);
    struct vl_heat heat = {"Loads", NULL, heads, heads, 2, 2, values, 0, 1, 2};
    struct vl_page page;
    char *text;
    vl_page_open(&page, HOSTILE, "One sentence.");
    vl_page_heading(&page, "First");
    vl_page_sentence(&page, "%s of %d", HOSTILE, 3);
    vl_page_figure(&page, HOSTILE);
    vl_chart_lines(page.stream, &chart);
    vl_page_end_figure(&page);
    vl_page_heading(&page, "Second");
    vl_page_table(&page, HOSTILE, heads, 2);
    vl_page_row(&page, cells, 2);
    vl_page_end_table(&page);
    vl_page_figure(&page, "heat");
    vl_chart_heat(page.stream, &heat);
    vl_page_end_figure(&page);
    vl_page_verbatim(&page, HOSTILE);
    assert_int_equal(vl_page_take(&page, &text), VL_OK);
    return text;
}

static void page_is_well_formed_and_asks_for_nothing(void **state)
{
    (void)state;
    char *text = whole_page();
    assert_true(well_formed(text));
    assert_int_equal(strncmp(text, "<!DOCTYPE html>\n<html lang=\"en\">", 32), 0);
    static const char *const outside[] = {"http", "<script", "<link", "src=", "url(", "@import"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_null(strstr(text, outside[i]));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    assert_int_equal(occurrences(text, "<section>"), 2);
    assert_int_equal(occurrences(text, "<figcaption>"), 2);
    free(text);
}

static void texts_stay_texts(void **state)
{
    (void)state;
    char *text = whole_page();
    const char *escaped = "&lt;/script&gt;&lt;b onload=&quot;x&quot;&gt;&amp;amp; ";
    assert_null(strstr(text, "<b "));
    assert_null(strchr(text, 0x1b));
    assert_null(strchr(text, '\xff'));
    /* title, h1, paragraph, caption of the figure, its description, name of a line twice, caption
     * of the table, head, cell, row and column of the heat map, verbatim */
    assert_int_equal(occurrences(text, escaped), 13);
    free(text);
}

static void what_stands_between_backquotes_is_code(void **state)
{
    (void)state;
    static const char *const cells[] = {"`--ep`", "a `lonely one"};
    struct vl_page page;
    char *text;
    vl_page_open(&page, "of `code`", "Say `--with <labs>` or `--ep`.");
    vl_page_table(&page, "``", cells, 2);
    vl_page_end_table(&page);
    vl_page_verbatim(&page, "echo `date`");
    assert_int_equal(vl_page_take(&page, &text), VL_OK);
    assert_true(well_formed(text));
    assert_non_null(strstr(text, "<h1>of `code`</h1>"));
    assert_non_null(strstr(text, "Say <code>--with &lt;labs&gt;</code> or <code>--ep</code>.</p>"));
    assert_non_null(strstr(text, "><code>--ep</code></th>"));
    assert_non_null(strstr(text, ">a `lonely one</th>"));
    assert_non_null(strstr(text, "<pre>echo `date`</pre>"));
    free(text);
}

static char *drawn(const struct vl_chart *chart)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    vl_chart_lines(stream, chart);
    fclose(stream);
    assert_true(well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

static void a_chart_alone_brings_its_colours_and_says_what_it_is(void **state)
{
    (void)state;
    struct vl_chart chart = two_lines(series);
    char *text = drawn(&chart);
    assert_null(strstr(text, "xmlns"));
    assert_null(strstr(text, "<style>"));
    free(text);
    chart.alone = 1;
    text = drawn(&chart);
    assert_int_equal(strncmp(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 40), 0);
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    assert_non_null(strstr(text, "text-anchor=\"end\">Loss</text>"));
    free(text);
}

static void a_scale_of_decades_says_the_powers(void **state)
{
    (void)state;
    struct vl_chart chart = two_lines(series);
    chart.first = -1;
    chart.last = 3;
    chart.x_decades = 1;
    char *text = drawn(&chart);
    static const char *const labels[] = {"0.1", "1", "10", "100", "1000"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        char label[64];
        snprintf(label, sizeof label, "text-anchor=\"middle\">%s</text>", labels[i]);
        assert_int_equal(occurrences(text, label), 1);
    }
    assert_int_equal(occurrences(text, "text-anchor=\"middle\""), 5);
    free(text);
}

static void lines_have_a_gap_where_there_is_no_number(void **state)
{
    (void)state;
    struct vl_chart chart = two_lines(series);
    char *text = drawn(&chart);
    const char *line = strstr(text, "stroke-dasharray=\"none\" d=\"");
    assert_non_null(line);
    const char *begin = strstr(line, "d=\"M"), *again = strchr(begin + 4, 'M');
    assert_true(again != NULL && again < strchr(begin + 4, '"'));
    assert_int_equal(occurrences(text, "class=\"band\""), 1);
    /* Values from 0.5 to 5.5: ticks from 0 to 6. The last of the first line is at 5. */
    assert_non_null(strstr(text, "L754.0 73.3\""));
    free(text);
}

static void charts_of_odd_values_are_still_charts(void **state)
{
    (void)state;
    static const double nothing[] = {NAN, NAN, NAN, NAN, NAN}, even[] = {3, 3, 3, 3, 3},
                        decades[] = {1e-3, 0, 1e-1, -1, 1e2};
    const struct vl_series odd[] = {{"nothing", nothing, 0, 0}, {"even", even, 0, 0}};
    const struct vl_series wide[] = {{"decades", decades, 0, 0}, {"nothing", nothing, 0, 0}};
    struct vl_chart chart = two_lines(odd);
    free(drawn(&chart));
    chart.series_count = 1;
    free(drawn(&chart));
    chart.count = 1;
    chart.last = 1;
    free(drawn(&chart));
    chart.series_count = 0;
    free(drawn(&chart));
    chart = two_lines(wide);
    chart.logarithmic = 1;
    char *text = drawn(&chart);
    assert_int_equal(occurrences(text, "class=\"grid\""), 6); /* 0.001, 0.01 ... 100 */
    free(text);
}

static void many_values_are_drawn_as_few_points(void **state)
{
    (void)state;
    static double many[100000];
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        many[i] = (double)i;
    const struct vl_series long_one[] = {{"long", many, many, many}, {"again", many, 0, 0}};
    struct vl_chart chart = two_lines(long_one);
    chart.count = sizeof many / sizeof *many;
    char *text = drawn(&chart);
    assert_true(strlen(text) < 60000);
    free(text);
}

static void ticks_are_round_and_few(void **state)
{
    (void)state;
    int decimals;
    assert_true(vl_markup_tick(10, 10, &decimals) == 1 && decimals == 0);
    assert_true(fabs(vl_markup_tick(0.35, 10, &decimals) - 0.05) < 1e-12 && decimals == 2);
    assert_true(vl_markup_tick(1900, 10, &decimals) == 200 && decimals == 0);
}

/* ---- the roofline ---- */

/* 'count' operators that are all alike, under a roof of 100 GFLOP/s and 10 GB/s. */
static char *roofline_of(size_t count, const char *name)
{
    struct vl_roofline roofline = {.title = "L1", .gflops = 100, .gbytes = 10};
    char *text;
    for (size_t i = 0; i < count; i++) {
        const struct vl_roofline_point point = {
            .name = name, .intensity = 0.5, .gflops = 2, .share = 0.4};
        vl_roofline_add(&roofline, &point);
    }
    assert_int_equal(vl_roofline_svg(&text, &roofline, 1), VL_OK);
    assert_true(well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

/* How many labels "norm" there are, each below the one before it by a line at least. */
static size_t labels_apart(const char *text)
{
    double last = -INFINITY, x, y;
    size_t labels = 0;
    for (const char *at = text; (at = strstr(at, "<text x=")) != NULL; at++) {
        if (strncmp(strchr(at, '>'), ">norm", 5) != 0)
            continue;
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
        assert_true(y - last >= 14);
        last = y;
        labels++;
    }
    return labels;
}

static void labels_of_operators_do_not_overlap(void **state)
{
    (void)state;
    const size_t asked[] = {5, VL_ROOFLINE_POINTS + 5}, made[] = {5, VL_ROOFLINE_POINTS};
    for (int i = 0; i < 2; i++) {
        char *text = roofline_of(asked[i], "norm");
        assert_int_equal(occurrences(text, "<circle "), made[i]);
        assert_int_equal(labels_apart(text), made[i]);
        free(text);
    }
}

static void names_of_operators_stay_texts(void **state)
{
    (void)state;
    char *text = roofline_of(1, HOSTILE);
    assert_null(strstr(text, "<b "));
    assert_null(strchr(text, 0x1b));
    free(text);
}

static void what_has_no_flops_has_no_point(void **state)
{
    (void)state;
    struct vl_roofline roofline = {.title = "L1", .gflops = 100, .gbytes = 10};
    const struct vl_roofline_point zeroing = {.name = "zeroing", .share = 0.4},
                                   norm = {.name = "norm", .intensity = 0.5, .gflops = 2};
    char *text;
    vl_roofline_add(&roofline, &zeroing);
    vl_roofline_add(&roofline, &norm);
    assert_int_equal(vl_roofline_svg(&text, &roofline, 1), VL_OK);
    assert_int_equal(occurrences(text, "<circle "), 1);
    assert_null(strstr(text, "zeroing"));
    /* The axes: 0.1 to 10 FLOPs per byte, 1 to 100 GFLOP/s. The roof begins at 0.1 FLOPs per byte
     * and 1 GFLOP/s, and ends at 100 GFLOP/s: from the lower left to the upper right corner. */
    assert_non_null(strstr(text, "d=\"M64.0 428.0L624.0 44.0H624.0\""));
    free(text);
}

static void page_is_written_whole_or_not_at_all(void **state)
{
    (void)state;
    char path[] = "/tmp/vialata-page-XXXXXX";
    struct vl_page page;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    vl_page_open(&page, "t", "s");
    assert_int_equal(vl_page_write(&page, path), VL_OK);
    vl_page_drop(&page);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fseek(file, -8, SEEK_END);
    char end[9] = "";
    assert_int_equal(fread(end, 1, 8, file), 8);
    assert_string_equal(end, "</html>\n");
    fclose(file);
    unlink(path);
    vl_page_open(&page, "t", "s");
    assert_int_equal(vl_page_write(&page, "/nowhere/at/all.html"), VL_EIO);
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_is_well_formed_and_asks_for_nothing),
        cmocka_unit_test(texts_stay_texts),
        cmocka_unit_test(what_stands_between_backquotes_is_code),
        cmocka_unit_test(a_chart_alone_brings_its_colours_and_says_what_it_is),
        cmocka_unit_test(a_scale_of_decades_says_the_powers),
        cmocka_unit_test(lines_have_a_gap_where_there_is_no_number),
        cmocka_unit_test(charts_of_odd_values_are_still_charts),
        cmocka_unit_test(many_values_are_drawn_as_few_points),
        cmocka_unit_test(ticks_are_round_and_few),
        cmocka_unit_test(labels_of_operators_do_not_overlap),
        cmocka_unit_test(names_of_operators_stay_texts),
        cmocka_unit_test(what_has_no_flops_has_no_point),
        cmocka_unit_test(page_is_written_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
