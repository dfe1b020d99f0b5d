/* Reports stay well-formed whatever bytes came from a submission. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "report/draw/plot.h"
#include "report/verdict/replay.h"
#include "report/verdict/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE                                                                                    \
    "\"quoted\" <tag> & ]]> \x01\x1b[31m\x7f \xff\xc0\xaf \xed\xa0\x80 \xef\xbf\xbf \xe2\x82 "     \
    "\xc4\xbe\n\ttail"
/* Each byte of a broken sequence is replaced alone. */
#define R "\xef\xbf\xbd"
#define CLEANED                                                                                    \
    "\"quoted\" <tag> & ]]> " R R "[31m" R " " R R R " " R R R " " R " " R R " \xc4\xbe\n\ttail"

static struct vl_verdict make_verdict(void)
{
    struct vl_verdict verdict = {.version = "0.1.0",
                                 .commit = "abc",
                                 .machine = strdup(HOSTILE),
                                 .flags = strdup("-O3"),
                                 .lab = 1,
                                 .slug = "training_step",
                                 .submission = strdup("/tmp/it's <mine>"),
                                 .seed = 7,
                                 .language = "en",
                                 .compiler = strdup(HOSTILE)};
    struct vl_case_result passed = {.id = (char *)"rmsnorm_forward.odd",
                                    .function = (char *)"vl_rmsnorm_forward",
                                    .ranks = 1,
                                    .status = VL_CASE_PASSED,
                                    .points = 0.1,
                                    .max_points = 0.1,
                                    .measured = 1e-7,
                                    .bound = 1e-5,
                                    .seconds = 0.25};
    struct vl_case_result failed = {.id = (char *)"swiglu_forward.odd",
                                    .function = (char *)"vl_swiglu_forward",
                                    .ranks = 2,
                                    .status = VL_CASE_FAILED,
                                    .max_points = 3,
                                    .code = (char *)"not_written",
                                    .message = (char *)HOSTILE,
                                    .detail = (char *)HOSTILE,
                                    .measured = NAN,
                                    .bound = INFINITY,
                                    .seconds = 0.5};
    struct vl_case_result rest = {.id = (char *)"attention_forward.odd",
                                  .function = (char *)"vl_attention_forward",
                                  .group = VL_GROUP_MEMORY,
                                  .ranks = 1,
                                  .status = VL_CASE_NOT_STARTED,
                                  .max_points = 2,
                                  .measured = 10,
                                  .bound = 20};
    assert_non_null(vl_verdict_add(&verdict, &passed));
    assert_non_null(vl_verdict_add(&verdict, &failed));
    assert_non_null(vl_verdict_add(&verdict, &rest));
    vl_verdict_close(&verdict);
    return verdict;
}

static char *report(const struct vl_verdict *verdicts, size_t count, int list,
                    enum vl_report_format format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(vl_report_write(stream, verdicts, count, list, format), VL_OK);
    fclose(stream);
    return text;
}

static json_t *parsed(char *text)
{
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        fail_msg("%s", error.text);
    free(text);
    return json;
}

/* ---- a walk over XML that accepts only what a parser would ---- */

static const char *walk_text(const char *c, char stop)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#10;", "&#9;"};
    for (; *c != stop; c++) {
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        assert_true(*c != '<' && *c != '\0');
        int known = *c != '&';
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            known |= strncmp(c, entities[i], strlen(entities[i])) == 0;
        assert_true(known);
    }
    return c;
}

static const char *walk_attributes(const char *c)
{
    while (*c == ' ') {
        c++;
        size_t name = strspn(c, "abcdefghijklmnopqrstuvwxyz_");
        assert_true(name > 0 && strncmp(c + name, "=\"", 2) == 0);
        c = walk_text(c + name + 2, '"') + 1;
    }
    return c;
}

