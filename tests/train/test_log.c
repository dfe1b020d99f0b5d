#include "train/log/log.h"

#include "base/file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch_file.h"

static struct vl_problem problem;

static void assert_holds(const char *text)
{
    char *bytes;
    size_t n;
    assert_int_equal(vl_file_read(&bytes, &n, path, 10000), VL_OK);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void put(const char *text)
{
    assert_int_equal(vl_file_write(path, text, strlen(text)), VL_OK);
}

static void line_is_on_disk_when_the_call_returns_with_all_digits(void **state)
{
    (void)state;
    struct vl_log log;
    put("an older log\n");
    assert_int_equal(vl_log_open(&log, path, NULL, 0, &problem), VL_OK);
    assert_int_equal(vl_log_line(&log, json_pack("{s:i, s:f}", "step", 1, "loss", 0.1), &problem),
                     VL_OK);
    assert_holds("{\"step\":1,\"loss\":0.10000000000000001}\n");
    vl_log_close(&log);
}

static void events_are_the_same_lines(void **state)
{
    (void)state;
    struct vl_log log;
    char *heard = NULL;
    size_t n;
    FILE *events = open_memstream(&heard, &n);
    assert_int_equal(vl_log_open(&log, path, events, 0, &problem), VL_OK);
    assert_int_equal(vl_log_line(&log, json_pack("{s:i}", "step", 1), &problem), VL_OK);
    vl_log_close(&log);
    fclose(events);
    assert_holds(heard);
    free(heard);
}

static void resumed_log_loses_later_steps_and_a_torn_line_only(void **state)
{
    (void)state;
    struct vl_log log;
    put("{\"run\":{}}\n{\"step\":1}\n{\"step\":2}\n{\"saved\":\"x\",\"step\":2}\nrubbish\n"
        "{\"step\":3}\n{\"saved\":\"x\",\"step\":3}\n{\"step\":4,\"lo");
    assert_int_equal(vl_log_open(&log, path, NULL, 2, &problem), VL_OK);
    assert_int_equal(vl_log_line(&log, json_pack("{s:i}", "step", 3), &problem), VL_OK);
    vl_log_close(&log);
    assert_holds("{\"run\":{}}\n{\"step\":1}\n{\"step\":2}\n{\"saved\":\"x\",\"step\":2}\n"
                 "{\"step\":3}\n");
}

static void line_without_its_end_is_not_grown_together_with_the_next(void **state)
{
    (void)state;
    struct vl_log log;
    put("{\"run\":{}}\n{\"step\":1}");
    assert_int_equal(vl_log_open(&log, path, NULL, 1, &problem), VL_OK);
    vl_log_close(&log);
    assert_holds("{\"run\":{}}\n");
}

static void resumed_log_starts_where_there_was_none(void **state)
{
    (void)state;
    struct vl_log log;
    put("");
    assert_int_equal(vl_log_open(&log, path, NULL, 2, &problem), VL_OK);
    vl_log_close(&log);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(vl_log_open(&log, path, NULL, 2, &problem), VL_OK);
    vl_log_close(&log);
    assert_holds("");
}

static void file_that_is_no_log_is_not_added_to(void **state)
{
    (void)state;
    static const char *const texts[] = {"Dear diary\n", "{\"step\":1}\n", "[]\n", "no line end"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct vl_log log;
        put(texts[i]);
        assert_int_equal(vl_log_open(&log, path, NULL, 2, &problem), VL_EFORMAT);
        assert_string_equal(problem.code, "log_foreign");
        assert_holds(texts[i]);
    }
}

static void log_that_cannot_be_written_says_so(void **state)
{
    (void)state;
    struct vl_log log;
    assert_int_equal(vl_log_open(&log, "/no/such/folder/log", NULL, 0, &problem), VL_EIO);
    assert_non_null(strstr(problem.message, "/no/such/folder/log"));
    assert_int_equal(vl_log_open(&log, "/tmp", NULL, 0, &problem), VL_EIO);
    log = (struct vl_log){.file = fopen("/dev/full", "w"), .path = "/dev/full"};
    assert_int_equal(vl_log_line(&log, json_object(), &problem), VL_EIO);
    assert_string_equal(problem.code, "disk_full");
    vl_log_close(&log);
}

static void file_ends_at_the_first_lost_line_and_events_go_on(void **state)
{
    (void)state;
    char *told = NULL;
    size_t bytes;
    struct vl_log log = {
        .file = fopen("/dev/full", "w"), .path = "full", .events = open_memstream(&told, &bytes)};
    assert_int_equal(vl_log_line(&log, json_object(), &problem), VL_EIO);
    assert_int_equal(vl_log_line(&log, json_array(), &problem), VL_OK);
    assert_int_equal(log.status, VL_EIO);
    assert_null(log.file);
    assert_string_equal(told, "{}\n[]\n");
    fclose(log.events);
    free(told);
}

static void what_was_saved_is_added_to_the_problem(void **state)
{
    (void)state;
    errno = ENOSPC;
    vl_problem_writing(&problem, "the log");
    vl_problem_saved(&problem, "a.st", 7);
    assert_string_equal(problem.code, "disk_full");
    assert_int_equal(problem.status, VL_EIO);
    assert_non_null(strstr(problem.message, "the log"));
    assert_non_null(strstr(problem.message, "step 7"));
    assert_non_null(strstr(problem.message, "--resume a.st"));
}

static void reader_of_events_may_go_away(void **state)
{
    (void)state;
    struct vl_log log;
    FILE *full = fopen("/dev/full", "w");
    assert_int_equal(vl_log_open(&log, path, full, 0, &problem), VL_OK);
    assert_int_equal(vl_log_line(&log, json_object(), &problem), VL_OK);
    assert_true(log.unheard);
    assert_int_equal(vl_log_line(&log, json_object(), &problem), VL_OK);
    assert_holds("{}\n{}\n");
    vl_log_close(&log);
    fclose(full);
}

static void path_of_any_bytes_becomes_a_json_text(void **state)
{
    (void)state;
    json_t *text = vl_log_text("a\xff/\xc3\xa9\033");
    assert_string_equal(json_string_value(text), "a\xef\xbf\xbd/\xc3\xa9\xef\xbf\xbd");
    json_decref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(line_is_on_disk_when_the_call_returns_with_all_digits),
        WITH_FILE(events_are_the_same_lines),
        WITH_FILE(resumed_log_loses_later_steps_and_a_torn_line_only),
        WITH_FILE(line_without_its_end_is_not_grown_together_with_the_next),
        WITH_FILE(resumed_log_starts_where_there_was_none),
        WITH_FILE(file_that_is_no_log_is_not_added_to),
        cmocka_unit_test(log_that_cannot_be_written_says_so),
        cmocka_unit_test(file_ends_at_the_first_lost_line_and_events_go_on),
        cmocka_unit_test(what_was_saved_is_added_to_the_problem),
        WITH_FILE(reader_of_events_may_go_away),
        cmocka_unit_test(path_of_any_bytes_becomes_a_json_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
