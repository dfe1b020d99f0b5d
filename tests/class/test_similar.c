#include "class/book/board.h"
#include "class/book/suspicion.h"
#include "class/similar/similar.h"

#include "base/place.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scratch_file.h"

static const struct vl_similar_source ada = {.student = "ada"}, bob = {.student = "bob"},
                                      eve = {.student = "eve"};
static const struct vl_similar_source *const sources[] = {&ada, &bob, &eve};

static void pairs_of_a_report(void **state)
{
    (void)state;
    struct vl_similar similar = {0};
    assert_int_equal(vl_similar_parse(&similar,
                                      "File 0.c: 500 tokens, 60 lines\nFile 1.c: 400 tokens\n"
                                      "File 2.c: 10 tokens, 1 line\nTotal input: 3 files\n\n"
                                      "0.c consists for 70 % of 1.c material\n"
                                      "1.c consists for 90 % of 0.c material\n"
                                      "0.c consists for 100 % of 2.c material\n",
                                      sources, 3, 60),
                     VL_OK);
    assert_int_equal(similar.count, 1); /* what eve wrote is too short to say anything */
    assert_string_equal(similar.list[0].one, "bob");
    assert_string_equal(similar.list[0].other, "ada");
    assert_int_equal(similar.list[0].percent, 90);
    vl_similar_free(&similar);
}

static void reports_that_say_nothing(void **state)
{
    (void)state;
    static const char *const reports[] = {
        "",
        "\n\n\n",
        "File 7.c: 500 tokens\n7.c consists for 99 % of 0.c material\n",
        "File 0.c: 500 tokens\nFile 1.c: 500 tokens\n0.c consists for 20 % of 1.c material\n",
        "File 0.c: 500 tokens\n0.c consists for 99 % of 0.c material\n",
        "File 0.c: 500 tokens\nFile 1.c: 500 tokens\n0.c consists for 999 % of 1.c material\n"};
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        struct vl_similar similar = {0};
        assert_int_equal(vl_similar_parse(&similar, reports[i], sources, 3, 60), VL_OK);
        assert_int_equal(similar.count, 0);
        vl_similar_free(&similar);
    }
}

/* Lines of the lab are left out, whatever their layout. */
static void own_lines(void **state)
{
    (void)state;
    const struct vl_lab *lab = vl_lab_find("1");
    char *text = NULL, *given = NULL;
    size_t size;
    assert_int_equal(vl_place_start(), VL_OK);
    struct vl_known_lines *known = vl_known_lines_of(lab);
    assert_non_null(known);
    char *folder = vl_place_path("labs", lab->folder);
    assert_true(asprintf(&given, "%s/%s", folder, lab->files[0]) > 0);
    FILE *stream = open_memstream(&text, &size);
    assert_false(
        vl_own_lines_put(stream, known, lab, given)); /* the skeleton: nothing of its own */
    fclose(stream);
    free(text);
    FILE *file = fopen(path, "w");
    fwrite("  #include<vialata/status.h>\nint mine;\0\n\n}\n", 1, 43, file);
    fclose(file);
    stream = open_memstream(&text, &size);
    assert_true(vl_own_lines_put(stream, known, lab, path));
    fclose(stream);
    assert_non_null(strstr(text, "int mine;"));
    assert_null(strchr(text, '}'));
    free(text);
    free(given);
    free(folder);
    free(known);
    vl_place_end();
}

