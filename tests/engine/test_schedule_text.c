/* A schedule as text: what was written is read back, and whatever is wrong is reported with its
 * place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/schedule/schedule_make.h"
#include "engine/schedule/schedule_words.h"

static struct vl_schedule schedule;
static struct vl_schedule_problem problem;
static char sentence[VL_SCHEDULE_SENTENCE];

static int forget(void **state)
{
    (void)state;
    vl_schedule_free(&schedule);
    return 0;
}

static enum vl_status parse(const char *text, size_t p, size_t v, size_t m)
{
    vl_schedule_free(&schedule);
    schedule = (struct vl_schedule){.stages = p, .chunks = v, .micro_batches = m};
    return vl_schedule_parse(&schedule, text, &problem);
}

static enum vl_status make(const char *name, size_t p, size_t v, size_t m)
{
    vl_schedule_free(&schedule);
    return vl_schedule_make(&schedule, name, p, v, m, &problem);
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" does not hold \"%s\"", text, part);
}

static void assert_rows(const char *truth)
{
    char *text = vl_schedule_text(&schedule);
    assert_non_null(text);
    assert_string_equal(text, truth);
    free(text);
}

/* ---- reading and writing ---- */

static void sizes_are_found_from_the_text(void **state)
{
    (void)state;
    assert_int_equal(parse("F0 F1 B0 W0 B1 W1\nF0 B0 W0 F1 B1 W1\n", 0, 0, 0), VL_OK);
    assert_int_equal(schedule.stages, 2);
    assert_int_equal(schedule.chunks, 1);
    assert_int_equal(schedule.micro_batches, 2);
    assert_int_equal(parse("F0 F0.1 B0.1 W0.1 B0 W0", 0, 0, 0), VL_OK);
    assert_int_equal(schedule.stages, 1);
    assert_int_equal(schedule.chunks, 2);
    assert_int_equal(schedule.micro_batches, 1);
    assert_int_equal(schedule.tasks[1].chunk, 1);
    assert_int_equal(schedule.tasks[2].kind, VL_TASK_BACKWARD);
}

static void comments_blank_lines_waiting_and_small_letters_are_fine(void **state)
{
    (void)state;
    assert_int_equal(parse("# two stages\r\n\r\n"
                           "f0 f1\t.. -- B0 w0 B1 W1# the first\r\n"
                           "  # F7 is no task here\n\n"
                           ".. F0 B0 W0 F1.0 B01 W1",
                           0, 0, 0),
                     VL_OK);
    assert_rows("F0 F1 B0 W0 B1 W1\nF0 B0 W0 F1 B1 W1\n");
    /* the mark that some editors put before the first letter */
    assert_int_equal(parse("\xef\xbb\xbf"
                           "F0 B0 W0",
                           0, 0, 0),
                     VL_OK);
    assert_int_equal(parse("\xef\xbb\xbfx", 0, 0, 0), VL_EFORMAT);
    assert_int_equal(problem.column, 1);
}

static void every_schedule_is_read_as_it_was_written(void **state)
{
    (void)state;
    for (size_t i = 0; vl_schedule_name(i) != NULL; i++) {
        const size_t v = strcmp(vl_schedule_name(i), "interleaved") == 0 ? 3 : 1;
        assert_int_equal(make(vl_schedule_name(i), 4, v, 8), VL_OK);
        char *text = vl_schedule_text(&schedule), *row = vl_schedule_row_text(&schedule, 0);
        assert_int_equal(strncmp(text, row, strlen(row)), 0);
        assert_int_equal(parse(text, 0, 0, 0), VL_OK);
        assert_int_equal(schedule.stages, 4);
        assert_int_equal(schedule.chunks, v);
        assert_int_equal(schedule.micro_batches, 8);
        assert_rows(text);
        free(text);
        free(row);
    }
}

static void a_row_that_is_too_short_is_left_with_empty_slots(void **state)
{
    (void)state;
    struct vl_schedule_report report;
    assert_int_equal(parse("F0 B0 W0\nF0 B0", 2, 1, 1), VL_OK);
    assert_rows("F0 B0 W0\nF0 B0 --\n");
    assert_int_equal(vl_schedule_check(&report, &schedule), VL_OK);
    assert_int_equal(report.fault, VL_SCHEDULE_MISSING);
    assert_contains(vl_schedule_fault_sentence(sentence, &report, &schedule),
                    "Stage 1 never does W0");
}

