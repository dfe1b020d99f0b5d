#include "comm/stains.h"

#include "comm/beacon.h"
#include "comm/races.h"
#include "comm/strict.h"
#include "wire/stain.h"

#define HALF (VL_STAINS / 2) /* receives in one half, allocations in the other */

static struct {
    struct vl_beacon_call call, outer;
} stains[VL_STAINS];
static unsigned used[2];
static uint32_t used_case;

/* The same place in the program has the same number; if there are too many, the oldest is lost. */
static unsigned number_for(const struct vl_beacon_call *call, const struct vl_beacon_call *outer)
{
    const unsigned half = call->operation == VL_OP_ALLOCATE, first = half * HALF;
    if (used_case != vl_case_number()) {
        used_case = vl_case_number();
        used[0] = used[1] = 0;
    }
    for (unsigned i = 0; i < used[half] && i < HALF; i++)
        if (stains[first + i].call.address == call->address &&
            stains[first + i].outer.address == outer->address)
            return first + i;
    unsigned number = first + used[half]++ % HALF;
    stains[number].call = *call;
    stains[number].outer = *outer;
    return number;
}

size_t vl_stains_put(void *memory, size_t bytes, const struct vl_beacon_call *call,
                     const struct vl_beacon_call *outer)
{
    if (!vl_strict_looks_twice() || bytes < sizeof(float))
        return 0;
    bytes = bytes < VL_STAIN_BYTES ? bytes : VL_STAIN_BYTES;
    vl_stain_put(memory, bytes, number_for(call, outer));
    return bytes;
}

void vl_stains_tell(int number)
{
    if (number < 0 || number >= VL_STAINS || used_case != vl_case_number())
        return;
    const struct vl_beacon_call none = {.operation = VL_OP_NONE};
    vl_race_note(number < HALF ? VL_RACE_EARLY : VL_RACE_UNWRITTEN, &stains[number].call,
                 &stains[number].outer, &none, &none);
}
