/*
 * Let a model write: byte after byte, each drawn from what the model expects after the last T.
 *
 * Told as {"text": "..."} lines: first the prompt, then pieces of what is written, as they come.
 * A model of bytes may write what is no text; such bytes are shown as U+FFFD, and so are
 * control characters other than tab and line feed, so that no terminal obeys them.
 */
#ifndef VIALATA_TRAIN_RUN_SAMPLE_H
#define VIALATA_TRAIN_RUN_SAMPLE_H

#include "train/log/problem.h"
#include "train/options/options.h"
#include <stdio.h>

/* options: checkpoint, prompt, bytes, temperature (0 takes the likeliest byte), seed. */
enum vl_status vl_sample(const struct vl_options *options, FILE *events,
                         struct vl_problem *problem);

#endif
