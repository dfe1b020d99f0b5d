/* A call that MPI refused: which of its arguments, and what may be wrong with it. */
#include "base/text.h"
#include "ranks/hang/wait_graph.h"

#include <string.h>

static const char *const sentences[] = {
    [VL_REFUSED_BUFFER] =
        N_("MPI refused the call of rank %1$d to %2$s: a buffer is missing, or one buffer is given "
           "both to read from and to write to."),
    [VL_REFUSED_COUNT] =
        N_("MPI refused the call of rank %1$d to %2$s: a count is negative, or too large."),
    [VL_REFUSED_TYPE] = N_(
        "MPI refused the call of rank %1$d to %2$s: the datatype was never made, not committed, or "
        "already freed."),
    [VL_REFUSED_TAG] =
        N_("MPI refused the call of rank %1$d to %2$s: the tag is negative, or too large."),
    [VL_REFUSED_COMMUNICATOR] = N_("MPI refused the call of rank %1$d to %2$s: the communicator "
                                   "was never made on this rank, or was already freed."),
    [VL_REFUSED_RANK] = N_(
        "MPI refused the call of rank %1$d to %2$s: it names a rank that the communicator does not "
        "have. The ranks are numbered from 0."),
    [VL_REFUSED_ROOT] = N_(
        "MPI refused the call of rank %1$d to %2$s: its root is a rank that the communicator does "
        "not have. The ranks are numbered from 0."),
    [VL_REFUSED_REQUEST] =
        N_("MPI refused the call of rank %1$d to %2$s: a request was never begun, or was already "
           "freed."),
    [VL_REFUSED_GROUP] =
        N_("MPI refused the call of rank %1$d to %2$s: the group was never made, or was already "
           "freed."),
    [VL_REFUSED_OPERATION] =
        N_("MPI refused the call of rank %1$d to %2$s: the operation does not fit the datatype, or "
           "was already freed."),
    [VL_REFUSED_WINDOW] =
        N_("MPI refused the call of rank %1$d to %2$s: the window was never made, or was already "
           "freed."),
    [VL_REFUSED_OTHER] =
        N_("MPI refused the call of rank %1$d to %2$s: look at each of its arguments."),
};

/* A program wrote it: nothing but a name of MPI's is shown. */
static const char *name_of(char name[VL_CALL_NAME], const struct vl_beacon *beacon)
{
    memcpy(name, beacon->error_name, VL_CALL_NAME);
    name[VL_CALL_NAME - 1] = '\0';
    name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] = '\0';
    return strncmp(name, "MPI_", 4) == 0 ? name : "MPI";
}

const char *vl_where_refused(char text[VL_WHERE], const struct vl_wait_graph *graph, int rank)
{
    char name[VL_CALL_NAME];
    const struct vl_beacon *beacon = graph->beacon[rank];
    if (beacon->error_call.operation != VL_OP_NONE)
        return vl_wait_graph_where(text, graph, rank, &beacon->error_call);
    return vl_wait_graph_where_named(text, graph, name_of(name, beacon),
                                     beacon->error_call.address);
}

void vl_tell_refusal(const struct vl_wait_graph *graph, int rank, const char *where)
{
    uint32_t refusal = (uint32_t)graph->beacon[rank]->error;
    const char *sentence =
        refusal < sizeof sentences / sizeof *sentences ? sentences[refusal] : NULL;
    vl_hang_say(graph, _(sentence != NULL ? sentence : sentences[VL_REFUSED_OTHER]), rank, where);
}
