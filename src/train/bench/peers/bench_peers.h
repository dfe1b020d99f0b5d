/*
 * `vialata bench peers`: a training step of ours and one of PyTorch's, in turn, on one core.
 *
 *   tokens_per_second, gflops            ours, as `vialata bench step` has them
 *   peer_tokens_per_second, peer_gflops  PyTorch's, with the same FLOPs
 *   ratio                                ours / PyTorch's: above 1, ours is faster
 *   loss, peer_loss                      of the last step
 *
 * Both begin with the same weights and learn the same batch with the same settings. That they do the same is
 * checked: a loss that differs by more than VL_PEERS_LOSS is an error. Each figure is the median of its times.
 */
#ifndef VIALATA_TRAIN_BENCH_PEERS_BENCH_PEERS_H
#define VIALATA_TRAIN_BENCH_PEERS_BENCH_PEERS_H

#include "train/bench/step/learning.h"
#include "vialata/status.h"

/* Of the loss, relative: float32 in two orders of summation differs by 1e-6 at the first step, and AdamW, whose
 * first moves have the size of the rate whatever the gradient, makes more of it with each. */
#define VL_PEERS_LOSS 1e-3

struct vl_peers_result {
    struct vl_bench_shape shape;
    char version[32]; /* of PyTorch */
    double tokens_per_second, peer_tokens_per_second;
    double gflops, peer_gflops;
    double ratio;
    double loss, peer_loss;
};

/* Measure both shapes, with this Python and this script (peer.h); takes about a minute. Sets BLAS to one thread.
 * VL_ELACK: PyTorch could not be started; VL_EFORMAT: it answers something else, or another loss. VL_EIO, VL_ENOMEM. */
enum vl_status vl_bench_peers(struct vl_peers_result results[VL_BENCH_SHAPES], const char *python,
                              const char *script);

#endif
