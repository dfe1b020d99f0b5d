/* Receives, exchanges, probes. A receive counts as a call when posted, as a message when done. */
#include "comm/intercept/watch.h"

/* MPI_Mrecv does not say the communicator of a matched message: it is kept here until then. */
#define MATCHED 16
static struct {
    MPI_Message message;
    MPI_Comm comm;
} matched[MATCHED];

/* A message arrived: count it with its real peer and tag; if 'began' is set, add a span. */
static void came(const struct vl_beacon_call *call, MPI_Comm comm, const MPI_Status *status,
                 double began)
{
    const struct vl_known *known = vl_known(comm);
    vl_watch_received(call, known, status);
    if (began == 0 || status->MPI_SOURCE == MPI_PROC_NULL)
        return;
    struct vl_beacon_call real = *call;
    real.peer = vl_known_peer(known, status->MPI_SOURCE);
    real.tag = status->MPI_TAG;
    vl_watch_span(VL_SPAN_RECEIVE, &real, vl_status_bytes(status), began);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    struct vl_beacon_call call = vl_call_between(VL_OP_RECV, comm, from, tag, count, type, VL_HERE);
    double began = vl_watch_enter(&call);
    vl_overlap_look(VL_REQUEST_RECEIVE, &call, buffer, type);
    vl_watch_expected(&call);
    int result = PMPI_Recv(buffer, count, type, from, tag, comm, status);
    vl_watch_leave(began, "MPI_Recv");
    if (result == MPI_SUCCESS || vl_is_truncated(result))
        came(&call, comm, status, began);
    return result;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    struct vl_beacon_call call =
        vl_call_between(VL_OP_IRECV, comm, from, tag, count, type, VL_HERE);
    double began = vl_watch_enter(&call);
    struct vl_kept kept = {0};
    if (!vl_overlap_look(VL_REQUEST_RECEIVE, &call, buffer, type))
        kept = vl_early_stain(buffer, &call, type);
    void *into = kept.shadow != NULL ? kept.shadow : buffer;
    int result = PMPI_Irecv(into, count, type, from, tag, comm, request);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS) {
        vl_early_deliver(&kept);
        return result;
    }
    vl_watch_expected(&call);
    struct vl_request *one =
        vl_request_open(request, VL_REQUEST_RECEIVE, &call, comm, buffer, type, began);
    if (one != NULL)
        one->kept = kept;
    return result;
}

/* One call with a message out and a message in. The beacon shows the one that it waits for. Where a rank of another
 * program takes part, it is not to be taken for one whose send is still under way: nobody knows. */
static double enter_swap(const struct vl_beacon_call *out, const struct vl_beacon_call *in)
{
    struct vl_beacon_call shown = in->peer != VL_BEACON_NONE ? *in : *out;
    if (in->peer == VL_BEACON_ELSEWHERE || out->peer == VL_BEACON_ELSEWHERE)
        shown.operation = VL_OP_RECV;
    double began = vl_watch_enter(&shown);
    if (out->peer != VL_BEACON_NONE)
        vl_watch_sent(out);
    else
        vl_watch_expected(in);
    return began;
}

static void leave_swap(const struct vl_beacon_call *out, const struct vl_beacon_call *in,
                       MPI_Comm comm, int result, const MPI_Status *status, double began)
{
    vl_watch_leave(began, "MPI_Sendrecv");
    if (result != MPI_SUCCESS)
        return;
    vl_watch_span(VL_SPAN_SEND, out, out->count * out->type_bytes, began);
    came(in, comm, status, began);
}

