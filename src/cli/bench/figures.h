/*
 * What benchmarks have in common when they show their figures.
 */
#ifndef VIALATA_CLI_BENCH_FIGURES_H
#define VIALATA_CLI_BENCH_FIGURES_H

#include "report/draw/terminal.h"

#include <jansson.h>

#define VL_BENCH_SHAPE_NAME 128

/* A number of an object; 0 if it has none of that name. */
double vl_bench_number(const json_t *object, const char *key);

/* A model's shape, in short: L4 D256 H4 T128 B8 V512. */
void vl_bench_shape_name(char name[VL_BENCH_SHAPE_NAME], const json_t *shape);

/* A number at the right of so many columns. */
void vl_bench_put(const struct vl_terminal *terminal, int columns, double value, int decimals);

/* What the benchmark of that name has told: the whole event as JSON, or as a table what has that name in it. Other
 * events are left. */
void vl_bench_tell(const json_t *event, const char *name, int json,
                   void (*put)(const json_t *told));

#endif
