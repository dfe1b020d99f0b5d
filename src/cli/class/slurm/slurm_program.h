/*
 * The programs of Slurm that a class needs: sbatch, squeue and scancel.
 */
#ifndef VIALATA_CLI_CLASS_SLURM_SLURM_PROGRAM_H
#define VIALATA_CLI_CLASS_SLURM_SLURM_PROGRAM_H

#include "base/words.h"
#include <stdbool.h>
#include <stddef.h>

/* The first of them that is not in PATH; NULL if all are there. */
const char *vl_slurm_lacks(void);

/* Run one of them to its end; the first word is its name. Its exit status is returned (-1 if it
 * could not be run), the first line that it printed is in 'line', and its errors go to standard
 * error. Ctrl-C does not reach it. */
int vl_slurm_program(char *line, size_t n, const struct vl_words *words);

#endif
