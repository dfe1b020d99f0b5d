/* What the compiler said: errors come before warnings, and nothing is lost. */
#include "report/verdict/compiler_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define WARNING                                                                                    \
    "a.c: In function 'vl_f':\n"                                                                   \
    "a.c:3:9: warning: unused variable 'x'\n"                                                      \
    "    3 |     int x;\n"                                                                         \
    "      |         ^\n"
#define ERROR                                                                                      \
    "b.c: In function 'vl_g':\n"                                                                   \
    "b.c:7:5: error: expected ';'\n"                                                               \
    "    7 |     x y;\n"                                                                           \
    "b.c:2:1: note: declared here\n"

static void becomes(const char *words, const char *wanted)
{
    char *ordered = vl_compiler_errors_first(words);
    assert_non_null(ordered);
    assert_string_equal(ordered, wanted);
    free(ordered);
}

static void errors_come_first(void **state)
{
    (void)state;
    becomes(WARNING ERROR, ERROR WARNING);
    becomes(WARNING WARNING ERROR WARNING ERROR, ERROR ERROR WARNING WARNING WARNING);
    becomes("a.c:1:10: fatal error: no.h: No such file\n",
            "a.c:1:10: fatal error: no.h: No such file\n");
}

static void their_order_stays_where_there_is_one_kind(void **state)
{
    (void)state;
    becomes(WARNING WARNING, WARNING WARNING);
    becomes(ERROR ERROR, ERROR ERROR);
    becomes("", "");
}

static void a_sentence_of_our_own_counts_as_an_error(void **state)
{
    (void)state;
    becomes("b.c was not taken.\n" WARNING ERROR, "b.c was not taken.\n" ERROR WARNING);
    becomes("no line ends here", "no line ends here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_come_first),
        cmocka_unit_test(their_order_stays_where_there_is_one_kind),
        cmocka_unit_test(a_sentence_of_our_own_counts_as_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
