/*
 * The folder of a job: one folder for each rank of it, with what only this rank may read.
 *
 *   FOLDER/<rank>/list       what to run
 *   FOLDER/<rank>/in<i>.st   the rank's part of the inputs of case i, once that case begins
 *   FOLDER/in<i>.<rank>.st   until then: what a rank cannot read yet, it cannot tell the others
 */
#ifndef VIALATA_RANKS_RANK_FOLDERS_H
#define VIALATA_RANKS_RANK_FOLDERS_H

#include "vialata/status.h"

/* Make the folders of all ranks. VL_EIO, VL_ENOMEM. */
enum vl_status vl_rank_folders_make(const char *folder, int ranks);

/* FOLDER/<rank>; the caller frees it. NULL without memory. */
char *vl_rank_folder(const char *folder, int rank);

/* Where a rank's inputs of a case are until then; the caller frees it. NULL without memory. */
char *vl_rank_inputs_hidden(const char *folder, int rank, unsigned input);

/* Let all ranks read their inputs of a case. VL_EIO, VL_ENOMEM. */
enum vl_status vl_rank_folders_show(const char *folder, int ranks, unsigned input);

#endif
