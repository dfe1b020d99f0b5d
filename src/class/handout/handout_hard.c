#include "base/path.h"
#include "base/text.h"
#include "class/book/hard.h"
#include "class/handout/handout_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* RESULTS/points/LAB.json, or FOLDER/share/vialata/hard/LAB.json. */
static char *file_of(const char *folder, const char *below, const struct vl_lab *lab)
{
    return vl_text_format("%s/%s/%s.json", folder, below, lab->folder);
}

static enum vl_status write_lab(const struct vl_lab *lab, const struct vl_points *points,
                                const char *folder)
{
    struct vl_hard hard;
    char *place = vl_path_join(folder, VL_HANDOUT_SHARE "/hard");
    char *path = file_of(folder, VL_HANDOUT_SHARE "/hard", lab);
    enum vl_status status =
        place != NULL && path != NULL ? vl_hard_count(&hard, points, lab) : VL_ENOMEM;
    if (status == VL_OK && hard.count > 0)
        status = vl_path_make_folders(place) ? vl_hard_write(&hard, lab, path) : VL_EIO;
    free(place);
    free(path);
    return status;
}

/* A lab that the class did not hand in has no points, and nothing is told of it. */
static enum vl_status add_lab(const struct vl_lab *lab, const char *results, const char *folder,
                              char **problem)
{
    struct vl_points points = {0};
    char *path = file_of(results, "points", lab);
    enum vl_status status = path != NULL ? vl_points_read(&points, path) : VL_ENOMEM;
    if (status == VL_OK)
        status = write_lab(lab, &points, folder);
    else if (status == VL_EIO && errno == ENOENT)
        status = VL_OK;
    else if (status == VL_EIO || status == VL_EFORMAT)
        *problem = vl_text_format(_("The points in %s cannot be read: name a folder that `vialata "
                                    "batch` has made after `--hard`."),
                                  path);
    vl_points_free(&points);
    free(path);
    return status;
}

enum vl_status vl_handout_hard(const struct vl_handout *handout, const char *folder, char **problem)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < handout->lab_count && status == VL_OK && handout->results != NULL; i++)
        status = add_lab(handout->labs[i], handout->results, folder, problem);
    return status;
}
