/*
 * What a job prints, through a pipe: the beginning is kept, and the rest is read and forgotten, so that a program
 * that prints without end neither fills a disk nor stops to wait.
 */
#ifndef VIALATA_CLI_MPI_PRINTED_H
#define VIALATA_CLI_MPI_PRINTED_H

#include "vialata/status.h"

#include <stddef.h>

#define VL_PRINTED_BYTES 1000000

struct vl_printed {
    int out, in; /* the pipe's ends: the job's and ours; -1 when closed */
    char *text;  /* ended by a zero byte */
    size_t kept;
};

/* VL_EIO (errno), VL_ENOMEM. Close it in any case. */
enum vl_status vl_printed_open(struct vl_printed *printed);

/* Take what is there now, without waiting. */
void vl_printed_take(struct vl_printed *printed);

/* The job has its end, so ours of that is closed. */
void vl_printed_started(struct vl_printed *printed);

/* Close the pipe and free the text. */
void vl_printed_close(struct vl_printed *printed);

#endif
