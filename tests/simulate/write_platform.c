/* Writes the platform of a machine: CHIPS DOMAIN TORUS, then latency and bandwidth of both links. */
#include "simulate/platform.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 8)
        return 2;
    const struct vl_cluster cluster = {
        .domain = strtoul(argv[2], NULL, 10),
        .torus = strtoul(argv[3], NULL, 10),
        .inner = {.latency = strtod(argv[4], NULL), .bandwidth = strtod(argv[5], NULL)},
        .outer = {.latency = strtod(argv[6], NULL), .bandwidth = strtod(argv[7], NULL)}};
    return vl_platform_write(stdout, &cluster, strtoul(argv[1], NULL, 10)) == VL_OK ? 0 : 1;
}
