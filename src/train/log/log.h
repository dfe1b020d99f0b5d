/*
 * What a run reports: JSON objects, one per line, to a file, to standard output, or to both.
 *
 *   {"run": {...}}                                    what runs, first; its "with": whose labs
 *   {"step": 1, "loss": 5.54, "tokens_per_second": .., "gradient_norm": .., "learning_rate": ..,
 *    "mfu": 0.41}                                     run/peak.h says against which peak
 *   {"saved": "model.safetensors", "step": 100}
 *   {"stopped": "steps" or "signal", "step": 300, "seconds": 21.5}
 *   {"warning": {"code", "message"}}   {"error": {"code", "message"}}      on standard output only
 *
 * Numbers keep all their digits. A line is written to the file before the next step begins.
 */
#ifndef VIALATA_TRAIN_LOG_LOG_H
#define VIALATA_TRAIN_LOG_LOG_H

#include "train/log/problem.h"
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct vl_log {
    FILE *file;            /* NULL: no log file, or closed after a lost line */
    const char *path;      /* its name, the caller's */
    FILE *events;          /* NULL: write no events */
    int unheard;           /* nonzero once 'events' could not be written: its reader is gone */
    enum vl_status status; /* an error once a line was lost: the file ends there */
};

/*
 * Open a log. 'path' may be NULL. With resumed_step 0 the file starts empty. Otherwise its lines
 * are kept, except those of later steps and a last line that was cut short; a file that is not a
 * log of ours is then refused and left unchanged.
 */
enum vl_status vl_log_open(struct vl_log *log, const char *path, FILE *events,
                           uint64_t resumed_step, struct vl_problem *problem);

/* Write one object (taken over, NULL means no memory) to the file and the events. After the first
 * lost line, which is a problem, the file is closed and only events are written. The run then ends
 * and saves its step: if it is resumed, the log has no line for that step. */
enum vl_status vl_log_line(struct vl_log *log, json_t *object, struct vl_problem *problem);

/* Close the file; 'events' stays open. */
void vl_log_close(struct vl_log *log);

/* A JSON string of any bytes (a path need not be UTF-8), fit to be shown. NULL if there is no
 * memory. */
json_t *vl_log_text(const char *bytes);

/* One object (taken over) on one line of 'stream'. Zero if it could not be written. */
int vl_log_print(FILE *stream, json_t *object);

/* {kind: {"code", "message", "detail"}} on one line of 'stream'; kind is "error" or "warning". */
int vl_log_print_problem(FILE *stream, const char *kind, const struct vl_problem *problem);

#endif
