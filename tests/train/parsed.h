/* For tests of options: parse words, and expect a refusal. Include it after cmocka. */
#ifndef VIALATA_TESTS_TRAIN_PARSED_H
#define VIALATA_TESTS_TRAIN_PARSED_H

#include "train/options/options_parse.h"

#include <stdarg.h>
#include <string.h>

static struct vl_options options;
static struct vl_problem problem;

/* Words up to a NULL, as a command line would bring them. */
static inline enum vl_status parse(enum vl_trainer_command command, ...)
{
    char *words[32];
    int count = 0;
    va_list list;
    va_start(list, command);
    while ((words[count] = va_arg(list, char *)) != NULL)
        count++;
    va_end(list);
    memset(&problem, 0, sizeof problem);
    return vl_options_parse(&options, command, count, words, &problem);
}
#define PARSE(...) parse(__VA_ARGS__, (char *)NULL)

static inline void assert_refused(enum vl_status status, enum vl_status expected, const char *code,
                                  const char *mentioned)
{
    if (status != expected || strcmp(problem.code, code) != 0 ||
        strstr(problem.message, mentioned) == NULL)
        fail_msg("status %d, %s: %s", (int)status, problem.code, problem.message);
    assert_int_equal(problem.status, expected);
}

#endif
