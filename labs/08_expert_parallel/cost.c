/*
 * Lab 08, on paper: what is sent.
 *
 * Find the closed form with a pencil; the explanation says how to count.
 */
#include "vialata/expert_parallel.h"

/* include/vialata/expert_parallel.h: bytes that one rank sends, choices spread evenly. */
enum vl_status vl_expert_sent_bytes(double *bytes, size_t tokens, size_t width, size_t chosen,
                                    size_t experts, int ranks)
{
    (void)bytes;
    (void)tokens;
    (void)width;
    (void)chosen;
    (void)experts;
    (void)ranks;
    /* TODO(08): refuse fewer than one rank. */
    /* TODO(08): how many of the choices are for experts of other ranks? How often does the
     * row of such a choice travel in forward and backward, and how long is it? */
    /* TODO(08): and the counts, of 8 bytes each. In doubles, in bytes. */
    return VL_TODO;
}
