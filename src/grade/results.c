#include "grade/results.h"

#include "grade/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20)

struct vl_bag *vl_results_take(const struct vl_sandbox *sandbox, const char *scratch,
                               unsigned number, int rank)
{
    char name[64];
    snprintf(name, sizeof name, "out%u.%d.st", number, rank);
    char *from = vl_scratch_path(sandbox->folder, name);
    char *copy = vl_scratch_path(scratch, "taken.st");
    struct vl_bag *bag = NULL;
    /* The copy cannot change while it is read; the original could. */
    if (from != NULL && copy != NULL) {
        unlink(copy);
        if (vl_scratch_copy(copy, from, MOST_BYTES) == VL_OK && vl_bag_read(&bag, copy) != VL_OK)
            bag = NULL;
        unlink(copy);
        unlink(from);
    }
    free(from);
    free(copy);
    return bag;
}
