/*
 * Spans of ranks as a trace: JSON in the Trace Event Format, so Perfetto and `vialata timeline` open it. A process for
 * each rank, with tracks for computing, sending, receiving, waiting and marks; times in microseconds.
 */
#ifndef VIALATA_COMM_TRACE_EVENTS_H
#define VIALATA_COMM_TRACE_EVENTS_H

#include "wire/spans.h"

#include <jansson.h>
#include <stddef.h>

/* Add the spans of a rank to an array; 'zero' is the moment on its clock from which times count. */
void vl_trace_add_rank(json_t *events, const struct vl_spans_one *spans, size_t count, int rank,
                       double zero);

/* The whole trace, which takes the array. 'step' below 0: of no step. NULL without memory. */
json_t *vl_trace_of(json_t *events, int ranks, int64_t step);

#endif
