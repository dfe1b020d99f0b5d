/*
 * The calls that the kernel refuses to a program behind the wall (wall.h), whoever it is: a filter of
 * system calls (seccomp), made with libseccomp and put in place by bubblewrap.
 *
 *   memory      kept where nobody counts it: files without a name, System V IPC, pages lent to a pipe
 *   others      read, steered or slowed down: ptrace and its kind, cores, priorities
 *   locks       on files, and news about files: ranks would tell each other data by them
 *   pipes       made larger: that shows how many pages the pipes of others have
 *   sockets     other than the internet's, which end at the wall's own network and are counted there
 *   detours     of packets, by an option of a socket: the network alone says which way they go
 *   namespaces  and mounts: a wall of its own, from behind which more of the kernel can be reached
 *   new roads   that a filter cannot see into, and parts of the kernel that no lab needs
 *
 * A refused call returns an error, as on a kernel without it: programs that can do without go on.
 * Calls of another ABI (32 bits, x32) are refused altogether.
 */
#ifndef VIALATA_SANDBOX_SYSCALLS_H
#define VIALATA_SANDBOX_SYSCALLS_H

#include "vialata/status.h"

/* What is allowed of it, because it is needed there. */
enum vl_syscalls_allowed {
    VL_SYSCALLS_NONE,  /* for submissions */
    VL_SYSCALLS_WALLS, /* around walls: namespaces and mounts */
    VL_SYSCALLS_CABLES /* and around cables: what sets up networks (NETLINK_ROUTE, flock) */
};

/* Write the filter to a file, as the program that `bwrap --seccomp` reads. VL_EIO, VL_ENOMEM. */
enum vl_status vl_syscalls_write(int file, enum vl_syscalls_allowed allowed);

/* The same in a new file without a name, to be read from its beginning; the caller closes *file. */
enum vl_status vl_syscalls_open(int *file, enum vl_syscalls_allowed allowed);

#endif
