/*
 * What the calls of lab 06 share: who this rank is among those that hold a layer together.
 */
#ifndef VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_RUNNER_TENSOR_SITE_H
#define VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_RUNNER_TENSOR_SITE_H

#include "runner/call.h"
#include "vialata/tensor_parallel.h"

/* The ranks of the case; 'sequence' says whether they share the tokens outside layers. */
struct vl_tensor_group vl_tensor_site_group(int sequence);

/* Calls that the table in calls.c names. */
vl_call_function vl_call_tensor_all_reduces, vl_call_tensor_sent_bytes, vl_call_tensor_again_bytes,
    vl_call_tensor_kept_bytes, vl_call_predict_tensor_parallel;

#endif
