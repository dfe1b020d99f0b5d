/*
 * Let a model write, byte by byte, each drawn from what the model predicts after the last T bytes.
 *
 * Reported as {"text": "..."} lines: first the prompt, then each piece as it is written. A model of
 * bytes may write bytes that are not text. These are shown as U+FFFD, and so are control characters
 * other than tab and line feed, which would steer a terminal.
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
