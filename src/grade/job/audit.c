#include "grade/job/audit.h"

#include "grade/sandbox/cables.h"

#include <stdio.h>

#define SEGMENT 65483 /* bytes at most, on a loopback */
#define HEADERS 66    /* bytes before the data: Ethernet 14, IP 20, TCP 32 */

/* More packets than these are not taken for headers: a small one can carry data instead. A message
 * takes up to 8, with their acknowledgements, and one more per 16 KiB. */
#define PACKETS_PER_RANK    48 /* with those that open connections */
#define PACKETS_PER_MESSAGE 16
#define BYTES_PER_PACKET    4096

/* Two numbers from a table of a process's network: the sum over all lines that have this format.
 * Returns how many these are. */
static int read_numbers(unsigned long long sum[2], pid_t program, const char *table,
                        const char *format)
{
    char path[64], line[512];
    unsigned long long number[2];
    int found = 0;
    sum[0] = sum[1] = 0;
    snprintf(path, sizeof path, "/proc/%d/net/%s", (int)program, table);
    FILE *lines = program > 0 ? fopen(path, "re") : NULL;
    while (lines != NULL && fgets(line, sizeof line, lines) != NULL)
        if (sscanf(line, format, &number[0], &number[1]) == 2) {
            sum[0] += number[0];
            sum[1] += number[1];
            found++;
        }
    if (lines != NULL)
        fclose(lines);
    return found;
}

/* What TCP sent from one network. */
static bool add_segments(struct vl_audit_count *count, pid_t program)
{
    /* OutSegs and RetransSegs. */
    static const char tcp[] = "Tcp: %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %llu %llu";
    unsigned long long segments[2];
    bool found = read_numbers(segments, program, "snmp", tcp) == 1;
    count->repeats += segments[1];
    return found;
}

/* On a loopback what is received is all that is sent. */
static bool ask_loopback(struct vl_audit_count *count, pid_t program)
{
    unsigned long long device[2];
    bool found = read_numbers(device, program, "dev", " lo: %llu %llu") == 1;
    *count = (struct vl_audit_count){.bytes = device[0], .packets = device[1]};
    return found && add_segments(count, program);
}

/* From mpirun's end of a cable, what is received is all that the rank sent. */
static bool ask_cables(struct vl_audit_count *count, const struct vl_process *process)
{
    unsigned long long device[2];
    pid_t walls[VL_PROCESS_WALLS];
    int ranks = vl_process_walls(walls, process);
    int cables = read_numbers(device, vl_process_program(process), "dev",
                              " " VL_CABLES_RANK "%*d: %llu %llu");
    *count = (struct vl_audit_count){.bytes = device[0] - VL_CABLES_FRAME * device[1],
                                     .packets = device[1]};
    bool found = ranks > 0 && cables == ranks;
    for (int rank = 0; rank < ranks; rank++)
        found = add_segments(count, walls[rank]) && found;
    return found;
}

bool vl_audit_ask(struct vl_audit_count *count, const struct vl_process *process)
{
    return process->cables ? ask_cables(count, process)
                           : ask_loopback(count, vl_process_program(process));
}

/* A hostile rank writes any number: none is allowed to wrap the sum around. */
static uint64_t capped(uint64_t number)
{
    const uint64_t most = (uint64_t)1 << 48;
    return number < most ? number : most;
}

struct vl_audit vl_audit_of(const struct vl_audit_count *before, const struct vl_audit_count *after,
                            const struct vl_board *board, int ranks)
{
    struct vl_audit audit = {.ranks = ranks,
                             .counted = true,
                             .count = {.bytes = after->bytes - before->bytes,
                                       .packets = after->packets - before->packets,
                                       .repeats = after->repeats - before->repeats}};
    for (int rank = 0; rank < ranks; rank++) {
        const struct vl_board_rank *place = &board->rank[rank];
        audit.least += capped(place->least_bytes);
        audit.most += capped(place->most_bytes);
        audit.messages += capped(place->messages);
    }
    if (audit.messages > audit.count.packets) /* each is in one at least */
        audit.messages = audit.count.packets;
    return audit;
}

uint64_t vl_audit_payload(const struct vl_audit *audit)
{
    uint64_t most = PACKETS_PER_RANK * (uint64_t)audit->ranks +
                    PACKETS_PER_MESSAGE * audit->messages + audit->most / BYTES_PER_PACKET;
    uint64_t packets = audit->count.packets < most ? audit->count.packets : most;
    uint64_t headers = HEADERS * packets;
    return audit->count.bytes > headers ? audit->count.bytes - headers : 0;
}

/* Sent again, at most. */
static uint64_t repeated(const struct vl_audit *audit)
{
    uint64_t bytes = audit->count.repeats * SEGMENT;
    return bytes < audit->most / 4 ? bytes : audit->most / 4;
}

struct vl_audit vl_audit_with_truth(const struct vl_audit *audit, int64_t bytes, int64_t messages)
{
    struct vl_audit right = *audit;
    if (bytes >= 0)
        right.most = (uint64_t)bytes;
    if (messages >= 0 && (uint64_t)messages < right.messages)
        right.messages = (uint64_t)messages;
    return right;
}

enum vl_audit_finding vl_audit_compare(const struct vl_audit *audit)
{
    double added = (double)(VL_AUDIT_PER_MESSAGE * audit->messages +
                            VL_AUDIT_PER_RANK * (uint64_t)audit->ranks + repeated(audit));
    if ((double)vl_audit_payload(audit) > VL_AUDIT_SHARE * (double)audit->most + added)
        return VL_AUDIT_UNMETERED;
    if (!audit->counted || (double)audit->least > VL_AUDIT_SHARE * (double)audit->count.bytes)
        return VL_AUDIT_UNSENT;
    return VL_AUDIT_AGREES;
}
