/*
 * The planner next to runs that were published: the same model, machine and layout, and how far off
 * the planner is.
 *
 *   model       chips  layout            published  planner  difference
 *   gpt-175b      384  dp4 tp8 pp12          76.8 s   78.4 s       +2.0%  fitted
 *
 * Time is compared, since it is what a step costs: a plus says that the planner is too slow.
 */
#ifndef VIALATA_REPORT_PLAN_PUBLISHED_H
#define VIALATA_REPORT_PLAN_PUBLISHED_H

#include "report/draw/terminal.h"
#include "vialata/crossover.h"

#include <jansson.h>

struct vl_published {
    const char *model, *machine, *layout, *source; /* the caller's */
    struct vl_forecast forecast;
    double seconds; /* published */
    int fitted;     /* an assumption of the machine's file was chosen with this run in view */
};

/* Seconds of a step, from what was published about it: "seconds", "mfu" (a share) or "flops" (FLOP/s
 * of one chip, those of computing again included). VL_EFORMAT for any other figure, or a value that
 * is not positive. */
enum vl_status vl_published_seconds(double *seconds, const struct vl_setting *setting,
                                    const struct vl_forecast *forecast, const char *figure,
                                    double value);

/* planner / published - 1 */
double vl_published_difference(const struct vl_published *run);

void vl_published_write(const struct vl_published *runs, size_t count,
                        const struct vl_terminal *terminal);
json_t *vl_published_json(const struct vl_published *runs, size_t count);

#endif
