#include "train/corpus/corpus.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "scratch_file.h"

#define T 4

static struct vl_corpus corpus;
static struct vl_problem problem;

static int close_and_remove_file(void **state)
{
    vl_corpus_close(&corpus);
    return remove_file(state);
}

static enum vl_status open_text(const char *text, size_t n)
{
    assert_int_equal(vl_file_write(path, text, n), VL_OK);
    return vl_corpus_open(&corpus, path, T, &problem);
}

static void courses_own_text_is_there_without_a_file(void **state)
{
    (void)state;
    assert_int_equal(vl_corpus_open(&corpus, NULL, 128, &problem), VL_OK);
    assert_true(corpus.count > 1000);
    static const char *const words[] = {"gradient", "octet", "linguagem", "lenguaje", "vrstv"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) /* one of each language */
        assert_non_null(memmem(corpus.bytes, corpus.count, words[i], strlen(words[i])));
    vl_corpus_close(&corpus);
}

static void any_bytes_are_a_text(void **state)
{
    (void)state;
    assert_int_equal(open_text("\0\xff\0\x80z", 5), VL_OK);
    int32_t tokens[T], targets[T];
    vl_corpus_window(tokens, targets, &corpus, 0, T);
    const int32_t expected[] = {0, 255, 0, 128, 'z'};
    assert_memory_equal(tokens, expected, sizeof tokens);
    assert_memory_equal(targets, expected + 1, sizeof targets);
}

static void text_of_one_window_is_enough_and_a_byte_less_is_not(void **state)
{
    (void)state;
    assert_int_equal(open_text("12345", 5), VL_OK);
    vl_corpus_close(&corpus);
    assert_int_equal(open_text("1234", 4), VL_EINVAL);
    assert_string_equal(problem.code, "data_short");
    assert_non_null(strstr(problem.message, "5"));
}

static void missing_empty_and_irregular_files_get_a_sentence_each(void **state)
{
    (void)state;
    assert_int_equal(open_text("", 0), VL_EINVAL);
    assert_string_equal(problem.code, "data_empty");
    assert_non_null(strstr(problem.message, path));
    assert_int_equal(vl_corpus_open(&corpus, "/no/such/text", T, &problem), VL_EIO);
    assert_string_equal(problem.code, "file_missing");
    assert_int_equal(vl_corpus_open(&corpus, "/tmp", T, &problem), VL_EFORMAT);
    assert_string_equal(problem.code, "data_kind");
    assert_int_equal(vl_corpus_open(&corpus, "/dev/zero", T, &problem), VL_EFORMAT);
}

static void batch_depends_on_seed_step_and_row_alone(void **state)
{
    (void)state;
    enum { BATCH = 6 };
    int32_t first[BATCH * T], again[BATCH * T], other[BATCH * T], targets[BATCH * T];
    assert_int_equal(vl_corpus_open(&corpus, NULL, T, &problem), VL_OK);
    vl_corpus_batch(first, targets, &corpus, 7, 31, BATCH, T);
    vl_corpus_batch(other, targets, &corpus, 7, 32, BATCH, T);
    assert_memory_not_equal(first, other, sizeof first);
    vl_corpus_batch(other, targets, &corpus, 8, 31, BATCH, T);
    assert_memory_not_equal(first, other, sizeof first);
    vl_corpus_batch(again, targets, &corpus, 7, 31, BATCH, T);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, first + T, T * sizeof *first);
    for (size_t row = 0; row < BATCH; row++)
        assert_memory_equal(targets + row * T, again + row * T + 1, (T - 1) * sizeof *again);
}

static void every_window_is_drawn_and_none_reads_past_the_end(void **state)
{
    (void)state;
    assert_int_equal(open_text("01234567", 8), VL_OK); /* windows may start at 0, 1, 2, 3 */
    int seen[8] = {0};
    for (uint64_t step = 1; step <= 100; step++) {
        int32_t tokens[T], targets[T];
        vl_corpus_batch(tokens, targets, &corpus, 1, step, 1, T);
        assert_in_range(tokens[0], '0', '3');
        assert_int_equal(targets[T - 1], tokens[0] + T);
        seen[tokens[0] - '0'] = 1;
    }
    assert_int_equal(seen[0] + seen[1] + seen[2] + seen[3], 4);
}

static void fingerprint_tells_texts_apart(void **state)
{
    (void)state;
    assert_int_equal(open_text("12345", 5), VL_OK);
    uint64_t before = corpus.fingerprint;
    vl_corpus_close(&corpus);
    assert_int_equal(open_text("12346", 5), VL_OK);
    assert_true(before != corpus.fingerprint);
}

