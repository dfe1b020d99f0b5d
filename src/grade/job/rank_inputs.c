#include "grade/job/rank_inputs.h"

#include "grade/catalogue/part.h"
#include "ranks/rank_folders.h"
#include "sandbox/scratch/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum vl_status write_file(const char *path, const struct vl_bag *own)
{
    FILE *file = fopen(path, "we");
    enum vl_status status = file != NULL ? vl_bag_put(own, file) : VL_EIO;
    enum vl_status ended = vl_scratch_end(file);
    return status != VL_OK ? status : ended;
}

/* The file of rank 0 under this rank's name, too. False where the file system has no such links. */
static bool link_file(const char *folder, unsigned input, const char *path)
{
    char *first = vl_rank_inputs_hidden(folder, 0, input);
    bool linked = first != NULL && link(first, path) == 0;
    free(first);
    return linked;
}

enum vl_status vl_rank_inputs_write(const char *folder, unsigned input, const struct vl_case *c,
                                    const struct vl_bag *inputs)
{
    enum vl_status status = VL_OK;
    bool first_has_all = false;
    for (int rank = 0; rank < c->ranks && status == VL_OK; rank++) {
        struct vl_bag *own = vl_part_of(c, inputs, rank);
        char *path = vl_rank_inputs_hidden(folder, rank, input);
        bool has_all = own != NULL && vl_bag_difference(inputs, own) == NULL;
        if (own == NULL || path == NULL)
            status = VL_ENOMEM;
        else if (!has_all || !first_has_all || !link_file(folder, input, path))
            status = write_file(path, own);
        first_has_all |= rank == 0 && has_all;
        vl_bag_free(own);
        free(path);
    }
    return status;
}
