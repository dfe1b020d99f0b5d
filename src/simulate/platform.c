#include "simulate/platform.h"

#include <math.h>

/* A chip's entry to the fabric is never full. It is there so that a way through the fabric is longer
 * than one through a switch: SimGrid takes the way with the fewest links. All chips could share one
 * entry, but then SimGrid would look at every message of the machine whenever one begins or ends. */
static void write_switches(FILE *f, const struct vl_cluster *c, size_t chips)
{
    size_t domains = (chips + c->domain - 1) / c->domain;
    fputs("<zone id=\"machine\" routing=\"DijkstraCache\">\n", f);
    for (size_t i = 0; i < chips; i++)
        fprintf(f, "<host id=\"c%zu\" speed=\"1Gf\"/>\n", i);
    for (size_t d = 0; d < domains; d++)
        fprintf(f, "<router id=\"s%zu\"/>\n", d);
    fputs("<router id=\"fabric\"/>\n", f);
    for (size_t i = 0; i < chips; i++)
        fprintf(f,
                "<link id=\"iu%zu\" bandwidth=\"%.17gBps\" latency=\"%.17gs\"/>"
                "<link id=\"id%zu\" bandwidth=\"%.17gBps\" latency=\"0s\"/>"
                "<link id=\"ou%zu\" bandwidth=\"%.17gBps\" latency=\"%.17gs\"/>"
                "<link id=\"od%zu\" bandwidth=\"%.17gBps\" latency=\"0s\"/>"
                "<link id=\"en%zu\" bandwidth=\"1e18Bps\" latency=\"0s\" "
                "sharing_policy=\"FATPIPE\"/>\n",
                i, c->inner.bandwidth, c->inner.latency, i, c->inner.bandwidth, i,
                c->outer.bandwidth, c->outer.latency, i, c->outer.bandwidth, i);
    for (size_t i = 0; i < chips; i++)
        fprintf(
            f,
            "<route src=\"c%zu\" dst=\"s%zu\" symmetrical=\"NO\"><link_ctn id=\"iu%zu\"/></route>"
            "<route src=\"s%zu\" dst=\"c%zu\" symmetrical=\"NO\"><link_ctn id=\"id%zu\"/></route>"
            "<route src=\"c%zu\" dst=\"fabric\" symmetrical=\"NO\"><link_ctn id=\"ou%zu\"/>"
            "<link_ctn id=\"en%zu\"/></route>"
            "<route src=\"fabric\" dst=\"c%zu\" symmetrical=\"NO\"><link_ctn id=\"od%zu\"/>"
            "</route>\n",
            i, i / c->domain, i, i / c->domain, i, i, i, i, i, i, i);
    fputs("</zone>\n", f);
}

void vl_platform_axes(size_t length[VL_PLATFORM_AXES], size_t chips, size_t axes)
{
    for (size_t axis = 0; axis + 1 < axes; axis++) {
        double root = pow((double)chips, 1.0 / (double)(axes - axis));
        size_t best = 1;
        for (size_t n = 1; n <= chips; n++)
            if (chips % n == 0 && fabs((double)n - root) < fabs((double)best - root))
                best = n;
        length[axis] = best;
        chips /= best;
    }
    if (axes > 0)
        length[axes - 1] = chips;
}

/* The planner's bandwidth of a torus is that of an axis, both ways; a link has one way. */
static void write_torus(FILE *f, const struct vl_cluster *c, size_t chips)
{
    size_t length[VL_PLATFORM_AXES];
    vl_platform_axes(length, chips, c->torus);
    fputs("<cluster id=\"machine\" topology=\"TORUS\" topo_parameters=\"", f);
    for (size_t axis = 0; axis < c->torus; axis++)
        fprintf(f, "%s%zu", axis > 0 ? "," : "", length[axis]);
    fprintf(f,
            "\" prefix=\"c\" suffix=\"\" radical=\"0-%zu\" speed=\"1Gf\" bw=\"%.17gBps\" "
            "lat=\"%.17gs\" sharing_policy=\"SPLITDUPLEX\"/>\n",
            chips - 1, c->inner.bandwidth / 2, c->inner.latency);
}

static int has_bandwidth(const struct vl_link *link)
{
    return isfinite(link->bandwidth) && link->bandwidth > 0 && isfinite(link->latency) &&
           link->latency >= 0;
}

enum vl_status vl_platform_write(FILE *stream, const struct vl_cluster *cluster, size_t chips)
{
    if (chips < 2 || cluster->domain < 1 || cluster->torus > VL_PLATFORM_AXES ||
        !has_bandwidth(&cluster->inner) || !has_bandwidth(&cluster->outer))
        return VL_EINVAL;
    if (cluster->torus > 0 && chips > cluster->domain)
        return VL_ESHAPE;
    fputs("<?xml version=\"1.0\"?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
          stream);
    if (cluster->torus > 0)
        write_torus(stream, cluster, chips);
    else
        write_switches(stream, cluster, chips);
    fputs("</platform>\n", stream);
    return VL_OK;
}

void vl_platform_write_hosts(FILE *stream, size_t chips)
{
    for (size_t i = 0; i < chips; i++)
        fprintf(stream, "c%zu\n", i);
}
