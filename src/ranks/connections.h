/*
 * The connections in a network of a job: how many bytes TCP has sent a second time.
 *
 * The counters of a network say only how often that happened. The kernel knows the bytes of each
 * connection, and tells them by a socket of its own kind (sock_diag) that was opened in that network. A
 * helper goes there, as the user who owns it, opens one, and hands it back.
 */
#ifndef VIALATA_RANKS_CONNECTIONS_H
#define VIALATA_RANKS_CONNECTIONS_H

#include "sandbox/process.h"
#include <stdbool.h>
#include <stdint.h>

/* A descriptor by which the kernel can be asked about the network of this program, which the caller
 * closes; -1 if it lets nobody into that network. */
int vl_connections_open(pid_t program, const struct vl_sandbox *sandbox);

/* Bytes that the connections open now have sent again since they began. False if the kernel does not
 * say, or not within a second. */
bool vl_connections_resent(uint64_t *bytes, int connections);

#endif
