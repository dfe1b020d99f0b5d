#include "sandbox/memory/memory_sockets.h"

#include <stdbool.h>
#include <stdio.h>

#define LEAST_BYTES ((size_t)1 << 20) /* of one that is not empty: short packets take most memory */
#define FEW_SOCKETS 32 /* in a network: MPI makes no more, and to look at each takes milliseconds */

static const char *const tables[] = {"tcp", "tcp6", "udp", "udp6"};

/* A line is "N: ADDRESS:PORT ADDRESS:PORT STATE SENT:RECEIVED ...", in hexadecimal numbers. */
static size_t bytes_of(const char *line)
{
    size_t sent, received;
    if (sscanf(line, "%*d: %*s %*s %*s %zx:%zx", &sent, &received) != 2 || sent + received == 0)
        return 0;
    return sent + received > LEAST_BYTES ? sent + received : LEAST_BYTES;
}

static FILE *open_table(pid_t first, const char *table)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/net/%s", (int)first, table);
    return fopen(path, "re");
}

static bool has_many(pid_t first)
{
    unsigned long sockets = 0;
    FILE *lines = open_table(first, "sockstat");
    bool many =
        lines != NULL && fscanf(lines, "sockets: used %lu", &sockets) == 1 && sockets > FEW_SOCKETS;
    if (lines != NULL)
        fclose(lines);
    return many;
}

static size_t bytes_in(pid_t first, const char *table)
{
    char line[512];
    size_t bytes = 0;
    FILE *lines = open_table(first, table);
    while (lines != NULL && fgets(line, sizeof line, lines) != NULL)
        bytes += bytes_of(line);
    if (lines != NULL)
        fclose(lines);
    return bytes;
}

size_t vl_memory_sockets(const struct vl_process *process)
{
    pid_t firsts[VL_PROCESS_WALLS];
    int count = process->walled ? vl_process_firsts(firsts, VL_PROCESS_WALLS, process) : 0;
    size_t bytes = 0;
    if (!process->cables && count > 1) /* they share a network */
        count = 1;
    for (int i = 0; i < count; i++)
        for (size_t j = 0;
             firsts[i] > 0 && has_many(firsts[i]) && j < sizeof tables / sizeof *tables; j++)
            bytes += bytes_in(firsts[i], tables[j]);
    return bytes;
}
