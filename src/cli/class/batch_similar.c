/* Which submissions of a class are compared with each other. */
#include "cli/class/batch.h"

#include "sandbox/interrupt.h"
#include <stdlib.h>

/* One submission of each student, although one may have been handed in twice. */
static size_t list_sources(struct vl_similar_source *sources, const struct vl_batch *batch)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->task_count; i++) {
        const struct vl_batch_task *task = &batch->tasks[i];
        if (task->path != NULL && task->item->problem == NULL)
            sources[count++] =
                (struct vl_similar_source){task->item->student, task->lab, task->path};
    }
    return count;
}

enum vl_status vl_batch_similar(struct vl_batch *batch, int *signal)
{
    const struct vl_batch_request *request = batch->request;
    if (request->similar == 0)
        return VL_OK;
    struct vl_similar_source *sources = calloc(batch->task_count + 1, sizeof *sources);
    enum vl_status status = sources != NULL ? VL_OK : VL_ENOMEM;
    size_t count = status == VL_OK ? list_sources(sources, batch) : 0;
    vl_interrupt_begin();
    batch->guarded = true;
    for (size_t k = 0; k < request->lab_count && status == VL_OK && !vl_interrupt_seen(); k++)
        status =
            vl_similar_find(&batch->similar, sources, count, request->labs[k], request->similar);
    *signal = vl_interrupt_seen();
    free(sources);
    return status;
}
