/* code: too_much_memory crashed_segfault crashed_signal */
#include "vialata/rmsnorm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (64u << 20)

static void take(void)
{
    void *block = malloc(BLOCK);
    if (block == NULL)
        sleep(1);
    else
        explicit_bzero(block, BLOCK); /* a compiler may leave memset out */
}

/* Each fork holds the first block as well, so the limit is passed at once: new pages for all of it
 * take a busy machine longer than a case may last. */
enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, const float *gain,
                                  size_t n, size_t d)
{
    (void)y, (void)inv_rms, (void)x, (void)gain, (void)n, (void)d;
    take();
    for (int doubled = 0; doubled < 5; doubled++)
        (void)!fork();
    for (;;)
        take();
}
