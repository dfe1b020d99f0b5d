/*
 * Lab 07, station 4: a stage goes through its actions.
 *
 * A send is only started; until it is finished, its memory belongs to it. So keep a list of the
 * sends under way, in 'sends', and write two static functions. One finishes the sends that read a
 * given memory and moves the others up. The other one polls all of them.
 *
 *     ./vialata grade 07 --only vl_stage_run
 */
#include "vialata/pipeline.h"

/* include/vialata/pipeline.h: do the actions of one stage, in order. */
enum vl_status vl_stage_run(const struct vl_stage *stage, const struct vl_action *actions,
                            size_t count, struct vl_stage_send *sends)
{
    (void)stage;
    (void)actions;
    (void)count;
    (void)sends;
    /* TODO(07): SEND: ask for the memory (in floats; messages are in bytes), start, remember. */
    /* TODO(07): RECEIVE: no send may still read the memory. Start, and finish at once. */
    /* TODO(07): COMPUTE: if the next action sends the output, no other send may still read its
     * memory. An empty message has no memory to wait for. */
    /* TODO(07): between two actions, poll what is under way: it moves only when asked. */
    /* TODO(07): at the end finish all of them. Any status but VL_OK ends the run at once. */
    return VL_TODO;
}
