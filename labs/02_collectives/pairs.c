/*
 * Lab 02: all-to-all, a pair at a time.
 */
#include "vialata/collectives.h"

/* include/vialata/collectives.h: piece s of rank r becomes piece r of rank s. */
enum vl_status vl_all_to_all(MPI_Comm comm, void *received, const size_t *receive_counts,
                             const void *sent, const size_t *send_counts, size_t element_bytes)
{
    (void)comm;
    (void)received;
    (void)receive_counts;
    (void)sent;
    (void)send_counts;
    (void)element_bytes;
    /* TODO(02): refuse pieces of more than INT_MAX bytes, before anything is sent. */
    /* TODO(02): copy the rank's own piece. Where does it begin in each of the two arrays? */
    /* TODO(02): the pieces of the others, so that nobody waits for somebody who waits for them.
     * Empty pieces are not sent. Use a tag above those of transfers. */
    return VL_TODO;
}
