/*
 * The inputs of a case, in the folder of each rank (ranks/rank_folders.h): what a rank does not get
 * by the lab's plan, it has to get by communication.
 */
#ifndef VIALATA_GRADE_JOB_RANK_INPUTS_H
#define VIALATA_GRADE_JOB_RANK_INPUTS_H

#include "grade/catalogue/case.h"

/* Write each rank's part of the inputs of a case, where the rank does not see it yet
 * (vl_rank_folders_show). VL_EIO, VL_ENOMEM. */
enum vl_status vl_rank_inputs_write(const char *folder, unsigned input, const struct vl_case *c,
                                    const struct vl_bag *inputs);

#endif
