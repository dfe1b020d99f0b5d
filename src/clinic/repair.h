/*
 * A program of the clinic, repaired: its test compares what a student's program prints with what this one prints.
 */
#ifndef VIALATA_CLINIC_REPAIR_H
#define VIALATA_CLINIC_REPAIR_H

#include "clinic/case.h"
#include "vialata/status.h"

/* 'program' with the repairs of its case, fresh. VL_EFORMAT if what is to be replaced is not there, VL_ENOMEM. */
enum vl_status vl_clinic_repair(char **repaired, const struct vl_clinic_case *item,
                                const char *program);

#endif
