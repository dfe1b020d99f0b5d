#include "ranks/rank_folders.h"

#include "base/text.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>

char *vl_rank_folder(const char *folder, int rank)
{
    return vl_text_format("%s/%d", folder, rank);
}

enum vl_status vl_rank_folders_make(const char *folder, int ranks)
{
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < ranks && status == VL_OK; rank++) {
        char name[16], *path = NULL;
        snprintf(name, sizeof name, "%d", rank);
        status = vl_scratch_folder(&path, folder, name);
        free(path);
    }
    return status;
}

char *vl_rank_inputs_hidden(const char *folder, int rank, unsigned input)
{
    return vl_text_format("%s/in%u.%d.st", folder, input, rank);
}

enum vl_status vl_rank_folders_show(const char *folder, int ranks, unsigned input)
{
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < ranks && status == VL_OK; rank++) {
        char *hidden = vl_rank_inputs_hidden(folder, rank, input);
        char *shown = vl_text_format("%s/%d/in%u.st", folder, rank, input);
        status = hidden == NULL || shown == NULL ? VL_ENOMEM
                 : rename(hidden, shown) == 0    ? VL_OK
                                                 : VL_EIO;
        free(hidden);
        free(shown);
    }
    return status;
}
