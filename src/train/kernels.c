#include "train/kernels.h"

#include "base/blas_kernels.h"

#include <stdlib.h>
#include <unistd.h>

void vl_kernels_take(char **words)
{
    const char *told = getenv("OPENBLAS_CORETYPE"), *kernels = vl_blas_kernels();
    if (kernels == NULL || (told != NULL && told[0] != '\0'))
        return;
    setenv("OPENBLAS_CORETYPE", kernels, 1);
    execv("/proc/self/exe", words); /* if it fails, products are slower, and all else is the same */
}
