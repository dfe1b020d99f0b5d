/*
 * Calls of lab 03 on several files, and what they share: a rank's row of an input, units, outputs.
 *
 * Where a function of the lab is graded alone, its neighbours' work is done here, with the
 * collectives of lab 02: buckets are started, or finished, by the runner.
 */
#ifndef VIALATA_GRADE_LABS_03_DATA_PARALLEL_RUNNER_REPLICAS_H
#define VIALATA_GRADE_LABS_03_DATA_PARALLEL_RUNNER_REPLICAS_H

#include "vialata/status.h"
#include "wire/bag.h"
#include <stddef.h>
#include <stdint.h>

/* Units as the contracts have them, (unit_count + 1): the outputs keep the memory. */
const size_t *vl_input_units(struct vl_bag *outputs, const struct vl_bag *inputs);

#define VL_CALL(name)                                                                              \
    enum vl_status vl_call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)
VL_CALL(buckets_begin);
VL_CALL(buckets_ready);
VL_CALL(buckets_poll);
VL_CALL(buckets_finish);
VL_CALL(bucket_traffic);
VL_CALL(replica_step);
VL_CALL(accumulation_traffic);
VL_CALL(overlap);
VL_CALL(replicas_train);

#endif
