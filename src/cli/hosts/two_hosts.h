/*
 * Two hosts on one machine, with a road of a chosen width between them.
 *
 *   namespace a                        namespace b
 *   10.77.0.1 eth0 ===== veth pair ===== eth0 10.77.0.2        tc: 'rate' on each end
 *
 * Two network namespaces, each with a host name of its own, so Open MPI takes them for two machines
 * and talks over TCP between them. Needs Debian's iproute2, and root or a kernel that lets a user be
 * root in namespaces of their own (own_namespaces.h). Everything made is named after this process and
 * removed again, whatever happens in between.
 */
#ifndef VIALATA_CLI_HOSTS_TWO_HOSTS_H
#define VIALATA_CLI_HOSTS_TWO_HOSTS_H

#include "cli/command.h"
#include "cli/run/job.h"
#include <signal.h>

#define VL_TWO_HOSTS_SIGNALS 4

struct vl_two_hosts {
    char *ip; /* the program */
    char name[2][24];
    char folder[256]; /* holds the agent that starts a daemon on a host */
    char agent[272];
    int made; /* namespaces that exist */
    struct sigaction before[VL_TWO_HOSTS_SIGNALS];
    int listens; /* to these signals, from open to close */
};

/* Make them; a user who is not root is in namespaces of their own from here to the end of the process.
 * A sentence on standard error and VL_EXIT_LACK if this machine does not let us. From here to close,
 * Ctrl-C, SIGTERM and SIGHUP end only what is being measured: open and run then return 130, and
 * close still removes everything. The same goes for output whose reader is gone, once the job under
 * way has ended. */
enum vl_exit vl_two_hosts_open(struct vl_two_hosts *hosts, const char *rate);

/* Give the road another rate, as `tc` writes it. Zero if that does not work: 'said' is then what `tc`
 * had to say. */
int vl_two_hosts_shape(const struct vl_two_hosts *hosts, const char *rate, char said[256]);

/* Run a job with 'each' ranks on each host (its 'ranks' is set here). */
enum vl_exit vl_two_hosts_run(const struct vl_two_hosts *hosts, struct vl_job *job, int each);

/* Remove them, and end whatever still runs in them. */
void vl_two_hosts_close(struct vl_two_hosts *hosts);

#endif
