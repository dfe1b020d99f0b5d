/* code: too_much_memory crashed_segfault crashed_signal */
#include "../attack.h"

#define BLOCK (64u << 20)

static void take(void)
{
    void *block = malloc(BLOCK);
    if (block == NULL)
        sleep(1);
    else
        explicit_bzero(block, BLOCK); /* a compiler may leave memset out */
}

/* Each fork holds the first block too, so the limit is passed at once: a busy machine would take
 * longer than a case may last to map that much anew. */
ATTACK
{
    take();
    for (int doubled = 0; doubled < 5; doubled++)
        (void)!fork();
    for (;;)
        take();
}
