#include "ranks/audit_count.h"

#include "ranks/connections.h"
#include "sandbox/cables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_table(pid_t program, const char *table)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/net/%s", (int)program, table);
    return program > 0 ? fopen(path, "re") : NULL;
}

/* Add what one device received, as its line says after the name. */
static bool add_device(struct vl_audit_count *count, const char *numbers,
                       struct vl_audit_cable *cable)
{
    if (sscanf(numbers, "%" SCNu64 "%" SCNu64, &cable->bytes, &cable->packets) != 2)
        return false;
    count->bytes += cable->bytes;
    count->packets += cable->packets;
    return true;
}

/* Numbers after the name of a device that starts like this; '*rank' is the number in its name. */
static const char *line_of(const char *line, const char *device, int *rank)
{
    char *end;
    line += strspn(line, " ");
    if (strncmp(line, device, strlen(device)) != 0)
        return NULL;
    *rank = (int)strtol(line + strlen(device), &end, 10);
    return *end == ':' ? end + 1 : NULL;
}

/* What was received by the devices whose names start like this, at most so many. Returns how many these
 * are. */
static int add_devices(struct vl_audit_count *count, pid_t program, const char *device, int most)
{
    FILE *table = open_table(program, "dev");
    char *line = NULL;
    size_t size = 0;
    int found = 0, rank;
    while (table != NULL && getline(&line, &size, table) > 0) {
        const char *numbers = line_of(line, device, &rank);
        if (numbers != NULL && rank >= 0 && rank < most)
            found += add_device(count, numbers, &count->rank[rank]);
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
        return add_devices(count, networks->mpirun, "lo", 1) == 1;
    int cables = add_devices(count, networks->mpirun, VL_CABLES_RANK, VL_BOARD_RANKS);
    count->bytes -= VL_CABLES_FRAME * count->packets;
    for (int rank = 0; rank < VL_BOARD_RANKS; rank++)
        count->rank[rank].bytes -= VL_CABLES_FRAME * count->rank[rank].packets;
    count->each = cables > 0 && cables == networks->count;
    return count->each;
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