/* ---- texts that are not schedules ---- */

static void assert_refused(const char *text, enum vl_schedule_wrong wrong, size_t line,
                           size_t column, const char *word)
{
    assert_int_equal(parse(text, 2, 2, 2), VL_EFORMAT);
    assert_int_equal(problem.wrong, wrong);
    assert_int_equal(problem.line, line);
    assert_int_equal(problem.column, column);
    assert_string_equal(problem.word, word);
    assert_null(schedule.tasks);
    vl_schedule_sentence(sentence, &problem);
    char place[64];
    snprintf(place, sizeof place, "line %zu, column %zu: ", line, column);
    assert_contains(sentence, line > 0 ? place : " ");
    assert_contains(sentence, word);
}

static void what_is_no_task_is_told_with_its_place(void **state)
{
    (void)state;
    static const char *const words[] = {"X0",  "F",   "0",     "F-1", "F0.",   "F.1",
                                        "F0x", "F0,", "F0.1.", "FF0", "F0.0x", "F+1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[64];
        snprintf(text, sizeof text, "# a row\n\n  F0 %s B0\n", words[i]);
        assert_refused(text, VL_SCHEDULE_NO_TASK, 3, 6, words[i]);
    }
    assert_refused("F0\n\x1b[31m", VL_SCHEDULE_NO_TASK, 2, 1, "?[31m");
    assert_refused("F0123456789012345678901234567890123456789", VL_SCHEDULE_NO_MICRO, 1, 1,
                   "F012345678901234567890123456789");
}

static void what_is_beyond_the_sizes_asked_for_is_told_with_its_place(void **state)
{
    (void)state;
    assert_refused("F0 F1 F2", VL_SCHEDULE_NO_MICRO, 1, 7, "F2");
    assert_refused("F0\nF0.2", VL_SCHEDULE_NO_CHUNK, 2, 1, "F0.2");
    assert_refused("F0\nF0\n\n F0", VL_SCHEDULE_MORE_ROWS, 4, 2, "F0");
    assert_refused("F0 F1 B0 B1 W0 W1 F0.1 F1.1 B0.1 B1.1 W0.1 W1.1 F0\nF0", VL_SCHEDULE_TOO_LONG,
                   1, 49, "F0");
    assert_contains(sentence, "12 tasks");
}

static void what_is_wrong_with_all_of_a_text_is_told(void **state)
{
    (void)state;
    assert_refused("F0", VL_SCHEDULE_FEWER_ROWS, 0, 0, "");
    assert_contains(sentence, "`schedule`: 1. Stages asked for with `--pp`: 2");
    assert_refused("# nothing\n\n .. --\n", VL_SCHEDULE_EMPTY, 0, 0, "");
    assert_refused("", VL_SCHEDULE_EMPTY, 0, 0, "");
}

static void sizes_have_bounds(void **state)
{
    (void)state;
    char rows[3 * (VL_SCHEDULE_STAGES + 1) + 1] = "";
    for (size_t i = 0; i <= VL_SCHEDULE_STAGES; i++)
        strcat(rows, "F0\n");
    assert_int_equal(parse(rows, 0, 0, 0), VL_EFORMAT);
    assert_int_equal(problem.wrong, VL_SCHEDULE_MORE_ROWS);
    assert_int_equal(problem.line, VL_SCHEDULE_STAGES + 1);
    assert_int_equal(parse("F8192", 0, 0, 0), VL_EFORMAT);
    assert_int_equal(problem.wrong, VL_SCHEDULE_NO_MICRO);
    assert_int_equal(parse("F4096.2", 0, 0, 0), VL_EINVAL);
    assert_int_equal(problem.wrong, VL_SCHEDULE_TOO_LARGE);
    assert_int_equal(parse("F0", VL_SCHEDULE_STAGES + 1, 0, 0), VL_EINVAL);
    assert_int_equal(parse("F0", 0, 0, SIZE_MAX), VL_EINVAL);
    assert_int_equal(make("1f1b", VL_SCHEDULE_STAGES + 1, 1, 1), VL_EINVAL);
    assert_int_equal(make("interleaved", 2, SIZE_MAX / 2, 4), VL_EINVAL);
    assert_contains(vl_schedule_sentence(sentence, &problem), "at most 64 stages");
}

/* ---- by name, and from a file ---- */

