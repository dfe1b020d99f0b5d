/*
 * The kernels of OpenBLAS, where nobody has told them: `vialata` tells the programs that it starts on its own machine,
 * but a rank may run on another one.
 */
#ifndef VIALATA_TRAIN_KERNELS_H
#define VIALATA_TRAIN_KERNELS_H

/* Where OpenBLAS has not taken what this processor can do (base/machine/blas_kernels.h), begin this program again, with the
 * same words, and tell it. Before MPI_Init. NULL in the simulator, where all ranks are one process. */
void vl_kernels_take(char **words) __attribute__((weak));

#endif
