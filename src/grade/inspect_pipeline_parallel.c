/*
 * Lab 07's inspectors.
 */
#include "grade/inspect.h"

const struct vl_inspector vl_inspectors_pipeline_parallel[] = {{NULL, NULL, NULL}};
