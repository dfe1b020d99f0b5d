#include "cable/end.h"

#include "sandbox/cables_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void put_network(struct sockaddr *to, const void *address)
{
    struct sockaddr_in whole = {.sin_family = AF_INET};
    memcpy(&whole.sin_addr, address, sizeof whole.sin_addr);
    memcpy(to, &whole, sizeof whole);
}

static int ask(int socket, unsigned long request, struct ifreq *device)
{
    memcpy(device->ifr_name, VL_CABLES_END, sizeof VL_CABLES_END);
    return ioctl(socket, request, device);
}

static int set_address(int socket, struct vl_cables_address own)
{
    struct ifreq device = {0};
    uint32_t mask = htonl(UINT32_MAX << (32 - VL_CABLES_PREFIX));
    put_network(&device.ifr_addr, own.network);
    int failed = ask(socket, SIOCSIFADDR, &device);
    put_network(&device.ifr_netmask, &mask);
    return failed == 0 ? ask(socket, SIOCSIFNETMASK, &device) : failed;
}

static int set_up(int socket)
{
    struct ifreq device = {0};
    int failed = ask(socket, SIOCGIFFLAGS, &device);
    device.ifr_flags |= IFF_UP;
    return failed == 0 ? ask(socket, SIOCSIFFLAGS, &device) : failed;
}

/* Nothing is sent to find out who is there: each knows the others from the beginning. */
static int add_neighbour(int socket, struct vl_cables_address other)
{
    struct arpreq request = {.arp_flags = ATF_PERM | ATF_COM, .arp_dev = VL_CABLES_END};
    put_network(&request.arp_pa, other.network);
    request.arp_ha.sa_family = ARPHRD_ETHER;
    memcpy(request.arp_ha.sa_data, other.hardware, sizeof other.hardware);
    return ioctl(socket, SIOCSARP, &request);
}

/* A rank's loopback stays down: what it sends again there counts (job/audit.h), and its bytes do not. */
static bool set_up_end(int socket, int rank, int ranks)
{
    bool well = set_address(socket, vl_cables_address_of(rank)) == 0 && set_up(socket) == 0 &&
                add_neighbour(socket, vl_cables_address_of_switch()) == 0;
    for (int other = 0; other < ranks && well; other++)
        well = other == rank || add_neighbour(socket, vl_cables_address_of(other)) == 0;
    return well;
}

/* Three attributes, each within the one before, as linux/rtnetlink.h lays them out. */
struct message {
    struct nlmsghdr head;
    struct ifinfomsg link;
    struct rtattr families, family, mode;
    uint8_t value, padding[3];
};

static struct message without_address(int device)
{
    struct message message = {.link.ifi_index = device, .value = IN6_ADDR_GEN_MODE_NONE};
    message.head = (struct nlmsghdr){.nlmsg_len = sizeof message,
                                     .nlmsg_type = RTM_SETLINK,
                                     .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK};
    message.mode = (struct rtattr){.rta_len = RTA_LENGTH(sizeof message.value),
                                   .rta_type = IFLA_INET6_ADDR_GEN_MODE};
    message.family = (struct rtattr){.rta_len = RTA_LENGTH(RTA_SPACE(sizeof message.value)),
                                     .rta_type = AF_INET6};
    message.families =
        (struct rtattr){.rta_len = RTA_LENGTH(RTA_SPACE(RTA_SPACE(sizeof message.value))),
                        .rta_type = IFLA_AF_SPEC};
    return message;
}

/* The kernel's answer to a message: errno, or 0. */
static int answer(int socket)
{
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        char asked[256]; /* it repeats the question */
    } reply = {0};
    if (recv(socket, &reply, sizeof reply, 0) < 0)
        return errno;
    return reply.head.nlmsg_type == NLMSG_ERROR ? -reply.error.error : EPROTO;
}

/* No address of IPv6, of which the kernel would talk by itself. */
static bool forgo_address(int datagrams)
{
    struct ifreq device = {0};
    if (access("/proc/net/if_inet6", F_OK) != 0)
        return true;
    if (ask(datagrams, SIOCGIFINDEX, &device) != 0)
        return false;
    struct message message = without_address(device.ifr_ifindex);
    int routes = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    bool well = routes >= 0 && send(routes, &message, sizeof message, 0) == sizeof message;
    if (well)
        errno = answer(routes);
    well = well && errno == 0;
    if (routes >= 0)
        close(routes);
    return well;
}

bool vl_end_set_up(int rank, int ranks)
{
    int datagrams = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool well = datagrams >= 0 && forgo_address(datagrams) && set_up_end(datagrams, rank, ranks);
    if (!well)
        perror(VL_CABLES_END);
    if (datagrams >= 0)
        close(datagrams);
    return well;
}
