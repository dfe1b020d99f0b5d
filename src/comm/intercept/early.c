/*
 * What is received must not be used before it has come. In a strict case a message comes into a
 * shadow, and moves into the program's memory when its request is done:
 *
 *   MPI_Irecv          memory: stained    shadow: what memory held
 *   the message comes  memory: stained    shadow: the message, and after it what memory held
 *   MPI_Wait           memory: the shadow
 *
 * So what is read too early is a stain, however soon the message came, and what is written too early is seen.
 */
#include "comm/intercept/watch.h"
#include "comm/races.h"
#include "comm/stains.h"
#include "wire/stain.h"

#include <stdlib.h>
#include <string.h>

struct vl_kept vl_early_stain(void *buffer, const struct vl_beacon_call *call, MPI_Datatype type)
{
    struct vl_kept kept = {.memory = buffer, .bytes = call->count * call->type_bytes};
    if (!vl_strict_looks_twice() || vl_thread_is_one_of_several() || kept.bytes == 0 ||
        call->peer == VL_BEACON_NONE || !vl_type_is_dense(type) ||
        (kept.shadow = malloc(kept.bytes)) == NULL)
        return (struct vl_kept){0};
    memcpy(kept.shadow, buffer, kept.bytes);
    vl_stains_put(buffer, kept.bytes, call, &vl_beacon_mine()->outer);
    kept.seen = vl_sum_of(buffer, kept.bytes);
    return kept;
}

void vl_early_give_up(struct vl_kept *kept)
{
    if (kept->shadow != NULL)
        memcpy(kept->memory, kept->shadow, kept->bytes);
    *kept = (struct vl_kept){0};
}

void vl_early_deliver(struct vl_kept *kept)
{
    void *shadow = kept->shadow;
    vl_early_give_up(kept);
    free(shadow);
}

bool vl_early_is_written(const struct vl_kept *kept)
{
    return kept->shadow != NULL && vl_sum_of(kept->memory, kept->bytes) != kept->seen;
}

/* A stain among floats is one among whole numbers of as many bytes, too. */
void vl_early_look(const void *buffer, const struct vl_beacon_call *call)
{
    const enum vl_element_kind kind = vl_element_kind(call->type);
    const struct vl_tensor_entry entry = {
        .dtype = kind == VL_ELEMENT_REAL_8 || kind == VL_ELEMENT_WHOLE_8 ? VL_F64 : VL_F32,
        .count = call->count,
        .data = (void *)(uintptr_t)buffer};
    if (vl_beacon_on_init != NULL && kind != VL_ELEMENT_UNKNOWN)
        vl_stains_tell(vl_stain_find(&entry));
}
