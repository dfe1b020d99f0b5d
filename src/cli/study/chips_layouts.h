/*
 * What `study chips` divides, and how: one model with experts, and a layout for each way.
 *
 *   the model    L4 D4096 H32 T4096 V8192, 8 experts of F3072 in each layer, of which a token
 *                chooses 2, and a shared one; 2 bytes for each element that travels, 16 for each
 *                parameter with its state; 2 sequences in the batch for each chip. Every chip of the
 *                course's machines has memory for all of it, so data parallelism is possible.
 *   near         chips that a fast link joins: of a domain, or of one axis of a torus
 *
 *   dp           every chip a replica
 *   dp overlap   the same in buckets, up to 64 chips: it sends too many messages on more
 *   zero 3       at most 64 replicas, of so many near chips as that takes
 *   tp           8 chips, or all that are near, share every matrix
 *   pp 1f1b      4 stages, one sequence in a micro-batch
 *   ep           8 chips, or all that are near, share the experts
 *
 * All but dp overlap and zero 3 sum gradients after backward: near replicas first, where there are
 * several of them and others too.
 */
#ifndef VIALATA_CLI_STUDY_CHIPS_LAYOUTS_H
#define VIALATA_CLI_STUDY_CHIPS_LAYOUTS_H

#include "report/study/chips.h"
#include "simulate/task.h"

#define VL_CHIPS_SCALE 64 /* of simulations: as vl_scale_choose finds it for this model */

/* Fill the study's model, recipe and parameters. */
enum vl_status vl_chips_model(struct vl_chips *study);

/* From a machine as its file has it and panel->chips to all of the panel but its names. */
enum vl_status vl_chips_divide(struct vl_chips_panel *panel, const struct vl_chips *study,
                               const struct vl_cluster *machine);

/* What a cell is planned with: the machine on which the panel's link has this bandwidth. It sums
 * gradients as the simulation does, and a product of any size is as fast, as it is there. */
struct vl_setting vl_chips_setting(const struct vl_chips *study, const struct vl_chips_panel *panel,
                                   enum vl_bandwidth_way way, double bandwidth);

/* What a cell is simulated from. */
enum vl_status vl_chips_task(struct vl_simulate_task *task, const struct vl_chips *study,
                             const struct vl_chips_panel *panel, enum vl_bandwidth_way way);

/* About how many messages all chips send in a step: what a simulation costs. */
double vl_chips_messages(const struct vl_chips *study, const struct vl_chips_panel *panel,
                         enum vl_bandwidth_way way);

#endif
