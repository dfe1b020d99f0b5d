#include "base/machine/blas_kernels.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CORETYPE "OPENBLAS_CORETYPE"
#define PATIENCE 5 /* seconds */

/* What this processor can do: 0 where that is nothing that a Prescott cannot, or unknown. */
static const char *best_kernels(void)
{
#if defined __x86_64__
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return NULL;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    return "Haswell";
#else
    return NULL;
#endif
}

/* Loading it has it choose. No threads are needed for that, and no more than a few seconds, wherever it is. */
static bool chooses_prescott(void)
{
    alarm(PATIENCE);
    unsetenv(CORETYPE); /* it may be empty */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_LAZY);
    if (library == NULL)
        return false;
    char *(*name)(void) = (char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_corename");
    return name != NULL && strcmp(name(), "Prescott") == 0;
}

/* In a process of its own: OpenBLAS chooses once for each, and this one may want to load it later. */
static bool would_choose_prescott(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(chooses_prescott() ? EXIT_SUCCESS : EXIT_FAILURE);
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

const char *vl_blas_kernels(void)
{
    static const char *kernels;
    static bool asked;
    const char *given = getenv(CORETYPE);
    if (given != NULL && given[0] != '\0')
        return given;
    if (!asked) {
        asked = true;
        kernels = best_kernels();
        if (kernels != NULL && !would_choose_prescott())
            kernels = NULL;
    }
    return kernels;
}
