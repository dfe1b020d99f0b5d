#include "ranks/audit.h"

#include "ranks/connections.h"
#include "sandbox/cables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEGMENT          65483 /* bytes at most, on a loopback */
#define MOST_GUESSED     4096  /* bytes, where a quarter of the data is less */
#define LEAST_REPEATED   4096  /* bytes that TCP may send again, however little is sent */
#define MOST_SHORT_ADDED 92    /* by MPI to a message that is not long (comm/meter.c) */
#define LEAST_LONG_BYTES 4000  /* of one that is */
#define HEADERS          52 /* bytes before the data: IP 20, TCP 32; a loopback counts no more of them */

/* More packets than these are not taken for headers: what is in a header can tell something too. A
 * message takes up to 8, with their acknowledgements, and one more per 16 KiB. */
#define PACKETS_PER_RANK    48 /* with those that open connections */
#define PACKETS_PER_MESSAGE 16
#define BYTES_PER_PACKET    4096
#define BYTES_PER_MESSAGE   4096 /* with this, data may be cut into pieces of 1 KiB */

static FILE *open_table(pid_t program, const char *table)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/net/%s", (int)program, table);
    return program > 0 ? fopen(path, "re") : NULL;
}

/* The bytes and packets received by the devices whose lines have this format. Returns how many these
 * are. */
static int add_devices(struct vl_audit_count *count, pid_t program, const char *format)
{
    FILE *table = open_table(program, "dev");
    char *line = NULL;
    size_t size = 0;
    uint64_t bytes, packets;
    int found = 0;
    while (table != NULL && getline(&line, &size, table) > 0)
        if (sscanf(line, format, &bytes, &packets) == 2) {
            count->bytes += bytes;
            count->packets += packets;
            found++;
        }
    free(line);
    if (table != NULL)
        fclose(table);
    return found;
}

struct counter {
    const char *name;
    uint64_t number;
};

/* Take the numbers under these names from two lines. Returns how many there are. */
static int take_columns(struct counter *counters, int count, char *names, char *numbers)
{
    char *rest_of_names, *rest_of_numbers;
    const char *above = strtok_r(names, " \n", &rest_of_names);
    const char *below = strtok_r(numbers, " \n", &rest_of_numbers);
    int found = 0;
    while (above != NULL && below != NULL) {
        for (int i = 0; i < count; i++)
            if (strcmp(above, counters[i].name) == 0)
                found += sscanf(below, "%" SCNu64, &counters[i].number) == 1;
        above = strtok_r(NULL, " \n", &rest_of_names);
        below = strtok_r(NULL, " \n", &rest_of_numbers);
    }
    return found;
}

/* Some of the network's counters: "Tcp: Name Name ..." and then "Tcp: number number ...". */
static bool read_counters(struct counter *counters, int count, pid_t program, const char *table,
                          const char *group)
{
    FILE *lines = open_table(program, table);
    char *names = NULL, *numbers = NULL;
    size_t names_size = 0, numbers_size = 0;
    bool found = false;
    while (lines != NULL && !found && getline(&names, &names_size, lines) > 0 &&
           getline(&numbers, &numbers_size, lines) > 0)
        found = strncmp(names, group, strlen(group)) == 0 &&
                take_columns(counters, count, names, numbers) == count;
    free(names);
    free(numbers);
    if (lines != NULL)
        fclose(lines);
    return found;
}

/* The kernel looks through the connections of all networks for those of one: it is asked for the bytes
 * only once something new was sent again. */
static bool see_repeats(struct vl_audit_network *network, uint64_t again,
                        const struct vl_sandbox *sandbox)
{
    struct counter asked = {.name = "TCPSynRetrans"};
    if (again == network->again)
        return true;
    if (!read_counters(&asked, 1, network->program, "netstat", "TcpExt:"))
        return false;
    int connections = vl_connections_open(network->program, sandbox);
    network->again = again;
    network->repeats = again > asked.number ? again - asked.number : 0;
    network->exact = vl_connections_resent(&network->bytes, connections);
    if (connections >= 0)
        close(connections);
    return true;
}

/* TCP's part in one network. Segments are counted where they arrive: one that is sent in vain reaches no
 * device. */
static bool add_segments(struct vl_audit_count *count, struct vl_audit_network *network,
                         const struct vl_sandbox *sandbox)
{
    struct counter tcp[] = {{.name = "InSegs"}, {.name = "RetransSegs"}};
    bool found = read_counters(tcp, 2, network->program, "snmp", "Tcp:") &&
                 see_repeats(network, tcp[1].number, sandbox);
    count->segments += tcp[0].number;
    count->repeats += network->repeats;
    count->again += network->bytes;
    count->exact &= network->exact;
    return found;
}

/* On a loopback what is received is all that is sent. So it is at mpirun's end of a cable: all that
 * the rank sent. */
static bool read_devices(struct vl_audit_count *count, const struct vl_audit_networks *networks)
{
    if (!networks->cables)
        return add_devices(count, networks->mpirun, " lo: %" SCNu64 "%" SCNu64) == 1;
    int cables =
        add_devices(count, networks->mpirun, " " VL_CABLES_RANK "%*d: %" SCNu64 "%" SCNu64);
    count->bytes -= VL_CABLES_FRAME * count->packets;
    return cables > 0 && cables == networks->count;
}

