/* What is received is not to be read before it has come. */
#include "comm/intercept/watch.h"
#include "comm/stains.h"

#include <stdlib.h>
#include <string.h>

struct vl_kept vl_early_stain(void *buffer, const struct vl_beacon_call *call, MPI_Datatype type)
{
    uint64_t bytes = call->count * call->type_bytes;
    struct vl_kept kept = {.bytes = bytes < VL_STAIN_BYTES ? (size_t)bytes : VL_STAIN_BYTES};
    if (!vl_strict_looks_twice() || vl_thread_is_one_of_several() || kept.bytes == 0 ||
        call->peer == VL_BEACON_NONE || !vl_type_is_dense(type) ||
        (kept.copy = malloc(kept.bytes)) == NULL)
        return (struct vl_kept){0};
    memcpy(kept.copy, buffer, kept.bytes);
    kept.memory = buffer;
    if (vl_stains_put(buffer, kept.bytes, call, &vl_beacon_mine()->outer) == 0)
        vl_early_restore(&kept, 0);
    return kept;
}

void vl_early_restore(struct vl_kept *kept, uint64_t received)
{
    if (kept->copy != NULL && received < kept->bytes)
        memcpy((char *)kept->memory + received, (char *)kept->copy + received,
               kept->bytes - (size_t)received);
    free(kept->copy);
    *kept = (struct vl_kept){0};
}
