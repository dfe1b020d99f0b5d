#include "sandbox/cables.h"

#include "base/path.h"
#include "base/place.h"
#include "sandbox/scratch/scratch.h"
#include "sandbox/syscalls.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILTER        "filter"
#define PROGRAM       "vialata-cable" /* src/cable/main.c */
#define PROGRAM_BYTES ((size_t)16 << 20)

/* As a loopback has: then a packet carries as much. */
#define MOST_BYTES "mtu 65535"

/* An address as ip reads it. */
struct address {
    char network[INET_ADDRSTRLEN], hardware[18];
};

static struct address written(struct vl_cables_address from)
{
    const unsigned char *h = from.hardware;
    struct address address;
    inet_ntop(AF_INET, from.network, address.network, sizeof address.network);
    snprintf(address.hardware, sizeof address.hardware, "%02x:%02x:%02x:%02x:%02x:%02x", h[0], h[1],
             h[2], h[3], h[4], h[5]);
    return address;
}

/* Nothing is sent to find out who is there: each knows the others from the beginning. */
static void put_neighbour(FILE *batch, const char *device, struct address other)
{
    fprintf(batch, "neighbour add %s lladdr %s dev %s nud permanent\n", other.network,
            other.hardware, device);
}

/* Without an address of IPv6, of which the kernel would talk by itself. */
static void put_up(FILE *batch, const char *device)
{
    if (access("/proc/net/if_inet6", F_OK) == 0)
        fprintf(batch, "link set %s addrgenmode none\n", device);
    fprintf(batch, "link set %s up\n", device);
}

static void put_cable(FILE *batch, int rank)
{
    char near[16];
    struct address far = written(vl_cables_address_of(rank));
    snprintf(near, sizeof near, VL_CABLES_RANK "%d", rank);
    fprintf(batch, "netns add %d\n", rank);
    fprintf(batch,
            "link add %s " MOST_BYTES " master " VL_CABLES_SWITCH " type veth"
            " peer name " VL_CABLES_END " address %s " MOST_BYTES " netns %d\n",
            near, far.hardware, rank);
    fprintf(batch, "link set %s type bridge_slave bcast_flood off mcast_flood off\n", near);
    put_up(batch, near);
    put_neighbour(batch, VL_CABLES_SWITCH, far);
}

static void put_switch(FILE *batch, int ranks)
{
    struct address own = written(vl_cables_address_of_switch());
    fprintf(batch, "link set lo up\n");
    fprintf(batch,
            "link add " VL_CABLES_SWITCH " address %s " MOST_BYTES " type bridge"
            " mcast_snooping 0\n",
            own.hardware);
    fprintf(batch, "address add %s/%d dev " VL_CABLES_SWITCH "\n", own.network, VL_CABLES_PREFIX);
    put_up(batch, VL_CABLES_SWITCH);
    for (int rank = 0; rank < ranks; rank++)
        put_cable(batch, rank);
}

static enum vl_status write_switch(const char *folder, int ranks)
{
    FILE *batch = vl_scratch_begin(folder, VL_CABLES_SWITCH);
    if (batch != NULL)
        put_switch(batch, ranks);
    return vl_scratch_end(batch);
}

static enum vl_status write_filter(const char *folder)
{
    FILE *file = vl_scratch_begin(folder, FILTER);
    enum vl_status status =
        file != NULL ? vl_syscalls_write(fileno(file), VL_SYSCALLS_NONE) : VL_EIO;
    enum vl_status ended = vl_scratch_end(file);
    return status != VL_OK ? status : ended;
}

/* Where the sandbox's user can start it. */
static enum vl_status copy_program(const char *folder)
{
    char *from = vl_place_path("bin", PROGRAM), *to = vl_path_join(folder, PROGRAM);
    enum vl_status status = from != NULL && to != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        unlink(to); /* of the start before */
        status = vl_scratch_copy(to, from, PROGRAM_BYTES);
    }
    if (status == VL_OK && chmod(to, 0755) != 0)
        status = VL_EIO;
    free(from);
    free(to);
    return status;
}

enum vl_status vl_cables_write(const char *folder, int ranks)
{
    enum vl_status status = copy_program(folder);
    if (status == VL_OK)
        status = write_filter(folder);
    if (status == VL_OK)
        status = write_switch(folder, ranks);
    return status;
}

void vl_cables_put_switch(struct vl_words *words, const char *folder, int ranks)
{
    vl_words_add(words, "%s/" PROGRAM, folder);
    vl_words_add(words, "switch");
    vl_words_add(words, "%s/" VL_CABLES_SWITCH, folder);
    vl_words_add(words, "%d", ranks);
}

void vl_cables_put_end(struct vl_words *words, const char *folder, int rank)
{
    vl_words_add(words, "%s/" PROGRAM, folder);
    vl_words_add(words, "end");
    vl_words_add(words, VL_CABLES_NETWORK, rank);
    vl_words_add(words, "%s/" FILTER, folder);
}
