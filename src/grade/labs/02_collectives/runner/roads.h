/*
 * What the calls of lab 02 share: this rank's place and row, and bytes that can be told from bytes
 * never written.
 */
#ifndef VIALATA_GRADE_LABS_02_COLLECTIVES_RUNNER_ROADS_H
#define VIALATA_GRADE_LABS_02_COLLECTIVES_RUNNER_ROADS_H

#include "comm/beacon.h"
#include "comm/meter.h"
#include "runner/call.h"

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

#define VL_ROAD_RANKS     16
#define VL_ROAD_UNWRITTEN 0xee /* no input byte has this value */

struct vl_road_here {
    MPI_Comm comm;
    int rank, ranks, tag;
    size_t n, element_bytes;
};

struct vl_road_here vl_road_here(const struct vl_bag *inputs);
size_t vl_road_size(const struct vl_bag *inputs, const char *name);
int vl_road_number(const struct vl_bag *inputs, const char *name);

/* Whole numbers (1, count), poisoned. NULL without memory. */
int64_t *vl_road_whole(struct vl_bag *outputs, const char *name, size_t count);

/* Data worked on in place: an output that holds this rank's row. NULL without memory. */
float *vl_road_floats_in_place(struct vl_bag *outputs, const struct vl_bag *inputs,
                               const char *name);
void *vl_road_bytes_in_place(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name);
/* Bytes to be written, all VL_ROAD_UNWRITTEN now. */
void *vl_road_bytes(struct vl_bag *outputs, const char *name, size_t bytes);
/* The bytes as numbers, (bytes / element_bytes, element_bytes) float32, for the grader to read; a
 * byte not written is poison there. */
void vl_road_show(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name);

enum vl_status vl_call_transfer_poll(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_levels_create(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_levels_free(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_two_level(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_two_level_traffic(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_broadcast_seconds(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_reduce_scatter_seconds(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_all_gather_seconds(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_all_reduce_seconds(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_two_level_seconds(struct vl_bag *outputs, const struct vl_bag *inputs);
enum vl_status vl_call_predict_collectives(struct vl_bag *outputs, const struct vl_bag *inputs);

#endif
