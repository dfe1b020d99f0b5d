/*
 * The submission that tries every way past the wall (check_wall.py puts the attempts in). It prints the
 * names of those that got through and crashes, so that what it printed is in the verdict.
 */
#include "vialata/rmsnorm.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ATTEMPTS */

static const struct {
    const char *name;
    int (*try)(void); /* nonzero: it got through */
} attempts[] = {
    /* TABLE */
};

enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    const size_t count = sizeof attempts / sizeof *attempts;
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        if (attempts[i].try())
            printf("%s got through\n", attempts[i].name);
    printf("%zu attempts\n", count);
    fflush(stdout);
    *(volatile int *)(size_t)(getpid() & 1) = 1;
    return VL_OK;
}
