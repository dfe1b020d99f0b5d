#include "train/kernels.h"

#include "base/machine/blas_kernels.h"

#include <stdlib.h>
#include <unistd.h>

void vl_kernels_take(char **words)
{
    const char *told = getenv("OPENBLAS_CORETYPE");
    const char *kernels = told == NULL || told[0] == '\0' ? vl_blas_kernels() : NULL;
    if (kernels == NULL)
        return;
    setenv("OPENBLAS_CORETYPE", kernels, 1);
    execv("/proc/self/exe", words); /* if it fails, products are slower, and all else is the same */
}
