#include "grade/hang.h"

#include <stdlib.h>

/* Nothing is found yet: helper's work in progress. */
enum vl_status vl_hang_find(struct vl_finding *finding, const struct vl_beacon *const *beacons,
                            const char *const *places, int ranks, int finished, int synchronous)
{
    (void)beacons;
    (void)places;
    (void)ranks;
    (void)finished;
    (void)synchronous;
    *finding = (struct vl_finding){0};
    return VL_OK;
}

void vl_finding_free(struct vl_finding *finding)
{
    free(finding->message);
    free(finding->detail);
    *finding = (struct vl_finding){0};
}
