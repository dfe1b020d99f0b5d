/*
 * The timeline of a step: when every rank computed, what was on the road meanwhile, and who waited.
 *
 *   0 compute  |  1   |   2   |  3  |   3   |   2   |  1  |     a lane of work ...
 *     road                          =========>=========>====>   ... and one of bytes under way
 *   1 compute    ...
 *
 * Read from a trace in the Trace Event Format as train/run/trace.h describes it; nothing is assumed
 * about how the work was divided (data, pipeline, anything). The file may come from anywhere:
 * whatever does not fit is refused in a sentence, never trusted.
 *
 * Serial. Functions that return a status may return VL_ENOMEM besides what is said.
 */
#ifndef VIALATA_REPORT_TIMELINE_TIMELINE_H
#define VIALATA_REPORT_TIMELINE_TIMELINE_H

#include "report/draw/terminal.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VL_TIMELINE_RANKS 64                      /* more are refused */
#define VL_TIMELINE_ROWS  (2 * VL_TIMELINE_RANKS) /* most rows of a drawing */
#define VL_TIMELINE_SPANS 200000                  /* of all ranks together; more are refused */
#define VL_TIMELINE_BYTES (32 << 20)              /* a larger file is refused */

/* The tracks of a rank, by the number that the trace gives them ("tid"). */
enum vl_track { VL_TRACK_COMPUTE, VL_TRACK_SEND, VL_TRACK_RECEIVE, VL_TRACK_WAIT, VL_TRACK_MARK };
#define VL_TRACKS 5

/* What a span of compute was. */
enum vl_work {
    VL_WORK_FORWARD,
    VL_WORK_BACKWARD, /* of a pipeline: its input part */
    VL_WORK_WEIGHT,   /* of a pipeline: the weight part of backward */
    VL_WORK_UPDATE,
    VL_WORK_OTHER
};
#define VL_WORKS 5

struct vl_timeline_span {
    enum vl_track track;
    enum vl_work work; /* of compute */
    double begin, end; /* seconds since the first span of the trace; equal for a mark */
    uint64_t bytes;    /* of messages */
    int64_t number;    /* unit of compute, tag of messages, micro-batch of tasks; -1: not said */
    int64_t chunk;     /* of tasks; -1: not a task */
    int64_t peer;      /* of messages; -1: not said */
    char name[32];     /* "forward", "MPI_Isend" ...; any bytes: clean or escape before showing */
};

struct vl_timeline_rank {
    int number; /* as the trace calls it */
    const struct vl_timeline_span *spans;
    size_t count;   /* in order of their beginning */
    int stage;      /* of a pipeline; -1: not said */
    int has_tasks;  /* of a pipeline: work is part of them and not shown, but for updates */
    char label[64]; /* not empty: a row of only a pipeline's tasks, with this name before it */
    double until;   /* of such a row: up to then it is idle where it is not busy */
};

struct vl_timeline {
    double seconds; /* from the first beginning to the last end, at least a nanosecond */
    struct vl_timeline_rank ranks[VL_TIMELINE_ROWS]; /* in order of their numbers */
    size_t rank_count;
    int is_plan;  /* time has no unit; what is called a second here is 1000 of it */
    double grain; /* of a plan: a length to be drawn evenly; else zero */
    struct vl_timeline_span *spans; /* all of them; ranks point into it */
};

/* Read a trace. VL_EFORMAT: it is not one, or has no spans, or too many; *reason is then a sentence
 * in the user's language (not to be freed), else NULL. */
enum vl_status vl_timeline_read(struct vl_timeline **timeline, const json_t *trace,
                                const char **reason);
#define VL_TIMELINE_TASK 48 /* a buffer of this size holds the name of any task */
/* "F0", "W3.1". Returns buffer. */
char *vl_timeline_task(char buffer[VL_TIMELINE_TASK], const struct vl_timeline_span *span);

/* Whether a span is work to be shown in its rank's lane. */
bool vl_timeline_shows(const struct vl_timeline_rank *rank, const struct vl_timeline_span *span);

/* NULL is fine. */
void vl_timeline_free(struct vl_timeline *timeline);

/*
 * What can be measured on it, for each rank and for all of them.
 *
 * Bytes between backward and update are those of sends that began after this rank's first backward
 * span did, and before the first update that follows its last backward. (If no span is an update,
 * there is no such end.) In data parallel training these are the gradients. (In a pipeline, what
 * goes to another stage is not counted.) "Handed" early are those of them that began before the
 * last "backward ends" mark of that rank, or, without marks, before its last backward span ended.
 *
 * The road is busy while any send or receive of this rank is open; it is hidden while the rank
 * computes at the same time.
 */
struct vl_timeline_measured {
    double compute_seconds; /* any compute; what overlaps counts once, here and below */
    double wait_seconds;    /* inside a blocking call of MPI */
    double road_seconds;
    double hidden_seconds;
    double idle_share; /* of the timeline's length, not computing; the mean for all ranks */
    uint64_t sent_bytes;
    uint64_t gradient_bytes; /* sent between backward and update, as said above */
    uint64_t handed_bytes;   /* of these, before backward ended */
    double handed_share;     /* handed / gradient bytes; NAN if there are none */
    double hidden_share;     /* hidden / road seconds; NAN if the road was never used */
};

struct vl_timeline_facts {
    double seconds;
    size_t rank_count;
    struct vl_timeline_measured ranks[VL_TIMELINE_RANKS]; /* as in the timeline */
    struct vl_timeline_measured all; /* sums over the ranks, and shares of these sums */
};

enum vl_status vl_timeline_measure(struct vl_timeline_facts *facts,
                                   const struct vl_timeline *timeline);

/* The facts for machines; the caller's, NULL without memory. */
json_t *vl_timeline_json(const struct vl_timeline *timeline, const struct vl_timeline_facts *facts);

/*
 * On a terminal: two lanes per rank and an axis in ms. The axis ends at 'seconds', but never before
 * the timeline does: give two timelines the longer one's length to compare them.
 */
enum vl_status vl_timeline_draw(const struct vl_timeline *timeline, double seconds,
                                const struct vl_terminal *terminal);
/* What the glyphs mean: once, below one or more timelines. */
void vl_timeline_draw_legend(const struct vl_terminal *terminal);
/* The same for rows of a pipeline's tasks. */
void vl_timeline_draw_task_legend(const struct vl_terminal *terminal);
/* A row per rank, and below them sentences about what overlapped. */
void vl_timeline_draw_facts(const struct vl_timeline *timeline,
                            const struct vl_timeline_facts *facts,
                            const struct vl_terminal *terminal);

/* One timeline of a drawing. */
struct vl_timeline_part {
    const struct vl_timeline *timeline;
    const char *title; /* above it, any bytes; NULL: none */
};

/* One SVG with all parts, one below another on the same scale: complete in itself, no scripts. The
 * caller frees *svg. */
enum vl_status vl_timeline_svg(char **svg, const struct vl_timeline_part *parts, size_t count);

#endif
