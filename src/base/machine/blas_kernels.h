/*
 * Which of its kernels OpenBLAS is told to take.
 *
 * OpenBLAS has kernels for many processors in one library, and chooses by the processor's number. Before version
 * 0.3.25 one with an Intel number that it does not know got the kernels of a Prescott of 2004, whatever it can do:
 * with AVX-512, a quarter of the speed. (OpenBLAS, issue 4267, pull request 4268.)
 */
#ifndef VIALATA_BASE_BLAS_KERNELS_H
#define VIALATA_BASE_BLAS_KERNELS_H

/* A value for OPENBLAS_CORETYPE, for programs on this machine: its own, if it is set; else, where OpenBLAS would
 * take those of a Prescott for a processor that can do more, "SkylakeX" or "Haswell". NULL: OpenBLAS chooses well.
 * OpenBLAS is asked once, by a process of its own. One thread at a time. */
const char *vl_blas_kernels(void);

#endif
