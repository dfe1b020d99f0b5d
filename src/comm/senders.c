#include "comm/senders.h"

#include "comm/beacon.h"

#include <stddef.h>

static struct vl_beacon_sender *sender_of(const struct vl_beacon_call *call,
                                          const struct vl_beacon_call *outer)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    for (uint32_t i = 0; i < beacon->senders_used; i++) {
        struct vl_beacon_sender *sender = &beacon->sender[i];
        if (sender->call.address == call->address && sender->outer.address == outer->address)
            return sender;
    }
    if (beacon->senders_used == VL_BEACON_SENDERS)
        return NULL;
    struct vl_beacon_sender *sender = &beacon->sender[beacon->senders_used++];
    *sender = (struct vl_beacon_sender){.call = *call, .outer = *outer};
    return sender;
}

void vl_sender_count(const struct vl_beacon_call *call, const struct vl_beacon_call *outer,
                     uint64_t bytes)
{
    struct vl_beacon_sender *sender = bytes > 0 ? sender_of(call, outer) : NULL;
    if (sender != NULL)
        sender->bytes += bytes;
}
