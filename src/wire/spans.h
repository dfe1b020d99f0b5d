/*
 * Spans that a watched rank writes into a file while it runs: what it did and when (comm/span.h).
 * So they are there no matter how it ends.
 *
 *   spans.RANK   most, count, lost, inside, and then the spans in the order in which they ended
 */
#ifndef VIALATA_WIRE_SPANS_H
#define VIALATA_WIRE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#define VL_SPANS_NAME "spans.%d"

/* As in comm/span.h, with its name in it: a pointer would mean nothing to another process. */
struct vl_spans_one {
    uint32_t kind;
    int32_t peer;
    double begin, end;
    uint64_t bytes;
    int64_t number;
    char name[32];
};

struct vl_spans {
    uint64_t most;  /* there is room for */
    uint64_t count; /* written; raised after the span is there */
    uint64_t lost;  /* came when there was no room */
    double inside;  /* when the call began that the rank is in; 0: it is in none */
    struct vl_spans_one one[];
};

/* A file for this many, empty. False: errno says why. */
bool vl_spans_make(const char *folder, int rank, uint64_t most);

/* The file in memory, shared with whoever writes it; NULL if there is none. */
struct vl_spans *vl_spans_map(const char *folder, int rank);

/* Add one, or count it as lost. */
void vl_spans_put(struct vl_spans *spans, const struct vl_spans_one *one);

#endif
