/*
 * The writers behind report.h, one file each, and what they share. 'list' as in vl_report_write.
 */
#ifndef VIALATA_REPORT_VERDICT_FORMATS_H
#define VIALATA_REPORT_VERDICT_FORMATS_H

#include "grade/catalogue/verdict.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stdio.h>

enum vl_status vl_report_write_text(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                    int list);
enum vl_status vl_report_write_json(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                    int list);
enum vl_status vl_report_write_junit(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                     int list);
enum vl_status vl_report_write_gradescope(FILE *stream, const struct vl_verdict *verdicts,
                                          size_t count, int list);

/* A cleaned JSON string, or null for NULL; a number, or null for what JSON cannot hold. */
json_t *vl_json_text(const char *text);
json_t *vl_json_real(double value);

/* Write a JSON value and a newline, and drop it. VL_ENOMEM for NULL. */
enum vl_status vl_json_write(FILE *stream, json_t *value);

#endif
