/*
 * The kernels of OpenBLAS, where nobody has told them: `vialata` tells the programs that it starts on its own machine,
 * but a rank may run on another one.
 */
#ifndef VIALATA_TRAIN_KERNELS_H
#define VIALATA_TRAIN_KERNELS_H

/* Where OpenBLAS has not taken what this processor can do (base/blas_kernels.h), begin this program again, with the
 * same words, and tell it. Before MPI_Init. Not in the simulator, whose ranks are no processes: NULL there. */
void vl_kernels_take(char **words) __attribute__((weak));

#endif
