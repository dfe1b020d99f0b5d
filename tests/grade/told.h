/* What tests of causes and patterns share. Include it after cmocka.h. */
#ifndef VIALATA_TESTS_GRADE_TOLD_H
#define VIALATA_TESTS_GRADE_TOLD_H

#include <string.h>

/* A code and a message came out. Code NULL: nothing should; said: a part of the message, or NULL. */
static inline void expect_told(const char *code, const char *message, const char *wanted,
                               const char *said)
{
    if (wanted == NULL && code != NULL)
        fail_msg("%s: %s", code, message);
    if (wanted != NULL && code == NULL)
        fail_msg("not %s", wanted);
    if (wanted == NULL)
        return;
    assert_string_equal(code, wanted);
    if (said != NULL && strstr(message, said) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", said, message);
}

#endif
