/*
 * From a model and a machine as the planner knows them to what the simulator runs: the same thing,
 * made smaller so that its arrays fit into one computer.
 *
 *   divided by s       D, F, V, T
 *   kept               L, H where it can be, E, k, sequences, micro-batches, the layout
 *   so by s^2 less     bytes on the links and in memory        by s^2 slower: both
 *   and by s^3 less    FLOPs of matrix products                by s^3 slower: the chip
 *
 * Every time stays what it was, and so does every latency. Where tensor parallelism needs it, F and V
 * are rounded up. Elements travel as float32; where the recipe's are smaller, the links are faster
 * instead. Bytes that the simulator counts are those of the real model after vl_scale_bytes.
 *
 * The counts of experts and the choices of tokens do not become smaller, so they are charged as if the
 * links were as fast as the real ones. The few other numbers that a step sends are not: the loss, the
 * norm.
 *
 * The engine's layer is not quite that of every model: it has plain attention with four matrices of
 * (D,D), and in a model with experts every layer has them.
 */
#ifndef VIALATA_SIMULATE_SCALE_H
#define VIALATA_SIMULATE_SCALE_H

#include "simulate/task.h"
#include "vialata/blueprint.h"

/* FLOPs that a chip's peak allows for one byte of its memory, where nobody says otherwise: an
 * assumption. An H100 has 990e12 FLOP/s and 3.35e12 bytes/s (NVIDIA's data sheet), which is 296. */
#define VL_SIMULATE_FLOPS_PER_BYTE 300.0

/* The largest s for which D and T remain large enough to be cut up, and no rounding is needed in
 * them; 1 if there is none. */
size_t vl_scale_choose(const struct vl_setting *setting, const struct vl_division *division);

/* Fill the task, but for 'trace'. memory: bytes/s of a chip, 0: the assumption above.
 * VL_ESHAPE if s does not divide D and T, or leaves too little to be shared by the tensor ranks. */
enum vl_status vl_scale_task(struct vl_simulate_task *task, const struct vl_setting *setting,
                             const struct vl_division *division, size_t s, double memory);

/* Let the task sum its gradients in two levels, inside a domain and between domains, after backward.
 * VL_ESHAPE unless every domain has equally many replicas of a stage, more than one of them and not
 * all, or with ZeRO. */
enum vl_status vl_scale_two_level(struct vl_simulate_task *task);

/* The road on which the scaled model travels as long as the real one on 'link'. */
struct vl_link vl_scale_link(const struct vl_link *link, const struct vl_recipe *recipe, size_t s);

/* The cluster with both of its roads scaled like this. */
struct vl_cluster vl_scale_cluster(const struct vl_cluster *cluster, const struct vl_recipe *recipe,
                                   size_t s);

/* Bytes of the real model, for bytes that the scaled one sent. */
double vl_scale_bytes(double bytes, const struct vl_recipe *recipe, size_t s);

#endif
