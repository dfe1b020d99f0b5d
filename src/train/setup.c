#include "train/setup.h"

#include "base/number.h"
#include "base/text.h"

#include <unistd.h>

static enum vl_status refuse_checkpoint(struct vl_problem *problem, const char *path,
                                        const char *detail)
{
    vl_problem_set(problem, VL_EFORMAT, "checkpoint_damaged",
                   _("%s is not a checkpoint of vialata, or it is damaged or cut short: give a "
                     "file that `vialata train --save` wrote."),
                   path);
    problem->detail = detail;
    return VL_EFORMAT;
}

enum vl_status vl_setup_checkpoint(struct vl_checkpoint **checkpoint, const char *path,
                                   struct vl_problem *problem)
{
    const char *reason;
    enum vl_status status = vl_checkpoint_open(checkpoint, path, &reason);
    if (status == VL_EFORMAT)
        return refuse_checkpoint(problem, path, reason);
    if (status == VL_EIO)
        return vl_problem_reading(problem, path);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

/*
 * Bytes that such a model needs at least: its state, and per layer the activations that backward
 * will ask for. In double, since this is asked before anything else has checked the sizes.
 */
static double bytes_needed(const struct vl_shape *shape, size_t rows, int learns)
{
    double width = (double)shape->width, ff = (double)shape->ff;
    double tokens = (double)rows * (double)shape->sequence;
    double parameters = 2 * (double)shape->vocabulary * width +
                        (double)shape->layers * (4 * width * width + 3 * ff * width);
    double layer =
        tokens * (8 * width + 3 * ff) + tokens * (double)shape->heads * (double)shape->sequence;
    double logits = tokens * (double)shape->vocabulary;
    return 4 * (learns ? 4 * parameters + (double)shape->layers * layer + logits
                       : parameters + layer + logits);
}

enum vl_status vl_setup_model(struct vl_model **model, const struct vl_shape *shape, size_t rows,
                              int learns, struct vl_problem *problem)
{
    /* Memory that is promised but not there would end the run later, without a word. */
    double needed = bytes_needed(shape, rows, learns);
    double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (needed > there) {
        char need[VL_NUMBER_TEXT], have[VL_NUMBER_TEXT];
        return vl_problem_set(problem, VL_ENOMEM, "no_memory",
                              _("This model needs about %1$s of memory and the machine has %2$s: "
                                "choose a smaller model, sequence or batch."),
                              needed < 1e18 ? vl_number_bytes(need, (uint64_t)needed) : "> 1 EiB",
                              vl_number_bytes(have, (uint64_t)there));
    }
    enum vl_status status = vl_model_create(model, shape, rows, learns);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

enum vl_status vl_setup_weights(const struct vl_checkpoint *checkpoint, const char *path,
                                struct vl_model *model, struct vl_problem *problem)
{
    enum vl_status status = vl_checkpoint_load(checkpoint, model);
    return status == VL_OK ? VL_OK
                           : refuse_checkpoint(problem, path, "a tensor is missing or misshapen");
}
