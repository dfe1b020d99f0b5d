/* Fortran: messages between two ranks. */
#include "comm/preload/fortran.h"

/* ---- sends and receives ---- */

#define SEND     void *data, vl_in count, vl_in type, vl_in to, vl_in tag, vl_in comm
#define SENT     vl_bottom(data), *count, vl_type(type), *to, *tag, vl_comm(comm)
#define RECEIVE  void *data, vl_in count, vl_in type, vl_in from, vl_in tag, vl_in comm
#define RECEIVED vl_bottom(data), *count, vl_type(type), *from, *tag, vl_comm(comm)

VL_ENTRY(send, (SEND, vl_out error), MPI_Send(SENT))
VL_ENTRY(ssend, (SEND, vl_out error), MPI_Ssend(SENT))
VL_ENTRY(bsend, (SEND, vl_out error), MPI_Bsend(SENT))
VL_ENTRY(rsend, (SEND, vl_out error), MPI_Rsend(SENT))
VL_ENTRY_ANSWERS(recv, (RECEIVE, vl_out status, vl_out error), MPI_Recv(RECEIVED, answer))

VL_ENTRY_STARTS(isend, (SEND, vl_out request, vl_out error), MPI_Isend(SENT, &started))
VL_ENTRY_STARTS(issend, (SEND, vl_out request, vl_out error), MPI_Issend(SENT, &started))
VL_ENTRY_STARTS(ibsend, (SEND, vl_out request, vl_out error), MPI_Ibsend(SENT, &started))
VL_ENTRY_STARTS(irsend, (SEND, vl_out request, vl_out error), MPI_Irsend(SENT, &started))
VL_ENTRY_STARTS(irecv, (RECEIVE, vl_out request, vl_out error), MPI_Irecv(RECEIVED, &started))

VL_ENTRY_STARTS(send_init, (SEND, vl_out request, vl_out error), MPI_Send_init(SENT, &started))
VL_ENTRY_STARTS(ssend_init, (SEND, vl_out request, vl_out error), MPI_Ssend_init(SENT, &started))
VL_ENTRY_STARTS(bsend_init, (SEND, vl_out request, vl_out error), MPI_Bsend_init(SENT, &started))
VL_ENTRY_STARTS(rsend_init, (SEND, vl_out request, vl_out error), MPI_Rsend_init(SENT, &started))
VL_ENTRY_STARTS(recv_init, (RECEIVE, vl_out request, vl_out error),
                MPI_Recv_init(RECEIVED, &started))

/* ---- both in one call ---- */

VL_ENTRY_ANSWERS(sendrecv,
                 (void *sent, vl_in sent_count, vl_in sent_type, vl_in to, vl_in sent_tag,
                  void *data, vl_in count, vl_in type, vl_in from, vl_in tag, vl_in comm,
                  vl_out status, vl_out error),
                 MPI_Sendrecv(vl_bottom(sent), *sent_count, vl_type(sent_type), *to, *sent_tag,
                              RECEIVED, answer))
VL_ENTRY_ANSWERS(sendrecv_replace,
                 (void *data, vl_in count, vl_in type, vl_in to, vl_in sent_tag, vl_in from,
                  vl_in tag, vl_in comm, vl_out status, vl_out error),
                 MPI_Sendrecv_replace(vl_bottom(data), *count, vl_type(type), *to, *sent_tag, *from,
                                      *tag, vl_comm(comm), answer))

/* ---- what is on its way ---- */

VL_ENTRY_ANSWERS(probe, (vl_in from, vl_in tag, vl_in comm, vl_out status, vl_out error),
                 MPI_Probe(*from, *tag, vl_comm(comm), answer))
VL_ENTRY_ANSWERS(iprobe,
                 (vl_in from, vl_in tag, vl_in comm, vl_out flag, vl_out status, vl_out error),
                 MPI_Iprobe(*from, *tag, vl_comm(comm), flag, answer))

static int match(vl_in from, vl_in tag, vl_in comm, vl_out message, MPI_Status *answer)
{
    MPI_Message matched = MPI_MESSAGE_NULL;
    int result = MPI_Mprobe(*from, *tag, vl_comm(comm), &matched, answer);
    if (result == MPI_SUCCESS)
        *message = PMPI_Message_c2f(matched);
    return result;
}

static int match_now(vl_in from, vl_in tag, vl_in comm, vl_out flag, vl_out message,
                     MPI_Status *answer)
{
    MPI_Message matched = MPI_MESSAGE_NULL;
    int result = MPI_Improbe(*from, *tag, vl_comm(comm), flag, &matched, answer);
    if (result == MPI_SUCCESS && *flag)
        *message = PMPI_Message_c2f(matched);
    return result;
}

static int receive(void *data, vl_in count, vl_in type, vl_out message, MPI_Status *answer)
{
    MPI_Message matched = PMPI_Message_f2c(*message);
    int result = MPI_Mrecv(vl_bottom(data), *count, vl_type(type), &matched, answer);
    if (result == MPI_SUCCESS)
        *message = PMPI_Message_c2f(matched);
    return result;
}

static int start_to_receive(void *data, vl_in count, vl_in type, vl_out message,
                            MPI_Request *started)
{
    MPI_Message matched = PMPI_Message_f2c(*message);
    int result = MPI_Imrecv(vl_bottom(data), *count, vl_type(type), &matched, started);
    if (result == MPI_SUCCESS)
        *message = PMPI_Message_c2f(matched);
    return result;
}

VL_ENTRY_ANSWERS(mprobe,
                 (vl_in from, vl_in tag, vl_in comm, vl_out message, vl_out status, vl_out error),
                 match(from, tag, comm, message, answer))
VL_ENTRY_ANSWERS(improbe,
                 (vl_in from, vl_in tag, vl_in comm, vl_out flag, vl_out message, vl_out status,
                  vl_out error),
                 match_now(from, tag, comm, flag, message, answer))
VL_ENTRY_ANSWERS(mrecv,
                 (void *data, vl_in count, vl_in type, vl_out message, vl_out status, vl_out error),
                 receive(data, count, type, message, answer))
VL_ENTRY_STARTS(imrecv,
                (void *data, vl_in count, vl_in type, vl_out message, vl_out request, vl_out error),
                start_to_receive(data, count, type, message, &started))