/* Returns how many elements there were. */
static int walk_xml(const char *xml)
{
    const char *head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    char open[16][32];
    size_t depth = 0;
    int elements = 0;
    assert_memory_equal(xml, head, strlen(head));
    for (const char *c = xml + strlen(head); *c != '\0';) {
        if (*c != '<') {
            assert_true(depth > 0 || *c == '\n');
            c = depth > 0 ? walk_text(c, '<') : c + 1;
            continue;
        }
        int closing = c[1] == '/';
        c += 1 + closing;
        size_t name = strspn(c, "abcdefghijklmnopqrstuvwxyz");
        assert_true(name > 0 && name < 32);
        if (closing) {
            assert_true(depth > 0);
            depth--;
            assert_true(strlen(open[depth]) == name && strncmp(open[depth], c, name) == 0);
            c += name;
        } else {
            memcpy(open[depth], c, name);
            open[depth][name] = '\0';
            c = walk_attributes(c + name);
            elements++;
            if (*c == '/')
                c++;
            else
                depth++;
        }
        assert_true(*c == '>');
        c++;
    }
    assert_int_equal(depth, 0);
    return elements;
}

/* ---- what holds ---- */

static void hostile_bytes_are_replaced_one_by_one(void **state)
{
    (void)state;
    char *clean = vl_utf8_clean(HOSTILE);
    assert_string_equal(clean, CLEANED);
    free(clean);
    clean = vl_utf8_clean(NULL);
    assert_string_equal(clean, "");
    free(clean);
}

static void nothing_changes_the_direction_of_a_report(void **state)
{
    (void)state;
    char *clean = vl_utf8_clean("\xe2\x80\xae"
                                "57 \xe2\x81\xa6\xe2\x80\xaf\xe2\x80\xa8");
    assert_string_equal(clean, R "57 " R "\xe2\x80\xaf" R); /* U+202F stays: French needs it */
    free(clean);
}

static void width_counts_what_is_seen(void **state)
{
    (void)state;
    assert_int_equal(vl_utf8_width("\xc4\xbe\xc5\xa1 ab"), 5);  /* two letters with carons */
    assert_int_equal(vl_utf8_width("e\xcc\x81"), 1);            /* e, combining acute */
    assert_int_equal(vl_utf8_width("\xe6\xbc\xa2"), 2);         /* a wide character */
    assert_int_equal(vl_utf8_fit("\xc4\xbe\xc5\xa1 ab", 2), 4); /* never half a character */
}

static void json_has_every_field_and_null_for_what_is_no_number(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    json_t *json = parsed(report(&verdict, 1, 0, VL_REPORT_JSON));
    static const char *const fields[] = {
        "version", "commit",          "machine",  "flags",      "lab",
        "slug",    "submission",      "seed",     "language",   "status",
        "score",   "max_score",       "cases",    "throughput", "communication",
        "memory",  "submission_hash", "graded_at"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_non_null(json_object_get(json, fields[i]));
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "vialata.verdict/1");
    assert_string_equal(json_string_value(json_object_get(json, "machine")), CLEANED);
    json_t *failed = json_array_get(json_object_get(json, "cases"), 1);
    assert_string_equal(json_string_value(json_object_get(failed, "message")), CLEANED);
    assert_true(json_is_null(json_object_get(failed, "measured")));
    assert_true(json_is_null(json_object_get(failed, "bound")));
    assert_string_equal(json_string_value(json_object_get(failed, "status")), "failed");
    assert_true(
        json_is_null(json_object_get(json_array_get(json_object_get(json, "cases"), 0), "code")));
    json_t *throughput = json_object_get(json, "throughput");
    assert_true(json_is_null(json_object_get(throughput, "ratio_median")));
    assert_true(json_is_boolean(json_object_get(throughput, "stable")));
    assert_int_equal(json_array_size(json_object_get(json, "memory")), 1);
    assert_int_equal(json_array_size(json_object_get(json, "communication")), 0);
    json_decref(json);
    vl_verdict_free(&verdict);
}

static void json_of_a_list_is_an_array_even_of_one(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    json_t *json = parsed(report(&verdict, 1, 1, VL_REPORT_JSON));
    assert_true(json_is_array(json));
    assert_int_equal(json_array_size(json), 1);
    json_decref(json);
    vl_verdict_free(&verdict);
}

