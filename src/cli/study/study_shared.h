/*
 * What all studies share: how many runs at a time, whose flags are whose, and where results go.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_SHARED_H
#define VIALATA_CLI_STUDY_STUDY_SHARED_H

#include "cli/command.h"
#include "report/draw/terminal.h"
#include "vialata/status.h"
#include <jansson.h>

/* How many runs at a time: up to three cores in full; of more, half is left to the rest of the
 * machine. */
size_t vl_study_lanes(void);

/* A flag of another study would be ignored, and somebody would wonder why: VL_EXIT_USAGE. */
enum vl_exit vl_study_refuse_flags(const struct vl_arguments *arguments, const char *study);

struct vl_study_places {
    const char *page, *json; /* json: NULL if nobody asked for it */
};

/* From `--out` and `--json`. VL_EXIT_USAGE at once, and not after minutes, where a file cannot be
 * written. */
enum vl_exit vl_study_find_places(struct vl_study_places *places,
                                  const struct vl_arguments *arguments, const char *page);

/* Say where the page is, with a sentence that has its name, or why it was not written; then write
 * the numbers if they are asked for. 'all' is taken over; NULL is a lack of memory. */
enum vl_exit vl_study_tell(const struct vl_terminal *terminal, const struct vl_study_places *places,
                           const char *sentence, enum vl_status written, json_t *all);

#endif