static void parts_of_the_courses_text_are_its_languages(void **state)
{
    (void)state;
    static const char *const languages[] = {"en", "fr", "pt_BR", "es", "sk"};
    struct vl_corpus_part part;
    size_t count = 0, i = 0;
    assert_int_equal(vl_corpus_open(&corpus, NULL, T, &problem), VL_OK);
    for (; vl_corpus_part(&part, i); i++) {
        assert_true(i < sizeof languages / sizeof *languages);
        assert_string_equal(part.language, languages[i]);
        assert_true(part.count > 1000 && count + part.count <= corpus.count);
        assert_memory_equal(part.bytes, corpus.bytes + count, part.count);
        assert_int_equal(part.bytes[part.count - 1], '\n'); /* a file's end, and no letter's half */
        count += part.count;
    }
    assert_int_equal(i, 5);
    assert_int_equal(count, corpus.count);
    vl_corpus_close(&corpus);
}

static void stream_has_the_same_windows(void **state)
{
    (void)state;
    enum { ROWS = 3 };
    struct vl_corpus_stream stream;
    static const char text[] = "To be, or not to be";
    int32_t tokens[ROWS * T], targets[ROWS * T], expected[T], following[T];
    assert_int_equal(open_text(text, sizeof text - 1), VL_OK);
    assert_int_equal(vl_corpus_stream_open(&stream, path, ROWS, T, &problem), VL_OK);
    assert_int_equal(stream.count, corpus.count);
    for (size_t begin = 0; begin + ROWS * T < corpus.count; begin++) {
        assert_int_equal(vl_corpus_stream_read(tokens, targets, &stream, begin, ROWS, T, &problem),
                         VL_OK);
        for (size_t row = 0; row < ROWS; row++) {
            vl_corpus_window(expected, following, &corpus, begin + row * T, T);
            assert_memory_equal(tokens + row * T, expected, sizeof expected);
            assert_memory_equal(targets + row * T, following, sizeof following);
        }
    }
    assert_int_equal(truncate(path, 4), 0);
    assert_int_equal(vl_corpus_stream_read(tokens, targets, &stream, 0, 1, T, &problem), VL_EIO);
    assert_string_equal(problem.code, "data_cut");
    vl_corpus_stream_close(&stream);
}

static void stream_refuses_what_a_whole_text_refuses(void **state)
{
    (void)state;
    struct vl_corpus_stream stream;
    assert_int_equal(vl_corpus_stream_open(&stream, path, 2, T, &problem), VL_EINVAL);
    assert_string_equal(problem.code, "data_empty");
    assert_int_equal(vl_corpus_stream_open(&stream, "/no/such/text", 2, T, &problem), VL_EIO);
    assert_string_equal(problem.code, "file_missing");
    assert_int_equal(vl_corpus_stream_open(&stream, "/tmp", 2, T, &problem), VL_EFORMAT);
    assert_string_equal(problem.code, "data_kind");
}

static void stream_of_three_gibibytes_takes_no_memory(void **state)
{
    (void)state;
    const off_t large = (off_t)3 << 30;
    struct vl_corpus_stream stream;
    int32_t tokens[2 * T], targets[2 * T];
    assert_int_equal(truncate(path, large), 0); /* a hole: no disk either */
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_int_equal(vl_corpus_stream_open(&stream, path, 2, T, &problem), VL_OK);
    assert_int_equal(
        vl_corpus_stream_read(tokens, targets, &stream, (size_t)large - 2 * T - 1, 2, T, &problem),
        VL_OK);
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 16 << 10); /* KiB */
    vl_corpus_stream_close(&stream);
}

int main(void)
{
#define WITH_TEXT(test) cmocka_unit_test_setup_teardown(test, make_file, close_and_remove_file)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(courses_own_text_is_there_without_a_file),
        cmocka_unit_test(parts_of_the_courses_text_are_its_languages),
        WITH_TEXT(any_bytes_are_a_text),
        WITH_TEXT(text_of_one_window_is_enough_and_a_byte_less_is_not),
        WITH_TEXT(missing_empty_and_irregular_files_get_a_sentence_each),
        WITH_TEXT(batch_depends_on_seed_step_and_row_alone),
        WITH_TEXT(every_window_is_drawn_and_none_reads_past_the_end),
        WITH_TEXT(fingerprint_tells_texts_apart),
        WITH_TEXT(stream_has_the_same_windows),
        WITH_TEXT(stream_refuses_what_a_whole_text_refuses),
        WITH_TEXT(stream_of_three_gibibytes_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
