/*
 * Where tokens go, in memory of each rank's own: the linker (--wrap) routes the engine's call
 * through here. The memory is kept until the simulator ends.
 */
#include "engine/experts/moe.h"

#include <stdlib.h>

enum vl_status __real_vl_moe_routing_take(struct vl_moe_routing *routing, struct vl_arena *arena,
                                          const struct vl_moe_size *size);
enum vl_status __wrap_vl_moe_routing_take(struct vl_moe_routing *routing, struct vl_arena *arena,
                                          const struct vl_moe_size *size);

enum vl_status __wrap_vl_moe_routing_take(struct vl_moe_routing *routing, struct vl_arena *arena,
                                          const struct vl_moe_size *size)
{
    size_t bytes = vl_moe_routing_bytes(size);
    struct vl_arena own = {.memory = calloc(1, bytes + VL_ARENA_ALIGN), .size = bytes};
    (void)arena;
    return own.memory != NULL ? __real_vl_moe_routing_take(routing, &own, size) : VL_ENOMEM;
}