int MPI_Sendrecv(const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void *received, int receive_count, MPI_Datatype receive_type, int from,
                 int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    struct vl_beacon_call out =
        vl_call_between(VL_OP_SENDRECV, comm, to, send_tag, send_count, send_type, VL_HERE);
    struct vl_beacon_call in = vl_call_between(VL_OP_SENDRECV, comm, from, receive_tag,
                                               receive_count, receive_type, VL_HERE);
    double began = enter_swap(&out, &in);
    vl_overlap_look_at_swap(&out, sent, send_type, &in, received, receive_type);
    int result = PMPI_Sendrecv(sent, send_count, send_type, to, send_tag, received, receive_count,
                               receive_type, from, receive_tag, comm, status);
    leave_swap(&out, &in, comm, result, status, began);
    return result;
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    struct vl_beacon_call out =
        vl_call_between(VL_OP_SENDRECV, comm, to, send_tag, count, type, VL_HERE);
    struct vl_beacon_call in =
        vl_call_between(VL_OP_SENDRECV, comm, from, receive_tag, count, type, VL_HERE);
    double began = enter_swap(&out, &in);
    int result =
        PMPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, receive_tag, comm, status);
    leave_swap(&out, &in, comm, result, status, began);
    return result;
}

static struct vl_beacon_call probe_call(MPI_Comm comm, int from, int tag, const void *address)
{
    struct vl_beacon_call call =
        vl_call_between(VL_OP_PROBE, comm, from, tag, 0, MPI_DATATYPE_NULL, address);
    vl_watch_called(&call);
    return call;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct vl_beacon_call call = probe_call(comm, from, tag, VL_HERE);
    double began = vl_watch_enter(&call);
    int result = PMPI_Probe(from, tag, comm, status);
    vl_watch_leave(began, "MPI_Probe");
    return result;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct vl_beacon_call call = probe_call(comm, from, tag, VL_HERE);
    call.form |= VL_FORM_STARTED;
    vl_watch_enter(&call);
    int result = PMPI_Iprobe(from, tag, comm, flag, status);
    vl_watch_leave(0, NULL);
    return result;
}

static void keep(MPI_Message message, MPI_Comm comm)
{
    bool noted = message != MPI_MESSAGE_NULL && vl_thread_is_watched();
    for (size_t i = 0; i < MATCHED && noted; i++) {
        if (matched[i].message != NULL)
            continue;
        matched[i].message = message;
        matched[i].comm = comm;
        return;
    }
}

static MPI_Comm kept(MPI_Message message)
{
    for (size_t i = 0; i < MATCHED && vl_thread_is_watched(); i++) {
        if (matched[i].message != message)
            continue;
        matched[i].message = NULL;
        return matched[i].comm;
    }
    return MPI_COMM_WORLD;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct vl_beacon_call call = probe_call(comm, from, tag, VL_HERE);
    double began = vl_watch_enter(&call);
    int result = PMPI_Mprobe(from, tag, comm, message, status);
    vl_watch_leave(began, "MPI_Mprobe");
    if (result == MPI_SUCCESS)
        keep(*message, comm);
    return result;
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status)
{
    struct vl_beacon_call call = probe_call(comm, from, tag, VL_HERE);
    call.form |= VL_FORM_STARTED;
    vl_watch_enter(&call);
    int result = PMPI_Improbe(from, tag, comm, flag, message, status);
    vl_watch_leave(0, NULL);
    if (result == MPI_SUCCESS && *flag)
        keep(*message, comm);
    return result;
}

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    MPI_Comm comm = kept(*message);
    int from = *message == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : MPI_ANY_SOURCE;
    struct vl_beacon_call call =
        vl_call_between(VL_OP_RECV, comm, from, MPI_ANY_TAG, count, type, VL_HERE);
    double began = vl_watch_enter(&call);
    vl_watch_expected(&call);
    int result = PMPI_Mrecv(buffer, count, type, message, status);
    vl_watch_leave(began, "MPI_Mrecv");
    if (result == MPI_SUCCESS)
        came(&call, comm, status, began);
    return result;
}

int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
               MPI_Request *request)
{
    MPI_Comm comm = kept(*message);
    int from = *message == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : MPI_ANY_SOURCE;
    struct vl_beacon_call call =
        vl_call_between(VL_OP_IRECV, comm, from, MPI_ANY_TAG, count, type, VL_HERE);
    double began = vl_watch_enter(&call);
    int result = PMPI_Imrecv(buffer, count, type, message, request);
    vl_watch_leave(0, NULL);
    if (result != MPI_SUCCESS)
        return result;
    vl_watch_expected(&call);
    vl_request_open(request, VL_REQUEST_RECEIVE, &call, comm, buffer, type, began);
    return result;
}
