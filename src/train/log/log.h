/*
 * What a run tells: JSON objects, one a line, to a file, to standard output, or to both.
 *
 *   {"run": {...}}                                    what runs, first; its "with": whose labs
 *   {"step": 1, "loss": 5.54, "tokens_per_second": .., "gradient_norm": .., "learning_rate": ..}
 *   {"saved": "model.safetensors", "step": 100}
 *   {"stopped": "steps" or "signal", "step": 300, "seconds": 21.5}
 *   {"warning": {"code", "message"}}   {"error": {"code", "message"}}      on standard output only
 *
 * Numbers keep all their digits. A line is on its way to the file before the next step begins.
 */
#ifndef VIALATA_TRAIN_LOG_LOG_H
#define VIALATA_TRAIN_LOG_LOG_H

#include "train/log/problem.h"
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct vl_log {
    FILE *file;            /* NULL: no log file, or no longer */
    const char *path;      /* its name, the caller's */
    FILE *events;          /* NULL: tell nobody */
    int unheard;           /* nonzero once 'events' could not be written: its reader is gone */
    enum vl_status status; /* no longer VL_OK once a line was lost: the file ends there */
};

/*
 * Open a log. 'path' may be NULL. With resumed_step 0 the file starts anew; else its lines are
 * kept, except those of later steps and a last line cut in half. A file that is no log of ours
 * is refused then, and nothing is changed.
 */
enum vl_status vl_log_open(struct vl_log *log, const char *path, FILE *events,
                           uint64_t resumed_step, struct vl_problem *problem);

/* Write one object (taken over, NULL means no memory) to the file and the events. The first line
 * that is lost is the file's end, and a problem; from then on the events alone are told. The run
 * ends then, after a step that it saves: in the log of a resumed one, that step's line is missing.
 */
enum vl_status vl_log_line(struct vl_log *log, json_t *object, struct vl_problem *problem);

/* The file is closed; 'events' stays the caller's. */
void vl_log_close(struct vl_log *log);

/* A JSON text of any bytes (a path may be no UTF-8), fit to be shown. NULL without memory. */
json_t *vl_log_text(const char *bytes);

/* One object (taken over) on one line of 'stream'. Zero if it could not be written. */
int vl_log_print(FILE *stream, json_t *object);

/* {kind: {"code", "message", "detail"}} on one line of 'stream'; kind is "error" or "warning". */
int vl_log_print_problem(FILE *stream, const char *kind, const struct vl_problem *problem);

#endif
