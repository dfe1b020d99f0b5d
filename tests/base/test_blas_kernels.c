/*
 * What OpenBLAS is told makes it take kernels for this processor.
 */
#include "base/machine/blas_kernels.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define CORETYPE "OPENBLAS_CORETYPE"

static void what_stands_in_the_environment_is_left(void **state)
{
    (void)state;
    setenv(CORETYPE, "Nehalem", 1);
    assert_string_equal(vl_blas_kernels(), "Nehalem");
    unsetenv(CORETYPE);
}

/* What this program does when it is started with a word. */
static int print_kernels(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_LAZY);
    char *(*core)(void) = library != NULL
                              ? (char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_corename")
                              : NULL;
    printf("%s", core != NULL ? core() : "");
    return 0;
}

/* The kernels that OpenBLAS takes in a fresh process, in which nothing has loaded it; "" without OpenBLAS. */
static void kernels_of(char name[64], const char *told)
{
    int ends[2];
    memset(name, 0, 64);
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (told != NULL)
            setenv(CORETYPE, told, 1);
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "kernels", "print", NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_true(read(ends[0], name, 63) >= 0);
    close(ends[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_prescott_is_only_what_can_no_more(void **state)
{
    char before[64], after[64];
    (void)state;
    unsetenv(CORETYPE);
    const char *told = vl_blas_kernels();
    kernels_of(before, NULL);
    kernels_of(after, told);
    if (before[0] == '\0')
        skip();
    if (strcmp(before, "Prescott") != 0)
        assert_null(told); /* OpenBLAS knows better */
    else if (told != NULL)
        assert_string_equal(after, told);
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assert_string_not_equal(after, "Prescott");
#endif
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return print_kernels();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_in_the_environment_is_left),
        cmocka_unit_test(a_prescott_is_only_what_can_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
