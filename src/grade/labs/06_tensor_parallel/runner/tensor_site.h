/*
 * What the calls of lab 06 share: who this rank is among those that hold a layer together.
 */
#ifndef VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_RUNNER_TENSOR_SITE_H
#define VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_RUNNER_TENSOR_SITE_H

#include "runner/call.h"
#include "vialata/tensor_parallel.h"

/* The ranks of the case; 'sequence' says whether they share the tokens outside layers. */
struct vl_tensor_group vl_tensor_site_group(int sequence);

#endif
