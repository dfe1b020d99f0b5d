#include "ranks/audit.h"

#define SEGMENT          65483 /* bytes at most, on a loopback */
#define MOST_GUESSED     4096  /* bytes, where a quarter of the data is less */
#define LEAST_REPEATED   4096  /* bytes that TCP may send again, however little is sent */
#define MOST_SHORT_ADDED 92    /* by MPI to a message that is not long (comm/meter.c) */
#define LEAST_LONG_BYTES 4000  /* of one that is */
#define HEADERS          52 /* bytes before the data: IP 20, TCP 32; a loopback counts no more of them */

/* More packets than these are not taken for headers: what is in a header can tell something too. A
 * message takes up to 8, with their acknowledgements, and one more per 16 KiB. */
#define PACKETS_PER_RANK    48 /* with those that open connections */
#define PACKETS_PER_MESSAGE 16
#define BYTES_PER_PACKET    4096
#define BYTES_PER_MESSAGE   4096 /* with this, data may be cut into pieces of 1 KiB */

/* A hostile rank writes any number: none is allowed to wrap the sum around. */
static uint64_t capped(uint64_t number)
{
    const uint64_t most = (uint64_t)1 << 48;
    return number < most ? number : most;
}

/* What is left of a number, which does not always grow: a connection that is closed is forgotten. */
static uint64_t less(uint64_t number, uint64_t before)
{
    return number > before ? number - before : 0;
}

/* There are no more messages than these. */
static void bound_messages(struct vl_audit *audit, uint64_t messages)
{
    if (audit->messages > messages)
        audit->messages = messages;
    if (audit->added > VL_BOARD_MOST_ADDED * audit->messages)
        audit->added = VL_BOARD_MOST_ADDED * audit->messages;
}

struct vl_audit vl_audit_of(const struct vl_audit_count *before, const struct vl_audit_count *after,
                            const struct vl_board *board, int ranks)
{
    const uint64_t count = (uint64_t)ranks, pairs = count * (count - 1) / 2;
    struct vl_audit audit = {.ranks = ranks,
                             .counted = true,
                             .own = VL_AUDIT_PER_RANK * count + VL_AUDIT_PER_PAIR * pairs,
                             .count = {.bytes = after->bytes - before->bytes,
                                       .packets = after->packets - before->packets,
                                       .segments = after->segments - before->segments,
                                       .repeats = less(after->repeats, before->repeats),
                                       .again = less(after->again, before->again),
                                       .exact = after->exact && before->exact,
                                       .each = after->each && before->each}};
    for (int rank = 0; rank < ranks; rank++) {
        audit.count.rank[rank] = (struct vl_audit_cable){
            .bytes = after->rank[rank].bytes - before->rank[rank].bytes,
            .packets = after->rank[rank].packets - before->rank[rank].packets};
        const struct vl_board_rank *place = &board->rank[rank];
        audit.least += capped(place->least_bytes);
        audit.most += capped(place->most_bytes);
        audit.messages += capped(place->messages);
        audit.added += capped(place->added_bytes);
    }
    bound_messages(&audit, audit.count.packets); /* each is in one at least */
    return audit;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t vl_audit_payload(const struct vl_audit *audit)
{
    uint64_t most = PACKETS_PER_RANK * (uint64_t)audit->ranks +
                    PACKETS_PER_MESSAGE * audit->messages + audit->most / BYTES_PER_PACKET;
    uint64_t packets = smaller(audit->count.packets, audit->count.segments);
    uint64_t headers = HEADERS * smaller(packets, most);
    return audit->count.bytes > headers ? audit->count.bytes - headers : 0;
}

static uint64_t added(const struct vl_audit *audit)
{
    return audit->added + audit->own;
}

/* Sent again: known, or at most. */
static uint64_t repeated(const struct vl_audit *audit)
{
    uint64_t quarter = audit->most / 4;
    if (audit->count.exact)
        return smaller(audit->count.again, audit->most + added(audit) + LEAST_REPEATED);
    return smaller(SEGMENT * audit->count.repeats, quarter > MOST_GUESSED ? quarter : MOST_GUESSED);
}

/* Only so many of the messages can be long. */
static void bound_added(struct vl_audit *audit)
{
    uint64_t most =
        MOST_SHORT_ADDED * audit->messages + VL_BOARD_MOST_ADDED * (audit->most / LEAST_LONG_BYTES);
    audit->added = smaller(audit->added, most);
}

struct vl_audit vl_audit_with_truth(const struct vl_audit *audit, int64_t bytes, int64_t messages)
{
    struct vl_audit right = *audit;
    if (messages >= 0)
        bound_messages(&right,
                       (uint64_t)messages + (bytes > 0 ? (uint64_t)bytes : 0) / BYTES_PER_MESSAGE);
    if (bytes >= 0) {
        right.most = (uint64_t)bytes;
        right.least = larger(right.least, right.most);
        bound_added(&right);
    }
    return right;
}

bool vl_audit_of_rank(struct vl_audit *part, const struct vl_audit *audit, int rank, int64_t bytes,
                      int64_t messages)
{
    *part = *audit;
    if (!audit->count.each || rank >= audit->ranks || bytes < 0)
        return false;
    part->count.bytes = audit->count.rank[rank].bytes;
    part->count.packets = part->count.segments = audit->count.rank[rank].packets;
    part->own = VL_AUDIT_PER_RANK + VL_AUDIT_PER_PAIR * ((uint64_t)audit->ranks - 1);
    part->least = 0; /* the sum has enough, and no rank more than its part: so none has less */
    part->most = (uint64_t)bytes;
    if (messages >= 0)
        bound_messages(part, (uint64_t)(messages + bytes / BYTES_PER_MESSAGE));
    bound_added(part);
    return true;
}

enum vl_audit_finding vl_audit_compare(const struct vl_audit *audit)
{
    double data = VL_AUDIT_SHARE * (double)audit->most;
    if ((double)vl_audit_payload(audit) > data + (double)(added(audit) + repeated(audit)))
        return VL_AUDIT_UNMETERED;
    if (!audit->counted || (double)audit->least > VL_AUDIT_SHARE * (double)audit->count.bytes)
        return VL_AUDIT_UNSENT;
    return VL_AUDIT_AGREES;
}