static void names_ask_for_what_they_need(void **state)
{
    (void)state;
    assert_int_equal(make("1f1b", 2, 0, 3), VL_OK);
    assert_int_equal(schedule.chunks, 1);
    assert_int_equal(make("1f1b", 0, 1, 4), VL_EINVAL);
    assert_contains(vl_schedule_sentence(sentence, &problem), "--micro-batches");
    assert_int_equal(make("zb-h1", 2, 2, 4), VL_ESHAPE);
    assert_contains(vl_schedule_sentence(sentence, &problem), "one chunk");
    assert_int_equal(make("interleaved", 4, 2, 6), VL_ESHAPE);
    assert_contains(vl_schedule_sentence(sentence, &problem), "a multiple of 4");
    assert_null(schedule.tasks);
    assert_int_equal(make("/nowhere/1f1b.txt", 2, 1, 4), VL_EIO);
    assert_contains(vl_schedule_sentence(sentence, &problem), "`/nowhere/1f1b.txt`");
    assert_int_equal(make("/", 2, 1, 4), VL_EFORMAT);
    assert_contains(vl_schedule_sentence(sentence, &problem), "`/`");
}

static const char *file_with(const char *text, size_t bytes)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/vialata-schedule-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, bytes), bytes);
    close(file);
    return path;
}

static enum vl_status make_from(const char *text, size_t bytes, size_t m)
{
    const char *path = file_with(text, bytes);
    enum vl_status status = make(path, 0, 0, m);
    unlink(path);
    vl_schedule_sentence(sentence, &problem);
    return status;
}

static void a_file_is_read_checked_and_its_faults_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"F0 F0 B0 W0 B1 W1\nF0 B0 W0 F1 B1 W1", "Stage 0 does F0 twice"},
        {"F0 F1 B0 W0 B1 W1\nF0 B0 W0 F1 B1", "Stage 1 never does W1"},
        {"F0 F1 B0 W0 B1 W1\nB0 F0 W0 F1 B1 W1", "Stage 1 has B0 before F0"},
        {"F0 B0 W0 F1 B1 W1\nF0 F1 B0 W0 B1 W1",
         "Before B0, stage 0 waits for B0 of stage 1, and stage 1 never"},
    };
    assert_int_equal(make_from("F0 F1 B0 W0 B1 W1\nF0 B0 W0 F1 B1 W1", 35, 0), VL_OK);
    assert_int_equal(problem.wrong, VL_SCHEDULE_FINE);
    assert_string_equal(sentence, "");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(make_from(wrong[i].text, strlen(wrong[i].text), 2), VL_ESHAPE);
        assert_int_equal(problem.wrong, VL_SCHEDULE_UNSOUND);
        assert_contains(sentence, wrong[i].part);
    }
    assert_int_equal(make_from("F0\0B0 W0", 8, 0), VL_EFORMAT); /* a zero byte is not the end */
    assert_contains(sentence, "`F0?B0`");
}

static void tasks_outside_the_sizes_have_sentences_too(void **state)
{
    (void)state;
    assert_int_equal(make("afab", 2, 1, 2), VL_OK);
    struct vl_schedule_report report = {.fault = VL_SCHEDULE_UNKNOWN, .stage = 1};
    report.task = (struct vl_task){VL_TASK_FORWARD, 0, 9};
    assert_contains(vl_schedule_fault_sentence(sentence, &report, &schedule),
                    "last micro-batch is 1");
    report.task = (struct vl_task){VL_TASK_FORWARD, 3, 0};
    assert_contains(vl_schedule_fault_sentence(sentence, &report, &schedule), "last chunk is 0");
    report.task = (struct vl_task){(enum vl_task_kind)7, 0, 0};
    assert_contains(vl_schedule_fault_sentence(sentence, &report, &schedule), "neither F, B nor W");
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sizes_are_found_from_the_text),
        TEST(comments_blank_lines_waiting_and_small_letters_are_fine),
        TEST(every_schedule_is_read_as_it_was_written),
        TEST(a_row_that_is_too_short_is_left_with_empty_slots),
        TEST(what_is_no_task_is_told_with_its_place),
        TEST(what_is_beyond_the_sizes_asked_for_is_told_with_its_place),
        TEST(what_is_wrong_with_all_of_a_text_is_told),
        TEST(sizes_have_bounds),
        TEST(names_ask_for_what_they_need),
        TEST(a_file_is_read_checked_and_its_faults_told),
        TEST(tasks_outside_the_sizes_have_sentences_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
