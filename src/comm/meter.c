#include "comm/meter.h"

#include "comm/count.h"
#include <string.h>

static struct vl_meter meter;

void vl_meter_reset(void)
{
    memset(&meter, 0, sizeof meter);
}

const struct vl_meter *vl_meter_now(void)
{
    return &meter;
}

struct vl_meter_row *vl_meter_row(uint32_t communicator, uint32_t operation)
{
    for (size_t i = 0; i < meter.row_count; i++)
        if (meter.row[i].communicator == communicator && meter.row[i].operation == operation)
            return &meter.row[i];
    if (meter.row_count == VL_METER_ROWS)
        return NULL;
    struct vl_meter_row *row = &meter.row[meter.row_count++];
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
