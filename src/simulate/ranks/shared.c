#include "simulate/ranks/shared.h"

#include <simgrid/host.h>
#include <stdlib.h>

#define HOST "c0" /* there is one whatever the platform (simulate/platform.h) */

/* All copies have one SimGrid, and a host of it keeps a pointer for its user. */
struct vl_shared *vl_shared(void)
{
    static struct vl_shared *known;
    if (known != NULL)
        return known;
    sg_host_t host = sg_host_by_name(HOST);
    known = sg_host_get_data(host);
    if (known == NULL) {
        known = calloc(1, sizeof *known);
        sg_host_set_data(host, known);
    }
    return known;
}
