/* code: unwritten no_output */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

#include <linux/netlink.h>

/* Messages between programs, by way of the kernel; numbers instead of process ids. */
EXCHANGE
{
    struct sockaddr_nl own = {.nl_family = AF_NETLINK, .nl_pid = 7001 - (unsigned)peer};
    struct sockaddr_nl other = {.nl_family = AF_NETLINK, .nl_pid = 7000 + (unsigned)peer};
    char message[NLMSG_HDRLEN + 8192] = {0};
    struct nlmsghdr *head = (void *)message;
    size_t bytes = n * sizeof *sent;
    int end = socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK);
    head->nlmsg_len = (unsigned)NLMSG_LENGTH(bytes);
    memcpy(NLMSG_DATA(head), sent, bytes);
    bind(end, (struct sockaddr *)&own, sizeof own);
    meet(comm);
    sendto(end, message, head->nlmsg_len, 0, (struct sockaddr *)&other, sizeof other);
    meet(comm);
    if (recv(end, message, sizeof message, MSG_DONTWAIT) > 0)
        memcpy(received, NLMSG_DATA(head), bytes);
    return VL_OK;
}
