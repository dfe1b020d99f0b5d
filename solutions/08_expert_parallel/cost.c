/*
 * Lab 08, on paper, finished: what is sent.
 */
#include "vialata/expert_parallel.h"

/*
 * Of N k choices, spread evenly, one in P stays on its rank. Each of the others is a row of D
 * floats, sent four times: x and out forward, dy and drows backward. The counts are sent once.
 */
enum vl_status vl_expert_sent_bytes(double *bytes, size_t tokens, size_t width, size_t chosen,
                                    size_t experts, int ranks)
{
    if (bytes == NULL || ranks < 1)
        return VL_EINVAL;
    double p = (double)ranks, choices = (double)tokens * (double)chosen;
    double rows = 4.0 * choices * (p - 1.0) / p * (double)width * 4.0;
    double counts = (double)experts * (p - 1.0) / p * 8.0;
    *bytes = rows + counts;
    return VL_OK;
}
