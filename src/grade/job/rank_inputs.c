#include "grade/job/rank_inputs.h"

#include "base/text.h"
#include "grade/catalogue/part.h"
#include "sandbox/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum vl_status write_file(const char *folder, unsigned input, int rank,
                                 const struct vl_bag *own)
{
    char name[48];
    snprintf(name, sizeof name, "%d/in%u.st", rank, input);
    FILE *file = vl_scratch_begin(folder, name);
    enum vl_status status = file != NULL ? vl_bag_put(own, file) : VL_EIO;
    enum vl_status ended = vl_scratch_end(file);
    return status != VL_OK ? status : ended;
}

/* The file of rank 0 under this rank's name, too. False where the file system has no such links. */
static bool link_file(const char *folder, unsigned input, int rank)
{
    char *first = vl_text_format("%s/0/in%u.st", folder, input);
    char *path = vl_text_format("%s/%d/in%u.st", folder, rank, input);
    bool linked = first != NULL && path != NULL && link(first, path) == 0;
    free(first);
    free(path);
    return linked;
}

enum vl_status vl_rank_inputs_write(const char *folder, unsigned input, const struct vl_case *c,
                                    const struct vl_bag *inputs)
{
    enum vl_status status = VL_OK;
    bool first_has_all = false;
    for (int rank = 0; rank < c->ranks && status == VL_OK; rank++) {
        struct vl_bag *own = vl_part_of(c, inputs, rank);
        bool has_all = own != NULL && vl_bag_difference(inputs, own) == NULL;
        if (own == NULL)
            status = VL_ENOMEM;
        else if (!has_all || !first_has_all || !link_file(folder, input, rank))
            status = write_file(folder, input, rank, own);
        first_has_all |= rank == 0 && has_all;
        vl_bag_free(own);
    }
    return status;
}
