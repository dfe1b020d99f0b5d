#include "comm/intercept/ended.h"

#include "comm/intercept/watch.h"
#include "comm/races.h"

#include <stddef.h>

#define KNOWN 64

static struct {
    const struct vl_transfer *transfer; /* NULL: none */
    uint32_t case_number;
    struct vl_beacon_call began;
} ended[KNOWN]; /* in turn */
static size_t next;

static size_t find(const struct vl_transfer *transfer)
{
    size_t i = 0;
    while (i < KNOWN && (transfer == NULL || ended[i].transfer != transfer ||
                         ended[i].case_number != vl_case_number()))
        i++;
    return i;
}

void vl_ended_note(const struct vl_transfer *transfer, const struct vl_beacon_call *began)
{
    vl_ended_forget(transfer);
    ended[next].transfer = transfer;
    ended[next].case_number = vl_case_number();
    ended[next].began = *began;
    next = (next + 1) % KNOWN;
}

void vl_ended_forget(const struct vl_transfer *transfer)
{
    size_t place = find(transfer);
    if (place < KNOWN)
        ended[place].transfer = NULL;
}

void vl_ended_look(const struct vl_transfer *transfer, enum vl_operation operation,
                   const void *address)
{
    const struct vl_beacon_call none = {.operation = VL_OP_NONE};
    const struct vl_beacon_call call = {.operation = operation,
                                        .peer = VL_BEACON_NONE,
                                        .tag = VL_BEACON_NONE,
                                        .root = VL_BEACON_NONE,
                                        .address = (uintptr_t)address};
    size_t place = find(transfer);
    if (place < KNOWN)
        vl_race_note(VL_RACE_ENDED, &ended[place].began, &none, &call, &none);
}
