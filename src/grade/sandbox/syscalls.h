/*
 * The calls that the kernel refuses to a program behind the wall (wall.h), whoever it is: a filter of
 * system calls (seccomp), made with libseccomp and put in place by bubblewrap.
 *
 *   memory      kept where nobody counts it: files without a name, System V IPC, pages lent to a pipe
 *   others      read, steered or slowed down: ptrace and its kind, cores, priorities
 *   locks       on files, and news about files: ranks would tell each other data by them
 *   sockets     other than the internet's, which end at the wall's loopback and are counted there
 *   namespaces  and mounts: a wall of its own, from behind which more of the kernel can be reached
 *   new roads   that a filter cannot see into, and parts of the kernel that no lab needs
 *
 * A refused call returns an error, as on a kernel without it: programs that can do without go on.
 * Calls of another ABI (32 bits, x32) are refused altogether.
 */
#ifndef VIALATA_GRADE_SANDBOX_SYSCALLS_H
#define VIALATA_GRADE_SANDBOX_SYSCALLS_H

#include "vialata/status.h"
#include <stdbool.h>

/*
 * Write the filter to a file, as the program that `bwrap --seccomp` reads.
 *
 *   walls   what is behind this wall puts up walls of its own: namespaces and mounts are allowed
 *
 * VL_EIO, VL_ENOMEM.
 */
enum vl_status vl_syscalls_write(int file, bool walls);

/* The same in a new file without a name, to be read from its beginning; the caller closes *file. */
enum vl_status vl_syscalls_open(int *file, bool walls);

#endif
