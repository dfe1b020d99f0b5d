/* A file for each test, empty at first and removed after it. Include it after cmocka. */
#ifndef VIALATA_TESTS_SCRATCH_FILE_H
#define VIALATA_TESTS_SCRATCH_FILE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/vialata-test-XXXXXX";

static inline int make_file(void **state)
{
    (void)state;
    strcpy(path + sizeof path - 7, "XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static inline int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, make_file, remove_file)

#endif
