/* code: bytes_unmetered */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#include <netinet/tcp.h>

/* Two bytes on their way, and an answer that takes its time: TCP sends the second one again. */
static void repeat_in_vain(struct sockaddr_in place)
{
    const int yes = 1;
    char answer;
    for (int i = 0; i < 40; i++) {
        int from = socket(AF_INET, SOCK_STREAM, 0);
        connect(from, (struct sockaddr *)&place, sizeof place);
        setsockopt(from, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        (void)!read(from, &answer, 1);
        send(from, "", 1, 0);
        send(from, "", 1, 0);
        usleep(10000);
        close(from);
    }
}

static void answer_late(int listener)
{
    const int no = 0;
    for (int i = 0; i < 40; i++) {
        int to = accept(listener, NULL, NULL);
        send(to, "", 1, 0);
        setsockopt(to, IPPROTO_TCP, TCP_QUICKACK, &no, sizeof no);
        usleep(10000);
        close(to);
    }
    close(listener);
}

EXCHANGE
{
    struct stream past_mpi = open_stream(comm, peer);
    unblock(past_mpi.file);
    size_t past = n / 6;
    pump(past_mpi.file, sent, past_mpi.file, received, past * sizeof *sent);
    if (peer == 0)
        repeat_in_vain(past_mpi.other);
    else
        answer_late(past_mpi.listener);
    MPI_Sendrecv(sent + past, (int)(n - past), MPI_FLOAT, peer, tag, received + past,
                 (int)(n - past), MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
