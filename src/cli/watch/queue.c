#include "cli/watch/queue.h"

#include <string.h>

void vl_queue_fill(struct vl_queue *queue, const bool edited[VL_SOURCES_FUNCTIONS],
                   const bool written[VL_SOURCES_FUNCTIONS])
{
    memset(queue->done, 0, sizeof queue->done);
    memmove(queue->edited, edited, sizeof queue->edited);
    memmove(queue->written, written, sizeof queue->written);
}

/* Are all functions right that have a file? Cases that use several functions together fail before that. */
static bool are_parts_right(const struct vl_standing *standing)
{
    for (size_t i = 0; i < standing->lab->function_count; i++)
        if (standing->lab->functions[i].file != NULL &&
            !vl_standing_has(standing, &standing->lab->functions[i]))
            return false;
    return true;
}

static bool is_wanted(const struct vl_queue *queue, const struct vl_standing *standing, size_t i,
                      int turn)
{
    const struct vl_lab_function *function = &standing->lab->functions[i];
    bool red = vl_standing_is_red(standing, function);
    if (queue->done[i] || !queue->written[i] || function->group == VL_GROUP_BONUS)
        return false;
    if (function->file == NULL)
        return turn == 2 && (red || queue->edited[i]) && are_parts_right(standing);
    return turn == 0 ? queue->edited[i] && red : turn == 1 ? queue->edited[i] : red;
}

const struct vl_lab_function *vl_queue_take(struct vl_queue *queue,
                                            const struct vl_standing *standing)
{
    const struct vl_lab *lab = standing->lab;
    for (int turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < lab->function_count && i < VL_SOURCES_FUNCTIONS; i++)
            if (is_wanted(queue, standing, i, turn)) {
                queue->done[i] = true;
                return &lab->functions[i];
            }
    return NULL;
}
