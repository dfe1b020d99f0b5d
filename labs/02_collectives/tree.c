/*
 * Lab 02: broadcast along a binomial tree.
 *
 * Number the ranks from the root, v = (rank - root) mod P, and the root is always 0.
 */
#include "vialata/collectives.h"

/* include/vialata/collectives.h: whoever has it passes it on. */
enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root)
{
    (void)comm;
    (void)data;
    (void)bytes;
    (void)root;
    /* TODO(02): refuse a root that is not a rank, and more than INT_MAX bytes to be sent. */
    /* TODO(02): everybody but the root: from whom does the data come? Receive it. */
    /* TODO(02): everybody: to whom is it passed on, and to whom first? */
    /* TODO(02): a tag that no transfer uses, as one may be under way: theirs end at 16383. */
    return VL_TODO;
}