static void junit_is_well_formed_and_counts(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    char *xml = report(&verdict, 1, 0, VL_REPORT_JUNIT);
    assert_true(walk_xml(xml) > 8);
    assert_non_null(
        strstr(xml, "tests=\"3\" failures=\"1\" errors=\"0\" time=\"0.750\" skipped=\"1\""));
    assert_null(strstr(strstr(xml, "<testsuites"), "skipped=\"1\">\n  <testsuite "));
    assert_non_null(strstr(xml, "<failure type=\"not_written\""));
    assert_non_null(strstr(xml, "]]&gt;"));
    free(xml);
    vl_verdict_free(&verdict);
}

static void junit_tells_a_failed_build_as_an_error(void **state)
{
    (void)state;
    struct vl_verdict verdict = {.version = "0",
                                 .commit = "0",
                                 .lab = 1,
                                 .slug = "training_step",
                                 .language = "en",
                                 .status = VL_VERDICT_ERROR,
                                 .message = strdup("no <mpirun>")};
    char *xml = report(&verdict, 1, 0, VL_REPORT_JUNIT);
    walk_xml(xml);
    assert_non_null(strstr(xml, "errors=\"1\""));
    assert_non_null(strstr(xml, "no &lt;mpirun&gt;"));
    free(xml);
    vl_verdict_free(&verdict);
}

static void text_of_an_error_says_why_and_gives_no_score(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    verdict.status = VL_VERDICT_ERROR;
    verdict.score = verdict.max_score = 3;
    verdict.message = strdup("the disk is gone");
    char *text = report(&verdict, 1, 0, VL_REPORT_TEXT);
    assert_non_null(strstr(text, "the disk is gone"));
    assert_non_null(strstr(text, "No score"));
    assert_null(strstr(text, "out of"));
    free(text);
    vl_verdict_free(&verdict);
}

static void gradescope_adds_up_and_keeps_its_vocabulary(void **state)
{
    (void)state;
    struct vl_verdict verdicts[2] = {make_verdict(), make_verdict()};
    json_t *json = parsed(report(verdicts, 2, 1, VL_REPORT_GRADESCOPE));
    assert_true(fabs(json_number_value(json_object_get(json, "score")) - 0.2) < 1e-9);
    assert_true(fabs(json_number_value(json_object_get(json, "execution_time")) - 1.5) < 1e-9);
    json_t *tests = json_object_get(json, "tests"), *test;
    size_t i;
    assert_int_equal(json_array_size(tests), 6);
    json_array_foreach(tests, i, test)
    {
        const char *status = json_string_value(json_object_get(test, "status"));
        assert_true(strcmp(status, i % 3 == 0 ? "passed" : "failed") == 0);
        assert_string_equal(json_string_value(json_object_get(test, "visibility")), "visible");
        assert_true(json_is_array(json_object_get(test, "tags")));
    }
    json_decref(json);
    vl_verdict_free(&verdicts[0]);
    vl_verdict_free(&verdicts[1]);
}

static void text_in_a_file_has_no_escape_sequences(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    char *text = report(&verdict, 1, 0, VL_REPORT_TEXT);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "./vialata grade 01 --only swiglu_forward.odd --seed 7 "
                                 "--submission '/tmp/it'\\''s <mine>'"));
    assert_non_null(strstr(text, "vialata hint 01 1 --function vl_swiglu_forward"));
    assert_null(strstr(text, "--asan"));
    free(text);
    verdict.asan = 1;
    text = report(&verdict, 1, 0, VL_REPORT_TEXT);
    assert_non_null(strstr(text, "s <mine>' --asan\n"));
    free(text);
    vl_verdict_free(&verdict);
}

