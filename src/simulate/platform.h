/*
 * A machine as SimGrid reads it: an XML file with a host for each chip and the links between them.
 *
 *   a switch   chip --inner--> switch of its domain --inner--> chip       inside a domain
 *              chip --outer--> fabric --outer--> chip                     between domains
 *   a torus    axes of links in both directions, as long as makes the torus most like a cube
 *
 * Each chip has an inner and an outer link of its own, one for each direction, so what it sends
 * and what it receives do not slow each other down, and two messages that one chip sends do. The
 * latency of a link is counted once, where a message leaves. Serial; needs no SimGrid.
 */
#ifndef VIALATA_SIMULATE_PLATFORM_H
#define VIALATA_SIMULATE_PLATFORM_H

#include "vialata/blueprint.h"
#include "vialata/status.h"
#include <stdio.h>

#define VL_PLATFORM_AXES 8

/* Write it. VL_EINVAL for fewer than 2 chips or a link without bandwidth; VL_ESHAPE for a torus that
 * is smaller than the number of chips: roads between tori are not built. */
enum vl_status vl_platform_write(FILE *stream, const struct vl_cluster *cluster, size_t chips);

/* The hosts in the order of ranks, one a line. */
void vl_platform_write_hosts(FILE *stream, size_t chips);

/* Cut a number of chips into 'axes' factors, as equal as can be. */
void vl_platform_axes(size_t length[VL_PLATFORM_AXES], size_t chips, size_t axes);

#endif
