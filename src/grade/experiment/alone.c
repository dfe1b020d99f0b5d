#include "grade/experiment/alone.h"

#include "grade/experiment/right.h"
#include "grade/job/case_run.h"
#include "grade/job/rank_inputs.h"
#include "ranks/rank_folders.h"
#include "sandbox/scratch/scratch.h"

#include <math.h>
#include <stdlib.h>

#define CASE_SECONDS 1.0 /* for one case ... */
#define SLOWER       4.0 /* ... or so many times what it took */

struct attempt {
    const struct vl_laboratory *laboratory;
    const struct vl_seen_case *seen;
    const struct vl_bag *inputs;
    char *folder;
    bool right;
};

static enum vl_status write_inputs(void *context, size_t item)
{
    const struct attempt *a = context;
    return vl_rank_inputs_write(a->folder, (unsigned)item, a->seen->c, a->inputs);
}

static void look(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct attempt *a = context;
    (void)item;
    a->right =
        report->end == VL_RUN_FINISHED && vl_is_right(a->seen->c, a->inputs, a->laboratory, 0);
    if (report->audit != NULL)
        report->audit(report->attempt); /* the ranks wait for it */
}

enum vl_status vl_run_alone(bool *right, const struct vl_seen_case *seen,
                            const struct vl_bag *inputs, const struct vl_laboratory *laboratory,
                            const char *name, double until)
{
    struct attempt a = {.laboratory = laboratory, .seen = seen, .inputs = inputs};
    const struct vl_case *c = seen->c;
    enum vl_status status = vl_scratch_folder(&a.folder, laboratory->scratch, name);
    if (status == VL_OK)
        status = vl_rank_folders_make(a.folder, c->ranks);
    const struct vl_case_run_item item = {.function = c->function, .synchronous = c->synchronous};
    const struct vl_case_run run = {.sandbox = laboratory->sandbox,
                                    .program = laboratory->program,
                                    .folder = a.folder,
                                    .sources = laboratory->sources,
                                    .ranks = c->ranks,
                                    .hostile = 1,
                                    .seconds = fmax(CASE_SECONDS, SLOWER * seen->seconds),
                                    .until = until,
                                    .prepare = write_inputs,
                                    .report = look,
                                    .context = &a};
    if (status == VL_OK)
        status = vl_case_run(&run, &item, 1, NULL);
    *right = status == VL_OK && a.right;
    free(a.folder);
    return status;
}