static void next_function_is_the_first_unfinished_and_speed_comes_last(void **state)
{
    (void)state;
    struct vl_verdict verdict = {.lab = 1};
    struct vl_case_result slow = {.id = (char *)"a.speed",
                                  .function = (char *)"vl_a",
                                  .group = VL_GROUP_THROUGHPUT,
                                  .max_points = 1};
    struct vl_case_result wrong = {
        .id = (char *)"b.odd", .function = (char *)"vl_b", .max_points = 1};
    assert_null(vl_verdict_next(&verdict));
    assert_non_null(vl_verdict_add(&verdict, &slow));
    assert_string_equal(vl_verdict_next(&verdict)->function, "vl_a");
    assert_non_null(vl_verdict_add(&verdict, &wrong));
    assert_string_equal(vl_verdict_next(&verdict)->function, "vl_b");
    vl_verdict_free(&verdict);
}

static void formats_are_found_by_name_alone(void **state)
{
    (void)state;
    enum vl_report_format format;
    for (int i = 0; i < VL_REPORT_FORMATS; i++) {
        assert_int_equal(
            vl_report_format_find(&format, vl_report_format_name((enum vl_report_format)i)), VL_OK);
        assert_int_equal(format, i);
    }
    assert_int_equal(vl_report_format_find(&format, "yaml"), VL_EINVAL);
    assert_int_equal(vl_report_format_find(&format, "JSON"), VL_EINVAL);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    struct vl_verdict verdict = make_verdict();
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    for (int i = 0; i < VL_REPORT_FORMATS; i++)
        assert_int_equal(vl_report_write(full, &verdict, 1, 0, (enum vl_report_format)i), VL_EIO);
    fclose(full);
    vl_verdict_free(&verdict);
}

static char *plotted(const double *values, size_t n)
{
    char *text = NULL;
    size_t size;
    struct vl_terminal terminal = {.stream = open_memstream(&text, &size), .columns = 60};
    vl_plot_curve(&terminal, values, n, 1, (long)n);
    fclose(terminal.stream);
    return text;
}

static void curve_falls_from_left_to_right_and_survives_gaps(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i == 50 ? (double)NAN : 100.0 - i;
    char *text = plotted(values, 100);
    const char *first = strchr(text, '*'), *last = strrchr(text, '*');
    assert_non_null(first);
    const char *first_line = first, *last_line = last;
    while (first_line > text && first_line[-1] != '\n')
        first_line--;
    while (last_line[-1] != '\n')
        last_line--;
    assert_true(first - first_line < last - last_line);
    free(text);
    double same[3] = {2, 2, 2}, none[3] = {NAN, NAN, NAN};
    free(plotted(same, 3));
    text = plotted(none, 3);
    assert_string_equal(text, "");
    free(text);
}

/* A line to type again: the name of a file is anybody's. */
static void a_word_of_a_command_steers_no_terminal(void **state)
{
    static const char *const words[][2] = {{"a/b.c", "a/b.c"},
                                           {"it's", "'it'\\''s'"},
                                           {"čo robí", "'čo robí'"},
                                           {"a\033[31m\n'b", "$'a\\033[31m\\012\\047b'"},
                                           {"a\xc2\x9b", "$'a\\302\\233'"}};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        vl_shell_word_show(out, words[i][0]);
        fclose(out);
        assert_string_equal(text, words[i][1]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_bytes_are_replaced_one_by_one),
        cmocka_unit_test(nothing_changes_the_direction_of_a_report),
        cmocka_unit_test(width_counts_what_is_seen),
        cmocka_unit_test(json_has_every_field_and_null_for_what_is_no_number),
        cmocka_unit_test(json_of_a_list_is_an_array_even_of_one),
        cmocka_unit_test(junit_is_well_formed_and_counts),
        cmocka_unit_test(junit_tells_a_failed_build_as_an_error),
        cmocka_unit_test(text_of_an_error_says_why_and_gives_no_score),
        cmocka_unit_test(gradescope_adds_up_and_keeps_its_vocabulary),
        cmocka_unit_test(text_in_a_file_has_no_escape_sequences),
        cmocka_unit_test(next_function_is_the_first_unfinished_and_speed_comes_last),
        cmocka_unit_test(formats_are_found_by_name_alone),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_word_of_a_command_steers_no_terminal),
        cmocka_unit_test(curve_falls_from_left_to_right_and_survives_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
