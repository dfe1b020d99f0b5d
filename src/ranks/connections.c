#include "ranks/connections.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWERS 65536 /* messages at most: a rank has 512 open files */

/* ---- a socket from there ---- */

/* One descriptor, with a byte that does not matter. */
struct parcel {
    char byte;
    struct iovec data;
    struct msghdr message;
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
};

static void wrap(struct parcel *parcel)
{
    *parcel = (struct parcel){.byte = 0};
    parcel->data = (struct iovec){.iov_base = &parcel->byte, .iov_len = 1};
    parcel->message = (struct msghdr){.msg_iov = &parcel->data,
                                      .msg_iovlen = 1,
                                      .msg_control = parcel->control.space,
                                      .msg_controllen = sizeof parcel->control.space};
}

static void hand_over(int file, int to)
{
    struct parcel parcel;
    wrap(&parcel);
    struct cmsghdr *head = CMSG_FIRSTHDR(&parcel.message);
    *head = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof file)};
    memcpy(CMSG_DATA(head), &file, sizeof file);
    (void)!sendmsg(to, &parcel.message, MSG_NOSIGNAL);
}

static int take_over(int from)
{
    struct parcel parcel;
    int file = -1;
    wrap(&parcel);
    if (recvmsg(from, &parcel.message, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&parcel.message);
    if (head != NULL && head->cmsg_type == SCM_RIGHTS)
        memcpy(&file, CMSG_DATA(head), sizeof file);
    return file;
}

/* In the helper. A network belongs to a namespace of users, whose owner may enter both. */
static int open_there(pid_t program, const struct vl_sandbox *sandbox)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)program);
    if (!vl_sandbox_enter(sandbox))
        return -1;
    int network = open(path, O_RDONLY | O_CLOEXEC);
    int users = network >= 0 ? ioctl(network, NS_GET_USERNS) : -1;
    if (users < 0 || setns(users, CLONE_NEWUSER) != 0 || setns(network, CLONE_NEWNET) != 0)
        return -1;
    return socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
}

int vl_connections_open(pid_t program, const struct vl_sandbox *sandbox)
{
    int pair[2], file = -1;
    if (program <= 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    pid_t helper = fork();
    if (helper == 0) {
        file = open_there(program, sandbox);
        if (file >= 0)
            hand_over(file, pair[1]);
        _exit(0);
    }
    close(pair[1]);
    if (helper > 0)
        file = take_over(pair[0]);
    close(pair[0]);
    while (helper > 0 && waitpid(helper, NULL, 0) < 0 && errno == EINTR)
        ;
    const struct timeval second = {.tv_sec = 1};
    if (file >= 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    return file;
}

/* ---- questions and answers ---- */

static bool ask(int connections)
{
    const struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 question;
    } all = {.head = {.nlmsg_len = sizeof all,
                      .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                      .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
             .question = {.sdiag_family = AF_INET,
                          .sdiag_protocol = IPPROTO_TCP,
                          .idiag_ext = 1 << (INET_DIAG_INFO - 1),
                          .idiag_states = ~0u}};
    return send(connections, &all, sizeof all, 0) == (ssize_t)sizeof all;
}

/* What one connection has sent again. */
static uint64_t resent_by(const struct nlmsghdr *answer)
{
    const struct inet_diag_msg *one = NLMSG_DATA(answer);
    unsigned left = (unsigned)NLMSG_PAYLOAD(answer, sizeof *one);
    for (const struct rtattr *part = (const void *)(one + 1); RTA_OK(part, left);
         part = RTA_NEXT(part, left)) {
        struct tcp_info info = {0}; /* an older kernel's is shorter */
        size_t bytes = RTA_PAYLOAD(part);
        if (part->rta_type != INET_DIAG_INFO)
            continue;
        memcpy(&info, RTA_DATA(part), bytes < sizeof info ? bytes : sizeof info);
        return info.tcpi_bytes_retrans;
    }
    return 0;
}

bool vl_connections_resent(uint64_t *bytes, int connections)
{
    _Alignas(struct nlmsghdr) char answers[32768];
    *bytes = 0;
    if (connections < 0 || !ask(connections))
        return false;
    for (int blocks = 0; blocks < ANSWERS; blocks++) {
        ssize_t got = recv(connections, answers, sizeof answers, 0);
        unsigned left = got > 0 ? (unsigned)got : 0;
        const struct nlmsghdr *answer = (const void *)answers;
        if (!NLMSG_OK(answer, left))
            return false;
        for (; NLMSG_OK(answer, left); answer = NLMSG_NEXT(answer, left)) {
            if (answer->nlmsg_type == NLMSG_DONE)
                return true;
            if (answer->nlmsg_type != SOCK_DIAG_BY_FAMILY)
                return false;
            *bytes += resent_by(answer);
        }
    }
    return false;
}
