#include "comm/meter.h"

#include "comm/count.h"
#include "wire/board.h"
#include <stdbool.h>
#include <string.h>

#define HINTS    32
#define MESSAGES 2    /* to each other rank within one collective: there and back */
#define PIECE    1024 /* bytes: a long one may go in such pieces, each a message */

/* What MPI adds to a message, in bytes at most. Measured with Open MPI 4.1, by TCP: 22, 88 and 160. */
#define SHORT_ADDED       24                  /* its header */
#define SYNCHRONOUS_ADDED 92                  /* a question and an answer: has the receive begun? */
#define LONG_ADDED        VL_BOARD_MOST_ADDED /* and goes in pieces */
#define LONG_BYTES        4000 /* the shortest long one: 4096 with its header (process.c) */

static struct vl_meter meter;

void vl_meter_reset(void)
{
    memset(&meter, 0, sizeof meter);
}

const struct vl_meter *vl_meter_now(void)
{
    return &meter;
}

static bool is_of(const struct vl_meter_row *row, uint32_t communicator, uint32_t operation)
{
    return row->communicator == communicator && row->operation == operation;
}

struct vl_meter_row *vl_meter_row(uint32_t communicator, uint32_t operation)
{
    /* The same few rows come again and again: a hint, and then a look at all of them. */
    static size_t hints[HINTS];
    size_t *hint = &hints[(communicator ^ operation) % HINTS];
    if (*hint < meter.row_count && is_of(&meter.row[*hint], communicator, operation))
        return &meter.row[*hint];
    for (size_t i = 0; i < meter.row_count; i++)
        if (is_of(&meter.row[i], communicator, operation))
            return &meter.row[*hint = i];
    if (meter.row_count == VL_METER_ROWS)
        return NULL;
    *hint = meter.row_count++;
    struct vl_meter_row *row = &meter.row[*hint];
    row->communicator = communicator;
    row->operation = operation;
    return row;
}

static void add(struct vl_meter_row *row, const struct vl_meter_row *more)
{
    if (row == NULL)
        return;
    row->calls += more->calls;
    row->sent_messages += more->sent_messages;
    row->sent_bytes += more->sent_bytes;
    row->received_messages += more->received_messages;
    row->received_bytes += more->received_bytes;
}

void vl_meter_count(const struct vl_meter_row *more)
{
    add(vl_meter_row(more->communicator, more->operation), more);
    add(&meter.total, more);
}

static uint64_t added_to(uint64_t bytes, bool synchronous)
{
    if (bytes >= LONG_BYTES)
        return LONG_ADDED;
    return synchronous ? SYNCHRONOUS_ADDED : SHORT_ADDED;
}

void vl_meter_message(uint64_t bytes, bool synchronous)
{
    meter.wire.least += bytes;
    meter.wire.most += bytes;
    meter.wire.messages++;
    meter.wire.added += added_to(bytes, synchronous);
}

void vl_meter_collective(uint64_t bytes, int ranks)
{
    uint64_t others = ranks > 1 ? (uint64_t)ranks - 1 : 0;
    meter.wire.most += bytes * others;
    meter.wire.messages += (MESSAGES + bytes / PIECE) * others;
    if (meter.wire.collectives++ < VL_METER_COLLECTIVES)
        meter.wire.added +=
            (MESSAGES * added_to(bytes, false) + bytes / PIECE * SHORT_ADDED) * others;
}
