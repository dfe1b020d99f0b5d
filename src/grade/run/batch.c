#include "grade/run/batch.h"

#include "grade/catalogue/maker.h"
#include "grade/catalogue/rehearsal.h"
#include "grade/job/rank_inputs.h"

#include <stdlib.h>

#define REHEARSALS 10000 /* added to the number of a case: the number of its rehearsal */

enum vl_status vl_batch_open(struct vl_batch *batch, size_t cases)
{
    batch->asked = calloc(cases + 1, sizeof *batch->asked);
    batch->items = calloc(2 * cases + 1, sizeof *batch->items);
    return batch->asked != NULL && batch->items != NULL ? VL_OK : VL_ENOMEM;
}

void vl_batch_close(struct vl_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        vl_bag_free(batch->asked[i].inputs);
        vl_bag_free(batch->asked[i].rehearsal);
        vl_finding_free(&batch->asked[i].misuse);
    }
    free(batch->asked);
    free(batch->items);
}

size_t vl_batch_index(const struct vl_batch *batch, size_t item)
{
    return batch->items[item].number % REHEARSALS;
}

/* Whoever debugs wants to see the case, and nothing before it. */
unsigned vl_batch_rehearsal(const struct vl_batch *batch, size_t index)
{
    bool has_one = !batch->grading->request->gdb && vl_case_is_rehearsed(batch->asked[index].c);
    return has_one ? REHEARSALS + (unsigned)index : 0;
}

static void add(struct vl_batch *batch, const struct vl_case *c, unsigned number, bool rehearsal)
{
    batch->items[batch->item_count++] = (struct vl_case_run_item){.input = number,
                                                                  .number = number,
                                                                  .function = c->function,
                                                                  .synchronous = c->synchronous,
                                                                  .rehearsal = rehearsal};
}

void vl_batch_add(struct vl_batch *batch, size_t index)
{
    const struct vl_case *c = batch->asked[index].c;
    const unsigned rehearsal = vl_batch_rehearsal(batch, index);
    if (rehearsal != 0)
        add(batch, c, rehearsal, true);
    add(batch, c, (unsigned)index, false);
}

enum vl_status vl_batch_make_inputs(void *context, size_t item)
{
    const struct vl_batch *batch = context;
    const struct vl_case_run_item *own = &batch->items[item];
    const struct vl_origin *origin = &batch->grading->request->origin;
    struct vl_asked *asked = &batch->asked[vl_batch_index(batch, item)];
    struct vl_bag **inputs = own->rehearsal ? &asked->rehearsal : &asked->inputs;
    *inputs =
        own->rehearsal ? vl_rehearsal_inputs(asked->c, origin) : vl_case_inputs(asked->c, origin);
    if (*inputs == NULL)
        return VL_ENOMEM;
    return vl_rank_inputs_write(batch->folder, own->input, asked->c, *inputs);
}
