/* The calls of lab 10 that are in calls_choices.c. */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_CHOICES_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_RUNNER_CHOICES_H

#include "runner/call.h"

vl_call_function vl_call_divisions_order, vl_call_divisions_crossover;

#endif