void vl_audit_find(struct vl_audit_networks *networks, const struct vl_process *process,
                   const struct vl_sandbox *sandbox)
{
    pid_t programs[VL_PROCESS_WALLS] = {vl_process_program(process)};
    *networks = (struct vl_audit_networks){
        .sandbox = sandbox, .mpirun = programs[0], .cables = process->cables};
    networks->count = process->cables ? vl_process_walls(programs, process) : 1;
    for (int i = 0; i < networks->count; i++)
        networks->network[i] = (struct vl_audit_network){.program = programs[i], .exact = true};
}

bool vl_audit_ask(struct vl_audit_count *count, struct vl_audit_networks *networks)
{
    *count = (struct vl_audit_count){.exact = true};
    bool found = read_devices(count, networks);
    for (int i = 0; i < networks->count; i++)
        found = add_segments(count, &networks->network[i], networks->sandbox) && found;
    return found;
}

/* A hostile rank writes any number: none is allowed to wrap the sum around. */
static uint64_t capped(uint64_t number)
{
    const uint64_t most = (uint64_t)1 << 48;
    return number < most ? number : most;
}

/* What is left of a number, which does not always grow: a connection that is closed is forgotten. */
static uint64_t less(uint64_t number, uint64_t before)
{
    return number > before ? number - before : 0;
}

/* There are no more messages than these. */
static void bound_messages(struct vl_audit *audit, uint64_t messages)
{
    if (audit->messages > messages)
        audit->messages = messages;
    if (audit->added > VL_BOARD_MOST_ADDED * audit->messages)
        audit->added = VL_BOARD_MOST_ADDED * audit->messages;
}

struct vl_audit vl_audit_of(const struct vl_audit_count *before, const struct vl_audit_count *after,
                            const struct vl_board *board, int ranks)
{
    struct vl_audit audit = {.ranks = ranks,
                             .counted = true,
                             .count = {.bytes = after->bytes - before->bytes,
                                       .packets = after->packets - before->packets,
                                       .segments = after->segments - before->segments,
                                       .repeats = less(after->repeats, before->repeats),
                                       .again = less(after->again, before->again),
                                       .exact = after->exact && before->exact}};
    for (int rank = 0; rank < ranks; rank++) {
        const struct vl_board_rank *place = &board->rank[rank];
        audit.least += capped(place->least_bytes);
        audit.most += capped(place->most_bytes);
        audit.messages += capped(place->messages);
        audit.added += capped(place->added_bytes);
    }
    bound_messages(&audit, audit.count.packets); /* each is in one at least */
    return audit;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t vl_audit_payload(const struct vl_audit *audit)
{
    uint64_t most = PACKETS_PER_RANK * (uint64_t)audit->ranks +
                    PACKETS_PER_MESSAGE * audit->messages + audit->most / BYTES_PER_PACKET;
    uint64_t packets = smaller(audit->count.packets, audit->count.segments);
    uint64_t headers = HEADERS * smaller(packets, most);
    return audit->count.bytes > headers ? audit->count.bytes - headers : 0;
}

/* Sent by MPI of its own. */
static uint64_t added(const struct vl_audit *audit)
{
    uint64_t ranks = (uint64_t)audit->ranks, pairs = ranks * (ranks - 1) / 2;
    return audit->added + VL_AUDIT_PER_RANK * ranks + VL_AUDIT_PER_PAIR * pairs;
}

/* Sent again: known, or at most. */
static uint64_t repeated(const struct vl_audit *audit)
{
    uint64_t quarter = audit->most / 4;
    if (audit->count.exact)
        return smaller(audit->count.again, audit->most + added(audit) + LEAST_REPEATED);
    return smaller(SEGMENT * audit->count.repeats, quarter > MOST_GUESSED ? quarter : MOST_GUESSED);
}

/* Only so many of the messages can be long. */
static void bound_added(struct vl_audit *audit)
{
    uint64_t most =
        MOST_SHORT_ADDED * audit->messages + VL_BOARD_MOST_ADDED * (audit->most / LEAST_LONG_BYTES);
    audit->added = smaller(audit->added, most);
}

struct vl_audit vl_audit_with_truth(const struct vl_audit *audit, int64_t bytes, int64_t messages)
{
    struct vl_audit right = *audit;
    if (messages >= 0)
        bound_messages(&right,
                       (uint64_t)messages + (bytes > 0 ? (uint64_t)bytes : 0) / BYTES_PER_MESSAGE);
    if (bytes >= 0) {
        right.most = (uint64_t)bytes;
        right.least = larger(right.least, right.most);
        bound_added(&right);
    }
    return right;
}

enum vl_audit_finding vl_audit_compare(const struct vl_audit *audit)
{
    double data = VL_AUDIT_SHARE * (double)audit->most;
    if ((double)vl_audit_payload(audit) > data + (double)(added(audit) + repeated(audit)))
        return VL_AUDIT_UNMETERED;
    if (!audit->counted || (double)audit->least > VL_AUDIT_SHARE * (double)audit->count.bytes)
        return VL_AUDIT_UNSENT;
    return VL_AUDIT_AGREES;
}