static void put_file(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

/* A line of the lab that ends a comment is left out, too: what follows is not a comment then. */
static void comments_hide_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *text, *put;
    } files[] = {
        {"/* My own words.\n */\nint mine;\n", "int mine;\n"},
        {"int a; /* b */ int c;\n", "int a;         int c;\n"},
        {"int a; // b\nint c;\n", "int a;     \nint c;\n"},
        {"int a; // b \\\n c\nint d;\n", "int a;       \nint d;\n"},
        {"char *a = \"/*\";\nint b;\n", "char *a = \"/*\";\nint b;\n"},
        {"char *a = \"\\\"/*\";\nint b;\n", "char *a = \"\\\"/*\";\nint b;\n"},
        {"int a = '\"'; /* b */\n", "int a = '\"';        \n"},
        {"#error don't\n/* a */ int b;\n", "#error don't\n        int b;\n"},
        {"int a = b / *c;\n/", "int a = b / *c;\n/\n"},
        {"/**/ int a;\n/* without an end\nint b;", "     int a;\n"},
    };
    const struct vl_lab *lab = vl_lab_find("1");
    assert_int_equal(vl_place_start(), VL_OK);
    struct vl_known_lines *known = vl_known_lines_of(lab);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *text = NULL;
        size_t size;
        put_file(files[i].text);
        FILE *stream = open_memstream(&text, &size);
        vl_own_lines_put(stream, known, lab, path);
        fclose(stream);
        assert_string_equal(text, files[i].put);
        free(text);
    }
    free(known);
    vl_place_end();
}

static void suspicions(void **state)
{
    (void)state;
    const struct vl_case_result cases[] = {
        {.id = (char *)"a", .function = (char *)"f", .code = (char *)"unwritten"},
        {.id = (char *)"b", .function = (char *)"f", .code = (char *)"used_threads"},
        {.id = (char *)"c", .function = (char *)"f", .code = (char *)"used_threads"},
        {.id = (char *)"d", .function = (char *)"f", .code = (char *)"bytes_unmetered"}};
    struct vl_verdict verdict = {0};
    size_t at = 0;
    for (size_t i = 0; i < 4; i++)
        assert_non_null(vl_verdict_add(&verdict, &cases[i]));
    assert_string_equal(vl_suspicious_next(&verdict, &at)->id, "b");
    assert_string_equal(vl_suspicious_next(&verdict, &at)->id, "d");
    assert_null(vl_suspicious_next(&verdict, &at));
    assert_null(vl_suspicion(NULL));
    vl_verdict_free(&verdict);
}

/* The three fastest, the fastest first; who does not want to be named is not. */
static void the_fastest(void **state)
{
    (void)state;
    struct vl_student shy = {.board = false}, proud = {.board = true};
    struct vl_class_verdict class[5] = {{.student = "slow", .known = &proud},
                                        {.student = "secret", .known = &shy},
                                        {.student = "third"},
                                        {.student = "first", .known = &proud},
                                        {.student = "cheat"}};
    const double ratios[] = {0.5, 1.2, 0.9, 1.4, 5};
    const struct vl_class_verdict *list[5];
    for (size_t i = 0; i < 5; i++) {
        const struct vl_case_result result = {.id = (char *)"f.speed",
                                              .function = (char *)"vl_f",
                                              .group = VL_GROUP_THROUGHPUT,
                                              .points = i == 4 ? 0 : 1,
                                              .measured = ratios[i]};
        assert_non_null(vl_verdict_add(&class[i].verdict, &result));
        list[i] = &class[i];
    }
    struct vl_page page;
    char *text;
    vl_page_open(&page, "x", "y");
    vl_board_put(&page, list, 5);
    assert_int_equal(vl_page_take(&page, &text), VL_OK);
    const char *first = strstr(text, ">first<"), *second = strstr(text, "(without a name)");
    const char *third = strstr(text, ">third<");
    assert_non_null(first);
    assert_true(first < second && second < third);
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "slow"));
    assert_null(strstr(text, "cheat"));
    free(text);
    for (size_t i = 0; i < 5; i++)
        vl_verdict_free(&class[i].verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(pairs_of_a_report), WITH_FILE(reports_that_say_nothing),
        WITH_FILE(own_lines),         WITH_FILE(comments_hide_nothing),
        WITH_FILE(suspicions),        WITH_FILE(the_fastest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
